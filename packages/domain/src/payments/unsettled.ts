/** When a signed payment is given up because its money never moved (M-16). */
import type { CalendarDate } from '../calendar.ts'
import { addBankDays } from '../collection/bank-days.ts'
import type { PaymentStatus } from './payment.ts'

/** As many days on which banks are open may pass after the day on which the money was to move. */
export const UNSETTLED_BANK_DAYS = 3

/**
 * Signed, and not settled three bank days after its execution date, in the country of who is paid. A payment for the due date is
 * signed for weeks before that day: it does not count from its signature.
 */
export function isUnsettled(
  payment: { readonly status: PaymentStatus; readonly executionDate: CalendarDate; readonly country: string },
  today: CalendarDate,
): boolean {
  const { status, executionDate, country } = payment
  return status === 'AUTHORIZED' && today >= addBankDays(country, executionDate, UNSETTLED_BANK_DAYS)
}
