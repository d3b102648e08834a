/**
 * What happens next to an unpaid invoice or claim, and when. The rules are the tables of schedule-table.ts;
 * here they are read for one debt, from what has been performed so far.
 */
import { type CalendarDate, addDays, daysBetween, laterOf } from '../calendar.ts'
import { addBankDays } from './bank-days.ts'
import type { DebtorKind } from './country-params.ts'
import { type Offset, type ScheduleRow, type StepType, scheduleOf } from './schedule-table.ts'

/** What an instance may set; the law's minimum wins over a smaller number, the table's count over a larger. */
export type SchedulePolicy = {
  /** Days from the due date to the first reminder. */
  readonly reminderAfterDays?: number
  readonly reminders?: number
}

type Terms = {
  readonly country: string
  readonly debtorKind: DebtorKind
  /** No step is planned before this day: after a pause, a dispute or a plan that ended. */
  readonly notBefore?: CalendarDate
  readonly policy?: SchedulePolicy
}

export type InvoiceTerms = Terms & {
  readonly dueDate: CalendarDate
  readonly sentDate: CalendarDate
  /** The due date, or the day of import when that came later (D-21). */
  readonly scheduleFrom: CalendarDate
  readonly reminderFeeAgreed: boolean
}

export type ClaimTerms = Terms & {
  /** The day the invoices were joined into the claim. */
  readonly openedOn: CalendarDate
}

/** A step that was performed; skipped and cancelled ones do not count, they may be planned anew. */
export type PerformedStep = {
  readonly type: StepType
  readonly performedDate: CalendarDate
  /** The last day to pay that was really given, when it differs from the table's. */
  readonly lastPayDate?: CalendarDate
}

export type PlannedStep = {
  readonly type: StepType
  /** 1 for the first of its type on this debt. */
  readonly number: number
  readonly plannedDate: CalendarDate
}

/** The first step of an invoice's schedule. */
export function firstStep(terms: InvoiceTerms): PlannedStep | undefined {
  return nextStep(terms, [])
}

/** The step of an invoice that comes first among those that may follow; undefined at the schedule's end. */
export function nextStep(terms: InvoiceTerms, performed: readonly PerformedStep[]): PlannedStep | undefined {
  const start = laterOf(terms.scheduleFrom, terms.dueDate)
  const rows = scheduleOf(terms.country, terms.debtorKind).invoice
  return firstReady({ ...terms, start, sent: terms.sentDate, rows }, performed)
}

/** As nextStep, for a claim. It ends only by what stops the claim: the last step repeats. */
export function nextClaimStep(
  terms: ClaimTerms,
  performed: readonly PerformedStep[],
): PlannedStep | undefined {
  const rows = scheduleOf(terms.country, terms.debtorKind).claim
  return firstReady({ ...terms, start: terms.openedOn, sent: terms.openedOn, rows }, performed)
}

type Reading = Terms & {
  readonly start: CalendarDate
  readonly sent: CalendarDate
  readonly rows: readonly ScheduleRow[]
}

function firstReady(reading: Reading, performed: readonly PerformedStep[]): PlannedStep | undefined {
  let first: PlannedStep | undefined
  for (const row of reading.rows) {
    const number = numberToCome(reading, row, performed)
    const planned = number === undefined ? undefined : plannedDateOf(reading, row, performed)
    if (number === undefined || planned === undefined) continue
    const plannedDate = reading.notBefore ? laterOf(planned, reading.notBefore) : planned
    if (!first || plannedDate < first.plannedDate) first = { type: row.type, number, plannedDate }
  }
  return first
}

/** The number that the row's step would have, or undefined when it has been or is not wanted. */
function numberToCome(
  reading: Reading,
  row: ScheduleRow,
  performed: readonly PerformedStep[],
): number | undefined {
  const done = performed.filter(({ type }) => type === row.type).length
  if (row.repeats) return done + 1
  if (row.type === 'REMINDER' && row.number > remindersOf(reading)) return undefined
  // A later step of the table stands for what it overtook: nobody is reminded from within collection.
  const later = reading.rows.slice(reading.rows.indexOf(row) + 1)
  const isOvertaken =
    row.type !== 'DELAYED_PENALTY_FEE' &&
    later.some(
      (other) =>
        other.type !== row.type &&
        other.type !== 'DELAYED_PENALTY_FEE' &&
        performed.some(({ type }) => type === other.type),
    )
  return row.number === done + 1 && !isOvertaken ? row.number : undefined
}

