/** The closing of a month: what has to be in order, and what a person has to say something about. */
import { addDays, addMonths, date, parseDate, type CalendarDate } from '../calendar.ts'

/** `2026-10`. */
export type Month = string

export const monthOf = (day: CalendarDate): Month => day.slice(0, 7)
export const firstDayOf = (month: Month): CalendarDate => date(`${month}-01`)
export const lastDayOf = (month: Month): CalendarDate => addDays(addMonths(firstDayOf(month), 1), -1)
export const monthAfter = (month: Month): Month => monthOf(addMonths(firstDayOf(month), 1))

export function parseMonth(text: string): Month | undefined {
  return /^\d{4}-\d{2}$/.test(text) && parseDate(`${text}-01`) ? text : undefined
}

/**
 * Without these nothing is closed: the month is over, its nights are run, the settlements whose period has ended are made, and the open
 * debts come to what the books say.
 */
export const MUST_HOLD = ['nights', 'settlements', 'receivables'] as const
/** What may be so when a month is closed: whoever closes it says why. */
export const TO_NAME = [
  'funds_differ',
  'funds_unproved',
  'below_zero',
  'suspense',
  'not_approved',
  'not_paid',
] as const
export const CLOSE_CHECKS = [...MUST_HOLD, ...TO_NAME] as const
export type CloseCheck = (typeof CLOSE_CHECKS)[number]

/** OK, to be said something about, or in the way. */
export const CHECK_STATES = ['OK', 'NAME', 'BLOCKS'] as const
export type CheckState = (typeof CHECK_STATES)[number]

export const stateOf = (check: CloseCheck, isSo: boolean): CheckState =>
  isSo ? 'OK' : (MUST_HOLD as readonly string[]).includes(check) ? 'BLOCKS' : 'NAME'

/**
 * The month that may be closed now, if any: the one after the last that is closed, before any is closed the first that has anything
 * booked, once it is over. So every month has a report of its own, and each report goes on from the one before it.
 */
export function closableMonths(of: {
  readonly lastClosed: Month | undefined
  readonly firstBooked: CalendarDate | undefined
  readonly today: CalendarDate
}): Month[] {
  const { lastClosed, firstBooked, today } = of
  const next = lastClosed === undefined ? firstBooked && monthOf(firstBooked) : monthAfter(lastClosed)
  return next !== undefined && lastDayOf(next) < today ? [next] : []
}
