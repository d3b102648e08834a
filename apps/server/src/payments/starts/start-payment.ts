/** Starting a payment: the intent and its result on each side of the gateway, safe against twins and against dying in between. */
import type { Loosen } from '@kvitt/domain/contract.ts'
import { Refusal } from '@kvitt/domain/errors.ts'
import { isOpen } from '@kvitt/domain/invoices/invoice.ts'
import type { PaymentAnswer } from '@kvitt/domain/payments/payment.contract.ts'
import { isFinal, isOpenPayment } from '@kvitt/domain/payments/payment.ts'
import { aboutDebt } from '../../claims/claims.ts'
import type { Context } from '../../context.ts'
import { readGatewayPayee, readMethodsTaken } from '../../creditors/creditors.ts'
import { isUniqueViolation, type Transaction } from '../../platform/database/database.ts'
import { newId } from '../../platform/identity.ts'
import { Replayed } from '../../platform/http/replayed.ts'
import { notVisible, viewerOf, type FirstReader } from '../../sign-in/viewer.ts'
import { GatewayUnavailable } from '../gateways/gateway.ts'
import { findPayable, lockPayable, payableInvoice, type Payable, type DebtNumber } from '../payable.ts'
import { readJoinedPayments, readPayments } from '../listed-payments.queries.ts'
import { readPayment, type PaymentRow } from '../payments.queries.ts'
import {
  checkAmount,
  findGateway,
  newPayment,
  planOf,
  termsOf,
  type PaymentRequest,
  type Plan,
  type Terms,
} from './plan-payment.ts'
import { presentPayment } from '../present-payment.ts'
import { sendToGateway } from './send-payment.ts'
import { failPayment, isAbandoned, recordPaymentResult } from '../settle.ts'
import {
  insertFirstPaymentRow,
  insertPaymentRow,
  readInvoiceToPay,
  type InvoiceToPay,
} from './starting.queries.ts'
import { requireStart } from './starts.queries.ts'
import { insertUsedKey, readUsedKey } from './used-keys.queries.ts'

export type { PaymentRequest } from './plan-payment.ts'

/** Whoever knows an invoice could have phones ring for it: five times an hour is enough for a typing error. */
const MOST_PUSHES = 5
const PUSH_WINDOW_MS = 60 * 60_000

function isRecentPush(context: Context, payment: PaymentRow): boolean {
  return payment.is_pushed && context.clock.now() - Date.parse(payment.created_at) < PUSH_WINDOW_MS
}

/** What was found under the lock: the payment to answer with, one to send to its gateway, or one in the way. */
type Found =
  | { readonly kind: 'same'; readonly payment: PaymentRow; readonly isReplayed: boolean }
  | { readonly kind: 'new'; readonly payment: PaymentRow }
  | { readonly kind: 'other'; readonly payment: PaymentRow }

/** Replayed when the caller's key has had this payment as its answer before. */
type Started = Loosen<PaymentAnswer> | Replayed<Loosen<PaymentAnswer>>

/** Refuses a payment that has failed: there is nothing to hand out (D-23). */
function startedOf(payment: PaymentRow, isReplayed: boolean): Started {
  if (payment.status === 'FAILED') throw whyFailed(payment)
  return isReplayed ? new Replayed(presentPayment(payment)) : presentPayment(payment)
}

function whyFailed({ failure, arrived_on: arrivedOn, is_outcome_unknown: isUnknown }: PaymentRow): Refusal {
  if (arrivedOn !== null || failure === 'paid_otherwise') return new Refusal('nothing_to_pay')
  if (isUnknown) return new Refusal('payment_in_progress')
  // Whatever became of what took its place: this one was given up before anybody approved it.
  if (failure === 'replaced') return new Refusal('payment_replaced')
  return new Refusal('provider_unavailable')
}

/**
 * Starts a payment of the whole balance. The same key answers with the same payment; an open payment of the
 * same method, amount and day is handed out again; another open one is first cancelled at its gateway (D-23).
 * `amount` is what the payer saw: another sum than the balance is refused, and so is a call whose payment has failed.
 */
