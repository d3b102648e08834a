/**
 * The two days of money that came. It is booked on the day on which it enters the books, never back-dated. It counts from
 * the day on which it was on the account: interest, late days and whether it came in time.
 */
import type { CalendarDate } from '../calendar.ts'
import { addBankDays } from '../collection/bank-days.ts'

/**
 * The day from which money counts: the earliest of the days that a bank or gateway tells (value date, booking date,
 * execution date), and never later than the day it is booked on.
 */
export function valueDayOf(
  told: readonly (CalendarDate | null | undefined)[],
  bookedOn: CalendarDate,
): CalendarDate {
  return told.reduce<CalendarDate>((day, one) => (one && one < day ? one : day), bookedOn)
}

/** Why a person has to look at the day that a bank or gateway tells. */
export type DayDoubt = 'in_the_future' | 'before_the_document' | 'long_before_booking'

/** Money is told of within so many bank days; longer is more likely a wrong day than a late file. */
const LONGEST_BANK_DAYS = 10

/** What is doubtful about the earliest day that was told; `issuedOn` of the document that it pays, when that is known. */
export function dayDoubt(money: {
  readonly toldOn: CalendarDate
  readonly bookedOn: CalendarDate
  readonly issuedOn?: CalendarDate | undefined
  readonly country: string
}): DayDoubt | undefined {
  const { toldOn, bookedOn, issuedOn, country } = money
  if (toldOn > bookedOn) return 'in_the_future'
  if (issuedOn && toldOn < issuedOn) return 'before_the_document'
  return addBankDays(country, toldOn, LONGEST_BANK_DAYS) < bookedOn ? 'long_before_booking' : undefined
}
