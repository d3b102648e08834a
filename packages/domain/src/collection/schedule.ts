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
  /** True for an invoice of interest: the payment that was late has been compensated for. */
  readonly isForInterest?: boolean
}

export type ClaimTerms = Terms & {
  /** The day the invoices were joined into the claim. */
  readonly openedOn: CalendarDate
}

/** A step that was performed; skipped and cancelled ones do not count, they may be planned anew. */
export type PerformedStep = {
  readonly type: StepType
  /** Which of its type it was; in the order of the list when that is not told. */
  readonly number?: number
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

/** The step of an invoice that comes first among those that may follow; undefined at the schedule's end. */
export function nextStep(terms: InvoiceTerms, performed: readonly PerformedStep[]): PlannedStep | undefined {
  const start = laterOf(terms.scheduleFrom, terms.dueDate)
  const all = scheduleOf(terms.country, terms.debtorKind).invoice
  const rows = terms.isForInterest ? withoutCompensation(all) : all
  return firstReady({ ...terms, start, sent: terms.sentDate, rows }, performed)
}

/** The rows without compensation, and nothing that waits for it. */
function withoutCompensation(rows: readonly ScheduleRow[]): ScheduleRow[] {
  return rows
    .filter(({ type }) => type !== 'DELAYED_PENALTY_FEE')
    .map((row) => ({ ...row, after: row.after.filter(({ from }) => from !== 'DELAYED_PENALTY_FEE') }))
}

/**
 * As nextStep, for a claim. It ends with SCHEDULE_END, which asks a person; what was recorded then stands for that, and a
 * recorded decision to monitor is followed by watching without end.
 */
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
  const reached = reachedRow(reading.rows, performed)
  let first: PlannedStep | undefined
  for (const [index, row] of reading.rows.entries()) {
    if (row.recorded) continue
    const number = numberToCome(reading, row, performed)
    if (number === undefined || (index < reached && isOvertaken(reading.rows, reached, row.type))) continue
    const planned = plannedDateOf(reading, row, performed)
    if (planned === undefined) continue
    const isBesideLetters = row.type === 'DELAYED_PENALTY_FEE'
    const afterTerms = isBesideLetters ? planned : laterOf(planned, afterLastPayDates(reading, performed))
    const plannedDate = reading.notBefore ? laterOf(afterTerms, reading.notBefore) : afterTerms
    if (!first || plannedDate < first.plannedDate) first = { type: row.type, number, plannedDate }
  }
  return first
}

/**
 * No letter comes, and nothing goes on, within the time to pay that one gave. In its own order no schedule does; one that
 * was taken back is caught up with out of it.
 */
function afterLastPayDates(reading: Reading, performed: readonly PerformedStep[]): CalendarDate {
  let day = reading.start
  for (const step of performed) {
    const last = lastDayGiven(reading, step)
    if (last) day = laterOf(day, addDays(last, 1))
  }
  return day
}

/**
 * Index of the last row whose type has been performed, -1 at the start. It stands for what it overtook: nobody
 * is reminded from within collection.
 */
function reachedRow(rows: readonly ScheduleRow[], performed: readonly PerformedStep[]): number {
  return rows.findLastIndex(
    (row) => row.type !== 'DELAYED_PENALTY_FEE' && performed.some(({ type }) => type === row.type),
  )
}

/**
 * Does the row that was reached stand for an earlier one of this type? Not for what a row still to come counts from: a
 * reminder that was never sent is caught up with, or nothing would follow its notice. Compensation is owed beside all.
 */
function isOvertaken(rows: readonly ScheduleRow[], reached: number, type: StepType): boolean {
  if (type === 'DELAYED_PENALTY_FEE' || type === rows[reached]?.type) return false
  return !rows.slice(reached + 1).some(({ after }) => after.some(({ from }) => from === type))
}

/**
 * The number that the row's step would have, or undefined when it has been or is not wanted: the first of its type that does not
 * stand. The letter of an earlier one may never have been sent.
 */