export async function startPayment(
  context: Context,
  reader: FirstReader,
  wanted: DebtNumber,
  request: PaymentRequest,
): Promise<Started> {
  const invoice = 'claim' in wanted ? undefined : await findInvoiceToPay(context, reader, wanted.invoice)
  const payable = invoice ? payableInvoice(invoice) : await findPayable(context, viewerOf(reader), wanted)
  const plan = planOf(context, reader, request)
  const send = async (payment: PaymentRow): Promise<Started> =>
    startedOf(await sendToGateway(context, payment, { gateway: plan.gateway, ...request }), false)
  const first = invoice?.is_first ? await insertFirst(context, invoice, plan) : undefined
  if (first) return send(first)
  for (let round = 0; round < 4; round++) {
    const found = await context.db
      .transaction((tx) => findOrInsert(context, tx, payable, plan))
      .catch((error: unknown) => {
        // A twin inserted between our read and our insert: look again.
        if (isUniqueViolation(error, 'payment_one_under_way')) return undefined
        throw error
      })
    if (found?.kind === 'new') return send(found.payment)
    if (found?.kind === 'same') {
      const payment = await awaitLink(context, found.payment)
      if (!isCutOff(payment)) return startedOf(payment, found.isReplayed)
    }
    if (found?.kind === 'other') await clearTheWay(context, found.payment)
  }
  throw new Refusal('provider_unavailable')
}

async function findInvoiceToPay(
  context: Context,
  reader: FirstReader,
  invoiceNumber: string | undefined,
): Promise<InvoiceToPay> {
  const invoice = await readInvoiceToPay(context.db, reader, invoiceNumber)
  if (!invoice) throw notVisible(viewerOf(reader))
  return invoice
}

/** Undefined when it cannot be paid, has changed since it was read, or somebody else was quicker: then look under the lock. */
function insertFirst(context: Context, invoice: InvoiceToPay, plan: Plan): Promise<PaymentRow | undefined> {
  const payable = payableInvoice(invoice)
  if (!payable.isPayable) return Promise.resolve(undefined)
  const terms = termsOf(payable, plan, invoice.methods)
  checkAmount(payable, plan)
  const receiver = invoice.payee ?? undefined
  return insertFirstPaymentRow(
    context.db,
    newPayment(context, payable, plan, { ...terms, receiver }),
    invoice.version,
  )
}

async function findOrInsert(context: Context, tx: Transaction, seen: Payable, plan: Plan): Promise<Found> {
  const payable = await lockPayable(tx, seen)
  const payments = await readPayments(tx, payable.instanceId, payable.debt)
  const sameKey = payments.find((p) => p.idempotency_key === plan.key)
  if (sameKey && !sameKey.request_hash.equals(plan.hash)) throw new Refusal('idempotency_key_reused')
  if (sameKey && !isCutOff(sameKey)) return { kind: 'same', payment: sameKey, isReplayed: true }
  const hasKey = Boolean(plan.request.idempotencyKey)
  const usedKey = hasKey && payments.length > 0 ? await readUsedKey(tx, payable, plan.key) : undefined
  if (usedKey && !usedKey.request_hash.equals(plan.hash)) throw new Refusal('idempotency_key_reused')
  const answered = payments.find((p) => p.id === usedKey?.payment_id)
  if (answered && !isCutOff(answered)) return { kind: 'same', payment: answered, isReplayed: true }
  const taken =
    'invoiceId' in payable.debt
      ? await readMethodsTaken(tx, { instanceId: payable.instanceId, invoiceId: payable.debt.invoiceId })
      : null
  if (!payable.isPayable) throw await nothingToPay(tx, payable)
  const terms = termsOf(payable, plan, taken)
  const joined = await readJoinedPayments(tx, payable.instanceId, payable.debt)
  if ([...payments, ...joined].some((p) => p.status === 'AUTHORIZED' || p.is_outcome_unknown))
    throw new Refusal('payment_in_progress')
  checkAmount(payable, plan)
  const open = payments.find((p) => isOpenPayment(p.status))
  if (open && !isCutOff(open) && isSame(open, { payable, plan, terms }) && !isAbandoned(context, open)) {
    if (hasKey) await insertUsedKey(tx, open, plan)
    return { kind: 'same', payment: open, isReplayed: false }
  }
  // Asked before anything is cancelled: a start that is refused changes nothing. What was cut off is no start of its own.
  if (!sameKey && !answered) await requireStart(tx, payable, context.config.limits.paymentStarts)
  if (plan.isPushed && payments.filter((p) => isRecentPush(context, p)).length >= MOST_PUSHES) {
    throw new Refusal('payer_phone_throttled')
  }
  // Somebody may be at the bank with an invoice of this claim: not both of them.
  const inTheWay = open ?? joined[0]
  if (inTheWay) return { kind: 'other', payment: inTheWay }
  const receiver = await readGatewayPayee(tx, payable.instanceId, payable)
  // The key stays with the payment that was cut off, and leads to the one that takes its place.
  const key = sameKey ? newId(context.clock.now()) : plan.key
  const payment = await insertPaymentRow(
    tx,
    newPayment(context, payable, { ...plan, key }, { ...terms, receiver }),
  )
  if (sameKey) await insertUsedKey(tx, payment, plan)
  return { kind: 'new', payment }
}