/** How many reminders this schedule sends. */
function remindersOf(reading: Reading): number {
  const most = reading.rows.filter(({ type }) => type === 'REMINDER').length
  return Math.max(1, Math.min(most, reading.policy?.reminders ?? most))
}

function plannedDateOf(
  reading: Reading,
  row: ScheduleRow,
  performed: readonly PerformedStep[],
): CalendarDate | undefined {
  const own = row.repeats ? performed.findLast(({ type }) => type === row.type) : undefined
  const dates = row.after.map((offset) => {
    const base = own ? own.performedDate : baseOf(reading, offset, performed)
    return base && addDays(base, daysOf(reading, row, offset))
  })
  return dates.reduce((latest, day) => (latest && day ? laterOf(latest, day) : undefined))
}

function daysOf(reading: Reading, row: ScheduleRow, offset: Offset): number {
  const isFirstReminder = row.type === 'REMINDER' && row.number === 1
  const wanted = isFirstReminder ? (reading.policy?.reminderAfterDays ?? offset.days) : offset.days
  return Math.max(wanted, offset.minDays ?? 0)
}

/** The day that an offset counts from, or undefined while the step it waits for has not been performed. */
function baseOf(
  reading: Reading,
  offset: Offset,
  performed: readonly PerformedStep[],
): CalendarDate | undefined {
  if (offset.from === 'start') return reading.start
  if (offset.from === 'sent') return reading.sent
  const rows = reading.rows.filter(({ type }) => type === offset.from)
  const wanted =
    offset.number ?? (offset.from === 'REMINDER' ? remindersOf(reading) : (rows.at(-1)?.number ?? 1))
  const step = performed.filter(({ type }) => type === offset.from)[wanted - 1]
  if (!step || offset.moment !== 'lastPayDate') return step?.performedDate
  return step.lastPayDate ?? lastPayDateOf(reading, step.type, step.performedDate)
}

/**
 * The last day to pay that a step gives when it is performed on `performedDate`; undefined for steps that ask
 * for nothing. The invoice keeps its own due date, a claim takes this one.
 */
export function lastPayDateOf(
  terms: Pick<Terms, 'country' | 'debtorKind'>,
  type: StepType,
  performedDate: CalendarDate,
): CalendarDate | undefined {
  const { invoice, claim } = scheduleOf(terms.country, terms.debtorKind)
  const row = [...invoice, ...claim].find((candidate) => candidate.type === type)
  if (!row?.termDays) return undefined
  const day = addDays(performedDate, row.termDays)
  return row.termBankDays ? laterOf(day, addBankDays(terms.country, performedDate, row.termBankDays)) : day
}

/** Bank days that lie at least between a resumed schedule and its next step (I10). */
const BANK_DAYS_AFTER_PAUSE = 3
/** Days that a debtor has after a dispute was rejected (I12). */
const DAYS_AFTER_DISPUTE = 10

/** The new day of a step that was on hold: later by the pause, and never sooner than today + 3 bank days. */
export function shiftAfterPause(
  plannedDate: CalendarDate,
  pause: { readonly country: string; readonly pausedOn: CalendarDate; readonly today: CalendarDate },
): CalendarDate {
  const shifted = addDays(plannedDate, Math.max(0, daysBetween(pause.pausedOn, pause.today)))
  return laterOf(shifted, addBankDays(pause.country, pause.today, BANK_DAYS_AFTER_PAUSE))
}

/** `notBefore` for a schedule that is built anew after a dispute was rejected. */
export function resumeAfterDispute(today: CalendarDate): CalendarDate {
  return addDays(today, DAYS_AFTER_DISPUTE)
}
