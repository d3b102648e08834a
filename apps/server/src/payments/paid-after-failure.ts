/** Money that a gateway has moved for a payment that had been given up here (decision 006). */
import type { CalendarDate } from '@kvitt/domain/calendar.ts'
import { debtId } from '@kvitt/domain/ledger/booking.ts'
import type { Context } from '../context.ts'
import { findHeir } from '../part-payments/part-payments.ts'
import type { Transaction } from '../platform/database/database.ts'
import { applyReceived, bookAsOverpayment } from './apply-payment.ts'
import { cameBeforePlan, type LockedDebt } from './payable.ts'
import { lockPaymentRow, markArrivedRow, type PaymentDoor, type PaymentRow } from './payments.queries.ts'
import { endUnsettledTask } from './unsettled-task.ts'
import { bookOnce } from './told-by-bank/told-by-bank.ts'

type PaidAfterFailure = {
  readonly locked: LockedDebt
  readonly payment: PaymentRow
  readonly today: CalendarDate
  readonly valueOn: CalendarDate
  readonly gatewayPaymentId: string
  readonly door: PaymentDoor
}

/**
 * Books it on what the payment was for, once, under the locks of both. The payment stays FAILED. What a bank's file has
 * brought already is not booked again, and what a plan pays is left to the plan: then the money is owed back (M-19), unless it
 * had come before the plan.
 */
export async function bookPaidAfterFailure(
  context: Context,
  tx: Transaction,
  late: PaidAfterFailure,
): Promise<void> {
  const { locked, payment, today, valueOn, gatewayPaymentId, door } = late
  markArrivedRow(tx, payment, { on: today, gatewayPaymentId, door })
  await endUnsettledTask(tx, payment)
  const { is_part_payment: isPlanned, balance_minor: owed } = locked.claim ?? locked.invoice
  const told = { locked, payment, today, valueOn }
  await bookOnce(context, tx, told, async (countsFrom) => {
    const paid = { ...told, valueOn: countsFrom }
    const money = { amountMinor: payment.amount_minor, valueOn: countsFrom }
    const isForPlan = isPlanned && owed > 0 && !(await cameBeforePlan(tx, locked, money))
    await (isForPlan ? bookAsOverpayment(context, tx, paid) : applyReceived(context, tx, paid))
  })
}

/** Was the payment for this debt, or for what the debt has taken over since? */
async function isOf(tx: Transaction, named: PaymentRow, { invoice, claim }: LockedDebt): Promise<boolean> {
  const { instance_id: instanceId, invoice_id: invoiceId, claim_id: claimId } = named
  const heir = invoiceId === null ? undefined : await findHeir(tx, instanceId, invoiceId)
  const ids = [invoiceId, claimId, heir && debtId(heir)]
  const held = claim ? [claim.id, ...claim.members.map(({ id }) => id)] : [invoice.id]
  return held.some((id) => ids.includes(id))
}

type ByFile = {
  readonly named: PaymentRow
  readonly line: Pick<PaymentRow, 'amount_minor' | 'currency'>
  readonly locked: LockedDebt
  readonly today: CalendarDate
}

/**
 * A line of a bank's file names a payment that was given up, and is about to be booked on what that was for: its money is
 * here, although no gateway has told of it. Answers whether it is, and keeps that. Under the lock of the debt.
 */
export async function arriveByFile(
  tx: Transaction,
  { named, line, locked, today }: ByFile,
): Promise<boolean> {
  const isOfDebt = await isOf(tx, named, locked)
  if (!isOfDebt || named.amount_minor !== line.amount_minor || named.currency !== line.currency) return false
  const { status, arrived_on: arrivedOn } = await lockPaymentRow(tx, named.instance_id, named.id)
  if (status !== 'FAILED' || arrivedOn !== null) return false
  markArrivedRow(tx, named, { on: today, gatewayPaymentId: null, door: 'file' })
  await endUnsettledTask(tx, named)
  return true
}