function numberToCome(
  reading: Reading,
  row: ScheduleRow,
  performed: readonly PerformedStep[],
): number | undefined {
  const standing = performed
    .filter(({ type }) => type === row.type)
    .map(({ number }, index) => number ?? index + 1)
  let next = 1
  while (standing.includes(next)) next += 1
  if (row.repeats) return next
  const isWanted = row.type !== 'REMINDER' || row.number <= remindersOf(reading)
  return isWanted && row.number === next ? next : undefined
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
  let latest: CalendarDate | undefined
  for (const offset of row.after) {
    const base = own ? own.performedDate : baseOf(reading, offset, performed)
    if (base === undefined) return undefined
    const day = addDays(base, daysOf(reading, row, offset))
    latest = latest ? laterOf(latest, day) : day
  }
  return latest
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
  if (!step) return undefined
  return offset.moment === 'lastPayDate' ? lastDayGiven(reading, step) : dayOfLetter(reading, step)
}

/** The day on which a step's letter left: later than it was performed by as much as its last day to pay is later. */
function dayOfLetter(reading: Reading, step: PerformedStep): CalendarDate {
  const rows = reading.rows.filter(({ type }) => type === step.type)
  const own = lastDayOf(rows, reading.country, step.performedDate)
  if (!own || !step.lastPayDate || step.lastPayDate <= own) return step.performedDate
  return addDays(step.performedDate, daysBetween(own, step.lastPayDate))
}

/** The last day to pay that a step gave; undefined for one that asks for nothing. */
function lastDayGiven(reading: Reading, step: PerformedStep): CalendarDate | undefined {
  const rows = reading.rows.filter(({ type }) => type === step.type)
  return step.lastPayDate ?? lastDayOf(rows, reading.country, step.performedDate)
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
  const rows = [...invoice, ...claim].filter((row) => row.type === type)
  return lastDayOf(rows, terms.country, performedDate)
}

/** All rows of one type give the same time. */
function lastDayOf(
  rows: readonly ScheduleRow[],
  country: string,
  performedDate: CalendarDate,
): CalendarDate | undefined {
  const row = rows[0]
  if (!row?.termDays) return undefined
  const day = addDays(performedDate, row.termDays)
  return row.termBankDays ? laterOf(day, addBankDays(country, performedDate, row.termBankDays)) : day
}

/** Bank days that lie at least between a resumed schedule and its next step (M-10). */
const BANK_DAYS_AFTER_PAUSE = 3
/** Days that a debtor has after a dispute was rejected (M-12 asks for ten at least). */
export const DAYS_AFTER_DISPUTE = 14
/** Days that a debtor has when what was paid is owed again. */
const DAYS_AFTER_REVERSAL = 10

/** The new day of a step that was on hold: later by the pause, and never sooner than today + 3 bank days. */
export function shiftAfterPause(
  plannedDate: CalendarDate,
  pause: { readonly country: string; readonly pausedOn: CalendarDate; readonly today: CalendarDate },
): CalendarDate {
  const shifted = addDays(plannedDate, Math.max(0, daysBetween(pause.pausedOn, pause.today)))
  return laterOf(shifted, resumeAfterPause(pause.country, pause.today))
}

/** The first day on which anything may go on after a respite. */
export function resumeAfterPause(country: string, resumedOn: CalendarDate): CalendarDate {
  return addBankDays(country, resumedOn, BANK_DAYS_AFTER_PAUSE)
}

/** Whatever went on after a respite on a later day than this waits on `today` still. */
export function lastOverRespite(country: string, today: CalendarDate): CalendarDate {
  let day = today
  while (resumeAfterPause(country, day) > today) day = addDays(day, -1)
  return day
}

/** `notBefore` for a schedule that is built anew after a dispute was rejected. */
export function resumeAfterDispute(today: CalendarDate): CalendarDate {
  return addDays(today, DAYS_AFTER_DISPUTE)
}

/** `notBefore` for a schedule that is built anew after a payment was taken back. */
export function resumeAfterReversal(today: CalendarDate): CalendarDate {
  return addDays(today, DAYS_AFTER_REVERSAL)
}
