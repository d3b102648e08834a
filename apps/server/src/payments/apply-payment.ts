/** What a payment's new status does to what it pays: the books, and the status of the invoice or claim. */
import type { CalendarDate } from '@kvitt/domain/calendar.ts'
import { isSmallRemainder } from '@kvitt/domain/invoices/small-remainder.ts'
import { allocateEarlier, bookPayment, bookOverpayment, type Line } from '@kvitt/domain/ledger/booking.ts'
import { bookWriteOff, lessParts } from '@kvitt/domain/ledger/correction.ts'
import { money, sum, zero } from '@kvitt/domain/money.ts'
import type { PaymentStatus } from '@kvitt/domain/payments/payment.ts'
import { shareCause, shareId } from '@kvitt/domain/payments/shares.ts'
import { moveClaim, type LockedClaim } from '../claims/claims.ts'
import type { Context } from '../context.ts'
import { endOpenDispute, moveInvoice, type InvoiceRow } from '../invoices/invoices.ts'
import { insertLateDays, lessenPlannedDays, postBookings } from '../ledger/ledger.ts'
import { completePlanOf, lockPlanOf } from '../part-payments/part-payments.ts'
import type { Transaction } from '../platform/database/database.ts'
import { newId } from '../platform/identity.ts'
import { restateBills, restateDebt, type RestatedDebt } from '../restatements/restatements.ts'
import { confirmByMail } from './confirm-payment.ts'
import {
  lockAgain,
  payableClaim,
  payableInvoice,
  type LockedDebt,
  type Payable,
  type Received,
} from './payable.ts'
import { readSignedMinor, type PaymentRow } from './payments.queries.ts'
import { bookOnce } from './told-by-bank/told-by-bank.ts'

type ApplyContext = Pick<Context, 'clock' | 'config'>

export type Applied = {
  readonly locked: LockedDebt
  readonly payment: PaymentRow
  readonly to: PaymentStatus
  readonly today: CalendarDate
  /** From when its money counts, as the gateway tells it. */
  readonly valueOn: CalendarDate
}

/** Under the locks of what is paid and of the payment. A claim has no state for money that is only signed. */
export async function applyToDebt(context: ApplyContext, tx: Transaction, applied: Applied): Promise<void> {
  const { locked, payment, to } = applied
  if (to === 'AUTHORIZED' && locked.invoice) await holdInvoice(tx, locked.invoice, payment)
  if (to === 'FAILED') await releaseDebt(tx, locked, payment)
  if (to !== 'COMPLETED') return
  const isBooked = await bookOnce(context, tx, applied, (valueOn) =>
    applyReceived(context, tx, { ...applied, valueOn }),
  )
  if (!isBooked) await releaseDebt(tx, locked, payment)
}

/** M-14: a signed pay-now payment of the whole balance. A disputed invoice stays disputed (D-26). */
async function holdInvoice(tx: Transaction, invoice: InvoiceRow, payment: PaymentRow): Promise<void> {
  const { status } = invoice
  if (invoice.id !== payment.invoice_id) return
  if (payment.option !== 'pay-now' || payment.amount_minor < invoice.balance_minor) return
  if (status !== 'ACTIVATED' && status !== 'PAUSED') return
  await moveInvoice(tx, invoice, { move: 'authorize', to: 'PENDING_AUTHORIZATION', before: status })
}

/**
 * M-16: an invoice goes back to where it was before the payment was signed. One that took over what the payment was for has
 * never been held by it.
 */
export async function releaseDebt(
  tx: Transaction,
  { invoice }: LockedDebt,
  payment: Pick<PaymentRow, 'invoice_id'>,
): Promise<void> {
  if (invoice?.id !== payment.invoice_id) return
  if (invoice?.status !== 'PENDING_AUTHORIZATION' || !invoice.status_before_authorization) return
  await moveInvoice(tx, invoice, { move: 'releaseAuthorization', to: invoice.status_before_authorization })
}

type Paid = {
  readonly payment: Received
  /** The day on which it is booked. */
  readonly today: CalendarDate
  /** The day from which it counts, `today` at the latest. */
  readonly valueOn: CalendarDate
}

/** Money for a debt that has been put as it would be, had the money been booked on its day. */
export type ReadyToPay = Paid & { readonly locked: LockedDebt; readonly restated: Moved | undefined }
type Moved = RestatedDebt | undefined

