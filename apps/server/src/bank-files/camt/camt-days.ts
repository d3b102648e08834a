/** Of which days a camt report tells, and its place among those that the bank numbers. */
import { createHash } from 'node:crypto'
import type { BankReport, Deposit } from '@kvitt/domain/bank-files/bank-file.ts'
import type { DaySpan } from '@kvitt/domain/bank-files/told-days.ts'
import { addDays, parseDate, type CalendarDate } from '@kvitt/domain/calendar.ts'
import type { ReadElement } from '../../imports/imports.ts'
import { textAt } from './camt-elements.ts'

export type PagePlace = {
  /** Undefined where the bank does not say it so that it can be read. */
  readonly number: number | undefined
  readonly isLast: boolean
}

/** Its place when it is one page of several: it tells of its days together with the others only. Of the report, else of the message. */
export function pageOf(document: ReadElement, report: ReadElement): PagePlace | undefined {
  const of = (element: ReadElement, ...path: readonly string[]): PagePlace | undefined => {
    const last = textAt(element, ...path, 'LastPgInd')
    const page = textAt(element, ...path, 'PgNb')
    if (last === undefined && page === undefined) return undefined
    const isLast = last === 'true' || last === '1'
    const isOnly = (last === undefined || isLast) && (page === undefined || Number(page) <= 1)
    return isOnly
      ? undefined
      : { number: /^[1-9]\d{0,4}$/.test(page ?? '') ? Number(page) : undefined, isLast }
  }
  const ofReport = ['StmtPgntn', 'NtfctnPgntn'].map((name) => of(report, name))
  const ofMessage = ['BkToCstmrStmt', 'BkToCstmrDbtCdtNtfctn'].map((outer) =>
    of(document, outer, 'GrpHdr', 'MsgPgntn'),
  )
  return [...ofReport, ...ofMessage].find((found) => found !== undefined)
}

/** What the pages of one statement have in common: its name, its numbers and its period. */
export function statementOf(report: ReadElement): string {
  const said = [['Id'], ['ElctrncSeqNb'], ['LglSeqNb'], ['FrToDt', 'FrDtTm'], ['FrToDt', 'ToDtTm']].map(
    (path) => textAt(report, ...path) ?? '',
  )
  return createHash('sha256').update(JSON.stringify(said)).digest('base64url')
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
function daysOf(report: ReadElement, closing: CalendarDate | undefined): DaySpan | undefined {
  const period = periodOf(report)
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

/** What a whole report, or the last page of one, tells of days: all of a statement's, and its number where the bank gives one. */
export function readTold(
  report: ReadElement,
  {
    isWhole,
    closing,
    deposits,
  }: {
    readonly isWhole: boolean
    /** The day with which it closes, where it says so. */
    readonly closing: CalendarDate | undefined
    readonly deposits: readonly Deposit[]
  },
): Pick<BankReport, 'days' | 'numbered'> {
  const days = isWhole ? daysOf(report, closing) : undefined
  const numbered = numberedOf(report, { isWhole, days: days ?? entryDaysOf(deposits) })
  return { ...(days && { days }), ...(numbered && { numbered }) }
}