/**
 * Whoever made it was stopped before the caller heard of it: nobody has its link, nor ever will, and no phone
 * was asked.
 * What its caller wanted is still to be done.
 */
function isCutOff(payment: PaymentRow): boolean {
  const { status, failure, is_pushed: isPushed } = payment
  if (payment.external_link !== null || payment.arrived_on !== null || payment.is_outcome_unknown)
    return false
  if (status === 'FAILED') return failure === 'never_made' || (failure === 'abandoned' && !isPushed)
  return status === 'IN_PROGRESS' && !isPushed
}

/** An open payment that is what the caller asks for (D-23). */
function isSame(
  open: PaymentRow,
  { payable, plan, terms }: { readonly payable: Payable; readonly plan: Plan; readonly terms: Terms },
): boolean {
  return (
    open.gateway === plan.gateway.code &&
    open.amount_minor === payable.balanceMinor &&
    open.execution_date === terms.date &&
    open.is_pushed === plan.isPushed &&
    // Another number is another phone.
    (!plan.isPushed || open.request_hash.equals(plan.hash))
  )
}

/** What an open invoice in a claim owed is owed there: then the refusal names the claim to pay. */
async function nothingToPay(tx: Transaction, { planned }: Payable): Promise<Refusal> {
  const debt = planned.claim ?? planned.invoice
  const isNamed = 'claim_number' in debt || isOpen(debt.status)
  return new Refusal('nothing_to_pay', isNamed ? await aboutDebt(tx, debt) : {})
}

/**
 * A twin request is creating this payment right now: wait for its link. When the process that made it is gone,
 * nobody has a link and nobody will: the payment ends here, and the payer may try again at once.
 */
async function awaitLink(context: Context, payment: PaymentRow): Promise<PaymentRow> {
  let current = payment
  while (current.status === 'CREATED' && !isAbandoned(context, current)) {
    await new Promise((resolve) => setTimeout(resolve, 100))
    current = (await readPayment(context.db, payment.instance_id, payment.id)) ?? current
  }
  if (current.status === 'CREATED') {
    await abandon(context, current)
    current = (await readPayment(context.db, payment.instance_id, payment.id)) ?? current
  }
  if (current.status === 'CREATED') throw new Refusal('provider_unavailable')
  return current
}

/** Ends a payment whose process is gone. One that a phone may be asking about is first looked up. */
async function abandon(context: Context, payment: PaymentRow): Promise<void> {
  if (payment.is_pushed) await recordPaymentResult(context, payment, 'start')
  else await failPayment(context, payment, { failure: 'abandoned', door: 'start' })
}

/** Ends a payment that was opened and not signed. Refuses when it is signed, or when its gateway cannot be asked. */
export async function endOpenPayment(
  context: Context,
  { instanceId, paymentId }: { readonly instanceId: string; readonly paymentId: string },
): Promise<void> {
  const payment = await readPayment(context.db, instanceId, paymentId)
  if (payment && isOpenPayment(payment.status)) await clearTheWay(context, payment)
}

/** Ends an open payment that stands in the way of another one, at its gateway first (D-23). */
async function clearTheWay(context: Context, payment: PaymentRow): Promise<void> {
  if (payment.gateway_payment_id === null) {
    const current = isAbandoned(context, payment)
      ? payment
      : await awaitLink(context, payment).catch(() => payment)
    if (current.gateway_payment_id === null) {
      if (!isFinal(current.status)) await abandon(context, current)
      return
    }
    return clearTheWay(context, current)
  }
  const gateway = findGateway(context, payment.gateway)
  try {
    const outcome = await gateway.cancelPayment({
      instanceId: payment.instance_id,
      gatewayPaymentId: payment.gateway_payment_id,
      payeeAccount: payment.payee_account,
    })
    if (outcome === 'cancelled') {
      const failure = isCutOff(payment) ? 'abandoned' : 'replaced'
      await failPayment(context, payment, { failure, door: 'start' })
      return
    }
  } catch (error) {
    if (error instanceof GatewayUnavailable) throw new Refusal('provider_unavailable')
    throw error
  }
  // Too late to cancel: signed, or already over. The bank's word decides which.
  const result = await recordPaymentResult(context, payment, 'start')
  if (result !== 'FAILED')
    throw new Refusal(result === 'unknown' ? 'provider_unavailable' : 'payment_in_progress')
}