/** Takes back what of the debt's charges loses its ground by the money, and reads the debt anew. Under its locks. */
export async function readyToPay(
  context: ApplyContext,
  tx: Transaction,
  { locked, ...paid }: Paid & { readonly locked: LockedDebt },
): Promise<ReadyToPay> {
  const { payment, today, valueOn } = paid
  const restated = await restateDebt(context, tx, {
    locked,
    shareId: shareId(payment.id, payment.share ?? 1),
    amountMinor: payment.amount_minor,
    valueOn,
    on: today,
    order: (locked.claim ? payableClaim(locked.claim) : payableInvoice(locked.invoice)).order,
  })
  return { ...paid, locked: restated ? await lockAgain(tx, locked) : locked, restated }
}

/** Books money on what it pays, whose locks are held. */
export async function applyReceived(
  context: ApplyContext,
  tx: Transaction,
  paid: Paid & { readonly locked: LockedDebt },
): Promise<void> {
  await payReady(context, tx, await readyToPay(context, tx, paid))
}

export async function payReady(
  context: ApplyContext,
  tx: Transaction,
  { locked, ...paid }: ReadyToPay,
): Promise<void> {
  if (locked.claim) await payClaim(context, tx, { ...paid, claim: locked.claim })
  else await payInvoice(context, tx, { ...paid, invoice: locked.invoice })
  if (!paid.restated) return
  const share = shareId(paid.payment.id, paid.payment.share ?? 1)
  const { billIds, wasMinor, isMinor, member } = paid.restated
  const { instance_id: instanceId, id, is_part_payment: isPlanned } = locked.claim ?? locked.invoice
  if (isPlanned) {
    const debt = locked.claim ? { claimId: id } : { invoiceId: id }
    const money = { principalMinor: wasMinor - isMinor, valueOn: paid.valueOn }
    await lessenPlannedDays(tx, { instanceId, debt }, money)
  }
  if (member) {
    const moved = { wasMinor, isMinor, to: paid.valueOn }
    insertLateDays(tx, { instanceId, debt: member, shareId: share, ...moved })
  }
  await restateBills(context, tx, { locked, shareId: share, on: paid.today, billIds })
}

/** What the money leaves of a debt, in minor units where a name says so. A rest too small to ask for is written off. */
function leftOf(payable: Payable, payment: Received, restated: Moved) {
  const amount = money(payment.amount_minor, payment.currency)
  const leftOpen = restated && {
    costs: money(restated.openCostsMinor, payment.currency),
    interest: money(restated.openInterestMinor, payment.currency),
  }
  const { parts, surplus } = allocateEarlier(amount, payable.owed, leftOpen, payable.order)
  const rest = lessParts(payable.owed, parts)
  const isLittle = isSmallRemainder(sum([rest.principal, rest.costs, rest.interest], payment.currency))
  const isPaid = isLittle || payment.amount_minor >= payable.balanceMinor
  return {
    amount,
    leftOpen,
    rest,
    surplus,
    isLittle,
    isPaid,
    restMinor: isPaid ? 0 : payable.balanceMinor - payment.amount_minor,
  }
}

type MoneyToBook = Paid & {
  readonly left: ReturnType<typeof leftOf>
  readonly restated?: Moved
}

/**
 * Books the money: costs, interest, principal, and what is too much is owed back (M-19). The last thing that a
 * transaction does: many payments move the accounts of one gateway and one creditor, and wait for each other there.
 */
async function bookMoney(
  context: ApplyContext,
  tx: Transaction,
  payable: Payable,
  { payment, today, valueOn, left, restated }: MoneyToBook,
): Promise<void> {
  const { debt, creditorId, debtorId, owed, order, instanceId } = payable
  const { amount, leftOpen, rest, surplus, isLittle, isPaid, restMinor } = left
  await confirmByMail(context, tx, { payment, debt, restMinor, surplusMinor: surplus.minor })
  // What is paid is no longer disputed.
  if (isPaid) {
    await endOpenDispute(tx, { instanceId, ...debt }, { status: 'PAID', on: today, decision: null })
  }
  if ('claimId' in debt || payable.dueDate < valueOn) {
    // What is written off was owed until that day as well.
    const isMinor = isLittle ? 0 : rest.principal.minor
    const share = shareId(payment.id, payment.share ?? 1)
    const moved = restated ?? { wasMinor: owed.principal.minor, isMinor }
    insertLateDays(tx, {
      instanceId,
      debt,
      shareId: share,
      wasMinor: moved.wasMinor,
      isMinor: moved.isMinor,
      to: valueOn,
    })
  }
  const parties = { ...debt, creditorId, debtorId }
  const entry = (kind: 'PAYMENT' | 'REFUND' | 'WRITE_OFF', cause: string, lines: Line[]) => ({
    id: newId(context.clock.now()),
    kind,
    bookedOn: today,
    cause,
    invoiceId: 'invoiceId' in debt ? debt.invoiceId : null,
    claimId: 'claimId' in debt ? debt.claimId : null,
    paymentId: payment.isFromFile ? null : payment.id,
    ...(kind === 'PAYMENT' ? { valueOn } : {}),
    lines,
  })
  const cause = shareCause(payment.id, payment.share ?? 1)
  // Not told yet: as money of the instance, until it is (tell-holder.ts).
  const holder = payment.holder ?? 'INSTANCE'
  await postBookings(
    tx,
    instanceId,
    [
      entry(
        'PAYMENT',
        cause,
        bookPayment(parties, { gateway: payment.gateway, amount, owed, order, holder, leftOpen }),
      ),
      ...(surplus.minor > 0
        ? [entry('REFUND', `refund:${cause}`, bookOverpayment(parties, surplus, holder))]
        : []),
      ...(isLittle ? [entry('WRITE_OFF', `write-off:${cause}`, bookWriteOff(parties, rest))] : []),
    ],
    context.clock,
  )
}

