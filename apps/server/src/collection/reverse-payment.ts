/** Money that was booked did not come after all, or was somebody else's (I25). */
import type { CalendarDate } from '@kvitt/domain/calendar.ts'
import { resumeAfterDispute } from '@kvitt/domain/collection/schedule.ts'
import type { Debt, Line } from '@kvitt/domain/ledger/booking.ts'
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
import { takeLateInterestBack } from './late-interest-back.ts'
import { planAnew, planClaimAnew } from './plan-anew.ts'
import { useCredits } from './use-credits.ts'

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
 * The payment's lines turned round, and apart from them those of what it brought too much; nobody is to send that back
 * any more. Undefined when it has been taken back before: asked under the lock.
 */
async function linesBack(
  tx: Transaction,
  { instanceId, paymentId }: Payment,
): Promise<{ readonly payment: Line[]; readonly refund: Line[] } | undefined> {
  const found = await findPaidDebt(tx, instanceId, paymentId)
  if (found?.is_reversed) return undefined
  if (found?.is_sent_back)
    throw new DecisionRefused('Money of the payment has been sent back: this needs a person.')
  const cause = `payment:${paymentId}`
  const lines = await readPostedLines(tx, instanceId, [cause, `write-off:${cause}`])
  if (lines.length === 0) throw new DecisionRefused('The payment has not been booked.')
  const refund = await readPostedLines(tx, instanceId, [`refund:${cause}`])
  await endRefundTask(tx, instanceId, cause)
  return { payment: bookReversal(lines), refund: bookReversal(refund) }
}

/** Posts what `linesBack` found: the payment taken back, then what was owed back of it. */
async function postBack(
  context: Pick<Context, 'clock'>,
  tx: Transaction,
  { instanceId, paymentId, gatewayPaymentId, on }: Taken,
  entry: { readonly debt: Debt; readonly payment: readonly Line[]; readonly refund: readonly Line[] },
): Promise<void> {
  const { debt, payment, refund } = entry
  const booking = (kind: 'REVERSAL' | 'REFUND', cause: string, lines: readonly Line[]) => ({
    id: newId(context.clock.now()),
    kind,
    bookedOn: on,
    cause: `reversal:${cause}`,
    invoiceId: 'invoiceId' in debt ? debt.invoiceId : null,
    claimId: 'claimId' in debt ? debt.claimId : null,
    paymentId: gatewayPaymentId,
    lines,
  })
  const cause = `payment:${paymentId}`
  const refunds = refund.length > 0 ? [booking('REFUND', `refund:${cause}`, refund)] : []
  await postBookings(tx, instanceId, [booking('REVERSAL', cause, payment), ...refunds], context.clock)
}

async function reverseOnInvoice(
  context: Pick<Context, 'clock'>,
  tx: Transaction,
  taken: Taken & { readonly invoiceId: string },
): Promise<boolean> {
  const { instanceId, invoiceId, on } = taken
  const key = { instanceId, invoiceId }
  const invoice = await lockInvoiceRow(tx, instanceId, invoiceId)
  const { status } = invoice
  const back = await linesBack(tx, taken)
  if (!back) return false
  if (invoice.is_part_payment || status === 'PENDING_AUTHORIZATION' || status === 'ARCHIVED')
    throw new DecisionRefused('The invoice is in a plan, being paid or archived: this needs a person.')
  if (invoice.claim_id !== null) throw new DecisionRefused('The invoice has just joined a claim. Try again.')
  await postBack(context, tx, taken, { debt: { invoiceId }, ...back })
  await useCredits(context, tx, { invoice: await lockInvoiceRow(tx, instanceId, invoiceId) }, on)
  const { balance_minor: owed } = await lockInvoiceRow(tx, instanceId, invoiceId)
  const isOwedAgain = status === 'CLOSED' && owed > 0
  await moveInvoice(tx, invoice, { move: 'reverse', to: isOwedAgain ? 'ACTIVATED' : status } as const)
  if (isOwedAgain) {
    await setInterestDayRows(tx, { instanceId, day: on }, [invoiceId])
    await planAnew(context, tx, key, resumeAfterDispute(on))
  }
  await takeLateInterestBack(context, tx, { ...taken, debt: { invoiceId } })
  return true
}

async function reverseOnClaim(
  context: Pick<Context, 'clock'>,
  tx: Transaction,
  taken: Taken & { readonly claimId: string },
): Promise<boolean> {
  const { instanceId, claimId, on } = taken
  const key = { instanceId, claimId }
  const claim = await lockClaim(tx, key)
  const back = await linesBack(tx, taken)
  if (!back) return false
  if (claim.members.some(({ status }) => status === 'ARCHIVED'))
    throw new DecisionRefused('The claim has archived invoices: this needs a person.')
  const payment = back.payment.map((line) => onClaim(line, claimId))
  const refund = back.refund.map((line) => onClaim(line, claimId))
  await postBack(context, tx, taken, { debt: { claimId }, payment, refund })
  await useCredits(context, tx, { claim: await lockClaim(tx, key) }, on)
  const { balance_minor: owed } = await lockClaim(tx, key)
  if (claim.status === 'CLOSED' && owed > 0) {
    await moveClaim(tx, claim, { move: 'reverse', to: 'RESUME' })
    await setClaimDateRows(tx, instanceId, [{ id: claimId, expireDate: null, interestPostedTo: on }])
    await planClaimAnew(context, tx, key, resumeAfterDispute(on))
  }
  await takeLateInterestBack(context, tx, { ...taken, debt: { claimId } })
  return true
}

/** What was paid on an invoice before it joined its claim is owed on the claim now. */
function onClaim({ account, amount }: Line, claimId: string): Line {
  const isBucket = account.kind === 'principal' || account.kind === 'costs' || account.kind === 'interest'
  return { account: isBucket ? { kind: account.kind, claimId } : account, amount }
}
