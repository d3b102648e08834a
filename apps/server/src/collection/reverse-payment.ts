/** Money that was booked did not come after all, or was somebody else's (I25). */
import type { CalendarDate } from '@kvitt/domain/calendar.ts'
import { resumeAfterDispute } from '@kvitt/domain/collection/schedule.ts'
import type { Line } from '@kvitt/domain/ledger/booking.ts'
import { bookReversal } from '@kvitt/domain/ledger/correction.ts'
import { lockClaim, moveClaim } from '../claims/claims.ts'
import type { Context } from '../context.ts'
import { lockInvoiceRow, moveInvoice } from '../invoices/invoices.ts'
import { endRefundTask, postBookings, readPostedLines } from '../ledger/ledger.ts'
import type { Transaction } from '../platform/database.ts'
import { newId } from '../platform/identity.ts'
import { setClaimDateRows } from './claim-steps.queries.ts'
import { setInterestDayRows } from './collection.queries.ts'
import { DecisionRefused } from './decision-refused.ts'
import { findPaidDebt } from './decisions.queries.ts'
import { planAnew, planClaimAnew } from './plan-anew.ts'

type ReversalContext = Pick<Context, 'db' | 'clock'>
type Payment = { readonly instanceId: string; readonly paymentId: string }

/**
 * I25: takes a booked payment back, with the small rest that was written off because of it. What it had closed is
 * owed again; the time in which it looked paid costs nothing, and the next step comes in ten days at the earliest.
 * What an invoice owes again is owed on its claim, if it is in one by now. Answers false when the payment has been
 * taken back before. Throws DecisionRefused.
 */
export function reversePayment(
  context: ReversalContext,
  payment: Payment,
  on: CalendarDate,
): Promise<boolean> {
  return context.db.transaction((tx) => takeBack(context, tx, payment, on))
}

/** The same inside the caller's transaction. It refuses before it writes. */
export async function takeBack(
  context: Pick<Context, 'clock'>,
  tx: Transaction,
  payment: Payment,
  on: CalendarDate,
): Promise<boolean> {
  const found = await findPaidDebt(tx, payment.instanceId, payment.paymentId)
  if (!found) throw new DecisionRefused('There is no such payment.')
  const taken = { ...payment, gatewayPaymentId: found.payment_id, on }
  if (found.claim_id !== null) return reverseOnClaim(context, tx, { ...taken, claimId: found.claim_id })
  return reverseOnInvoice(context, tx, { ...taken, invoiceId: found.invoice_id ?? '' })
}

/** `gatewayPaymentId`: as the ledger names the payment, null for money from a bank's file. */
type Taken = Payment & { readonly gatewayPaymentId: string | null; readonly on: CalendarDate }

/**
 * The payment's lines turned round, and nobody to send any of it back any more. Undefined when it has been taken back
 * before: asked under the lock.
 */
async function linesBack(tx: Transaction, { instanceId, paymentId }: Payment): Promise<Line[] | undefined> {
  if ((await findPaidDebt(tx, instanceId, paymentId))?.is_reversed) return undefined
  const causes = [`payment:${paymentId}`, `write-off:payment:${paymentId}`]
  const lines = await readPostedLines(tx, instanceId, causes)
  if (lines.length === 0) throw new DecisionRefused('The payment has not been booked.')
  await endRefundTask(tx, instanceId, `payment:${paymentId}`)
  return bookReversal(lines)
}

async function reverseOnInvoice(
  context: Pick<Context, 'clock'>,
  tx: Transaction,
  { on, gatewayPaymentId, ...payment }: Taken & { readonly invoiceId: string },
): Promise<boolean> {
  const { instanceId, paymentId, invoiceId } = payment
  const key = { instanceId, invoiceId }
  const invoice = await lockInvoiceRow(tx, instanceId, invoiceId)
  const { status } = invoice
  const back = await linesBack(tx, payment)
  if (!back) return false
  if (invoice.is_part_payment || status === 'PENDING_AUTHORIZATION' || status === 'ARCHIVED')
    throw new DecisionRefused('The invoice is in a plan, being paid or archived: this needs a person.')
  if (invoice.claim_id !== null) throw new DecisionRefused('The invoice has just joined a claim. Try again.')
  const booking = {
    id: newId(context.clock.now()),
    kind: 'REVERSAL',
    bookedOn: on,
    cause: `reversal:payment:${paymentId}`,
    invoiceId,
    paymentId: gatewayPaymentId,
    lines: back,
  }
  await postBookings(tx, instanceId, [booking], context.clock)
  const { balance_minor: owed } = await lockInvoiceRow(tx, instanceId, invoiceId)
  const isOwedAgain = status === 'CLOSED' && owed > 0
  await moveInvoice(tx, invoice, { move: 'reverse', to: isOwedAgain ? 'ACTIVATED' : status } as const)
  if (isOwedAgain) {
    await setInterestDayRows(tx, { instanceId, day: on }, [invoiceId])
    await planAnew(context, tx, key, resumeAfterDispute(on))
  }
  return true
}

async function reverseOnClaim(
  context: Pick<Context, 'clock'>,
  tx: Transaction,
  { on, gatewayPaymentId, ...payment }: Taken & { readonly claimId: string },
): Promise<boolean> {
  const { instanceId, paymentId, claimId } = payment
  const key = { instanceId, claimId }
  const claim = await lockClaim(tx, key)
  const back = await linesBack(tx, payment)
  if (!back) return false
  if (claim.members.some(({ status }) => status === 'ARCHIVED'))
    throw new DecisionRefused('The claim has archived invoices: this needs a person.')
  const booking = {
    id: newId(context.clock.now()),
    kind: 'REVERSAL',
    bookedOn: on,
    cause: `reversal:payment:${paymentId}`,
    invoiceId: null,
    claimId,
    paymentId: gatewayPaymentId,
    lines: back.map((line) => onClaim(line, claimId)),
  }
  await postBookings(tx, instanceId, [booking], context.clock)
  const { balance_minor: owed } = await lockClaim(tx, key)
  if (claim.status !== 'CLOSED' || owed === 0) return true
  await moveClaim(tx, claim, { move: 'reverse', to: 'RESUME' })
  await setClaimDateRows(tx, instanceId, [{ id: claimId, expireDate: null, interestPostedTo: on }])
  await planClaimAnew(context, tx, key, resumeAfterDispute(on))
  return true
}

/** What was paid on an invoice before it joined its claim is owed on the claim now. */
function onClaim({ account, amount }: Line, claimId: string): Line {
  const isBucket = account.kind === 'principal' || account.kind === 'costs' || account.kind === 'interest'
  return { account: isBucket ? { kind: account.kind, claimId } : account, amount }
}