/** M-19: the money is booked, and all of it is owed back; what it was for stays as it is. */
export async function bookAsOverpayment(
  context: ApplyContext,
  tx: Transaction,
  { locked, payment, today, valueOn }: Paid & { readonly locked: LockedDebt },
): Promise<void> {
  const payable = locked.claim ? payableClaim(locked.claim) : payableInvoice(locked.invoice)
  const amount = money(payment.amount_minor, payment.currency)
  const none = zero(payment.currency)
  const owed = { principal: none, costs: none, interest: none }
  const left = {
    amount,
    leftOpen: undefined,
    rest: owed,
    surplus: amount,
    isLittle: false,
    isPaid: false,
    restMinor: payable.balanceMinor,
  }
  await bookMoney(context, tx, { ...payable, owed }, { payment, today, valueOn, left })
}

/** M-15, M-17, M-18: the invoice is closed when nothing is left, else it is what it was. */
async function payInvoice(
  context: ApplyContext,
  tx: Transaction,
  { invoice, ...paid }: Omit<ReadyToPay, 'locked'> & { readonly invoice: InvoiceRow },
): Promise<void> {
  const payable = payableInvoice(invoice)
  const left = leftOf(payable, paid.payment, paid.restated)
  // One that was archived or written off stays where it is: it owes nothing, and the money is owed back.
  const { status, balance_minor: balanceMinor } = invoice
  const isOver = status === 'ARCHIVED' || status === 'STOPPED'
  const isOpen = status !== 'CLOSED' && (!isOver || balanceMinor > 0)
  if (isOpen) {
    if (left.isPaid) await moveInvoice(tx, invoice, { move: 'paidInFull', to: 'CLOSED' })
    else await payInPart(tx, invoice, left.restMinor)
  }
  if (isOpen && left.isPaid) await lockPlanOf(tx, invoice)
  await bookMoney(context, tx, payable, { ...paid, left })
  if (isOpen && left.isPaid) await completePlanOf(tx, invoice, paid.today)
}

/** M-17. While what is signed covers the rest, the invoice waits for that (M-14); else it is what it was before. */
async function payInPart(tx: Transaction, invoice: InvoiceRow, restMinor: number): Promise<void> {
  const { status, status_before_authorization: before } = invoice
  const isWaiting = before !== null && (await readSignedMinor(tx, invoice)) >= restMinor
  if (isWaiting) await moveInvoice(tx, invoice, { move: 'paidInPart', to: status, before })
  else await moveInvoice(tx, invoice, { move: 'paidInPart', to: before ?? status })
}

/** The same for a claim: with it, its invoices are paid. */
async function payClaim(
  context: ApplyContext,
  tx: Transaction,
  { claim, ...paid }: Omit<ReadyToPay, 'locked'> & { readonly claim: LockedClaim },
): Promise<void> {
  const payable = payableClaim(claim)
  const left = leftOf(payable, paid.payment, paid.restated)
  if (claim.status !== 'CLOSED' && (claim.status !== 'STOPPED' || claim.balance_minor > 0)) {
    await moveClaim(tx, claim, {
      move: left.isPaid ? 'paidInFull' : 'paidInPart',
      to: left.isPaid ? 'CLOSED' : claim.status,
    })
  }
  await bookMoney(context, tx, payable, { ...paid, left })
}
