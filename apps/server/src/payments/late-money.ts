/** Money that a gateway has moved for a payment that had been given up here (decision 006). */
import type { CalendarDate } from '@kvitt/domain/calendar.ts'
import type { Context } from '../context.ts'
import type { Transaction } from '../platform/database.ts'
import { applyReceived, oweBack } from './apply-payment.ts'
import type { LockedDebt } from './payable.ts'
import { markArrivedRow, type PaymentDoor, type PaymentRow } from './payments.queries.ts'
import { findToldByBank, linkToldLine } from './told-by-bank.queries.ts'

type Late = {
  readonly locked: LockedDebt
  readonly payment: PaymentRow
  readonly today: CalendarDate
  readonly gatewayPaymentId: string
  readonly door: PaymentDoor
}

/**
 * Books it on what the payment was for, once, under the locks of both. The payment stays FAILED. What a bank's file has
 * brought already is not booked again, and what a plan pays is left to the plan: then the money is owed back (I19).
 */
export async function bookLateMoney(context: Context, tx: Transaction, late: Late): Promise<void> {
  const { locked, payment, today, gatewayPaymentId, door } = late
  markArrivedRow(tx, payment, { on: today, gatewayPaymentId, door })
  const told = await findToldByBank(tx, payment, { debt: locked, today })
  if (told !== undefined) return linkToldLine(tx, payment, told)
  const { is_part_payment: isPlanned, balance_minor: owed } = locked.claim ?? locked.invoice
  if (isPlanned && owed > 0) return oweBack(context, tx, { locked, payment, today })
  return applyReceived(context, tx, { locked, payment, today })
}
