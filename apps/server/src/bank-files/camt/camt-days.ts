/** Of which days a camt report tells, and its place among those that the bank numbers. */
import type { BankReport, Deposit } from '@kvitt/domain/bank-files/bank-file.ts'
import type { DaySpan } from '@kvitt/domain/bank-files/told-days.ts'
import { addDays, parseDate, type CalendarDate } from '@kvitt/domain/calendar.ts'
import type { ReadElement } from '../../imports/imports.ts'
import { textAt } from './camt-elements.ts'

/** Is it one page of several? It tells of its days together with the others only, which may be missing. */
export function isPage(document: ReadElement, report: ReadElement): boolean {
  const of = (element: ReadElement, ...path: readonly string[]): boolean => {
    const last = textAt(element, ...path, 'LastPgInd')
    const page = textAt(element, ...path, 'PgNb')
    return (last !== undefined && last !== 'true' && last !== '1') || (page !== undefined && Number(page) > 1)
  }
  return (
    ['BkToCstmrStmt', 'BkToCstmrDbtCdtNtfctn'].some((outer) => of(document, outer, 'GrpHdr', 'MsgPgntn')) ||
    ['StmtPgntn', 'NtfctnPgntn'].some((name) => of(report, name))
  )
}

/** The hour at which a day counts as over: periods are written in local time, in UTC, and up to when the bank closes. */
const EVENING = 18

/** The hour of a time that is not midnight; undefined for midnight and for a day without a time. */
function hourOf(text: string): number | undefined {
  const [, hour] = /T(?!00:00(?::00(?:\.0+)?)?(?:Z|[+-]|$))(\d\d):/.exec(text) ?? []
  return hour === undefined ? undefined : Number(hour)
}

/** A period that begins in the evening begins with the day after it. */
function firstDayOf(text: string): CalendarDate | undefined {
  const day = parseDate(text.slice(0, 10))
  return day && (hourOf(text) ?? 0) >= EVENING ? addDays(day, 1) : day
}

/** A period that ends with midnight ends with the day before it. */
function lastDayOf(text: string): CalendarDate | undefined {
  const day = parseDate(text.slice(0, 10))
  return day && text.includes('T') && hourOf(text) === undefined ? addDays(day, -1) : day
}

/** The period that a report says it is about. */
function periodOf(report: ReadElement): DaySpan | undefined {
  const first = firstDayOf(textAt(report, 'FrToDt', 'FrDtTm') ?? '')
  const last = lastDayOf(textAt(report, 'FrToDt', 'ToDtTm') ?? '')
  return first && last && first <= last ? { first, last } : undefined
}

/** Is the period about all of the day with which it ends? */
const isToEvening = (report: ReadElement): boolean =>
  (hourOf(textAt(report, 'FrToDt', 'ToDtTm') ?? '') ?? EVENING) >= EVENING

/** A statement that is closed tells of no day after its closing balance. */
function daysOf(report: ReadElement, balances: BankReport['balances']): DaySpan | undefined {
  const period = periodOf(report)
  const closing = balances?.closing.day
  if (!period) return closing && { first: closing, last: closing }
  // A day that the bank has not closed is told of when it is over.
  const told = closing || isToEvening(report) ? period.last : addDays(period.last, -1)
  const last = closing && closing < told ? closing : told
  return last < period.first ? undefined : { first: period.first, last }
}

function entryDaysOf(deposits: readonly Deposit[]): DaySpan | undefined {
  const days = deposits.flatMap(({ lines }) => lines.map(({ day }) => day)).toSorted()
  const [first, last] = [days[0], days.at(-1)]
  return first && last ? { first, last } : undefined
}

/** Numbers begin anew with a year, and the legal ones are others than those of what is sent electronically. */
function numberedOf(
  report: ReadElement,
  { isWhole, days }: { readonly isWhole: boolean; readonly days: DaySpan | undefined },
): BankReport['numbered'] {
  const name = ['LglSeqNb', 'ElctrncSeqNb'].find((one) => /^\d{1,15}$/.test(textAt(report, one) ?? ''))
  if (!name || !days) return undefined
  const series = `${isWhole ? 'camt.053' : 'camt.054'}:${name}:${days.last.slice(0, 4)}`
  return { ...days, series, number: Number(textAt(report, name)) }
}

/** What a whole report tells of days: all of a statement's, and its number where the bank gives one. */
export function readTold(
  report: ReadElement,
  {
    isWhole,
    balances,
    deposits,
  }: {
    readonly isWhole: boolean
    readonly balances: BankReport['balances']
    readonly deposits: readonly Deposit[]
  },
): Pick<BankReport, 'days' | 'numbered'> {
  const days = isWhole ? daysOf(report, balances) : undefined
  const numbered = numberedOf(report, { isWhole, days: days ?? entryDaysOf(deposits) })
  return { ...(days && { days }), ...(numbered && { numbered }) }
}
