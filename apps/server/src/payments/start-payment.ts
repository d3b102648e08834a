/** Starting a payment: two transactions around the gateway, safe against twins and against dying in between. */
import { createHash } from 'node:crypto'
import { parseAnyDate, type CalendarDate } from '@kvitt/domain/calendar.ts'
import type { Loosen } from '@kvitt/domain/contract.ts'
import { Refusal } from '@kvitt/domain/errors.ts'
import { canPayOnDueDate } from '@kvitt/domain/invoices/invoice.ts'
import { amountText, parseAmount } from '@kvitt/domain/money.ts'
import type { PaymentAnswer } from '@kvitt/domain/payments/payment.contract.ts'
import { isFinal, isOpenPayment, type PaymentOption } from '@kvitt/domain/payments/payment.ts'
import type { Context } from '../context.ts'
import { payeeOf, readMethodsTaken, readPayee } from '../creditors/creditors.ts'
import { isUniqueViolation, type Transaction } from '../platform/database.ts'
import { newEcho, newId, newSecret } from '../platform/identity.ts'
import type { Viewer } from '../sign-in/viewer.ts'
import { GatewayUnavailable, type Gateway } from './gateways/gateway.ts'
import { findPayable, lockPayable, type Payable, type Wanted } from './payable.ts'
import {
  insertPaymentRow,
  readJoinedPayments,
  readPayment,
  readPayments,
  type PaymentRow,
} from './payments.queries.ts'
import { presentPayment } from './present-payment.ts'
import { checkRedirect } from './redirect.ts'
import { sendToGateway } from './send-payment.ts'
import { failPayment, isAbandoned, recordPaymentResult } from './settle.ts'
import { insertUsedKey, readUsedKey } from './used-keys.queries.ts'

export type PaymentRequest = {
  /** Left out, it is today, where the gateway knows no other day. */
  readonly paymentDate: string | undefined
  readonly amount: number | string
  readonly redirectUri: string
  readonly serviceProviderCode?: string | undefined
  /** The payer's phone, when it is to be asked by its number instead of through a link. */
  readonly payerPhone?: string | undefined
  readonly idempotencyKey: string | undefined
  /** The payer's address, for the bank. */
  readonly payerAddress: string
  /** Of the portal that the request came from (redirect.ts). */
  readonly origin: string | undefined
}

function findGateway(context: Context, code: string | undefined): Gateway {
  const gateway = context.gateways.find((g) => g.code === (code ?? 'DIRECT_BANK'))
  if (!gateway) throw new Refusal('service_provider_unavailable', {}, ['serviceProviderCode'])
  return gateway
}

/** Today is "pay now"; the due date, while it lies ahead, is "pay on the due date". Nothing else. */
function optionFor(
  payable: Payable,
  { gateway, request, today }: Plan,
): { option: PaymentOption; date: CalendarDate } {
  if (request.paymentDate === undefined) {
    if (!gateway.isInstant) throw new Refusal('invalid_request', {}, ['paymentDate'])
    return { option: 'pay-now', date: today }
  }
  const date = parseAnyDate(request.paymentDate)
  if (date === today) return { option: 'pay-now', date }
  if (date && date === payable.expireDate && canPayOnDueDate(date, today) && !gateway.isInstant)
    return { option: 'due-date', date }
  throw new Refusal('payment_date_invalid', {}, ['paymentDate'])
}

type Plan = {
  readonly gateway: Gateway
  readonly request: PaymentRequest
  readonly hash: Buffer
  readonly key: string
  readonly today: CalendarDate
}

/** Whoever knows an invoice could have phones ring for it: five times an hour is enough for a typing error. */
const MOST_PUSHES = 5
const PUSH_WINDOW_MS = 60 * 60_000

function isRecentPush(context: Context, payment: PaymentRow): boolean {
  return payment.is_pushed && context.clock.now() - Date.parse(payment.created_at) < PUSH_WINDOW_MS
}

/** What transaction 1 found: the payment to answer with, one to send to its gateway, or one in the way. */
type Found =
  | { readonly kind: 'same'; readonly payment: PaymentRow }
  | { readonly kind: 'new'; readonly payment: PaymentRow }
  | { readonly kind: 'other'; readonly payment: PaymentRow }

/**
 * Starts a payment of the whole balance. The same key answers with the same payment; an open payment of the
 * same method, amount and day is handed out again; another open one is first cancelled at its gateway (D-23).
 * `amount` is what the payer saw: another sum than the balance is refused.
 */
export async function startPayment(
  context: Context,
  viewer: Viewer,
  wanted: Wanted,
  request: PaymentRequest,
): Promise<Loosen<PaymentAnswer>> {
  const gateway = findGateway(context, request.serviceProviderCode)
  if (request.payerPhone !== undefined && !gateway.asksPhones) {
    throw new Refusal('invalid_request', {}, ['payerPhone'])
  }
  checkRedirect(request.redirectUri, request.origin)
  const payable = await findPayable(context, viewer, wanted)
  const plan: Plan = {
    gateway,
    request,
    key: readKey(request.idempotencyKey) ?? newId(context.clock.now()),
    hash: hashOf(request, gateway),
    today: context.clock.today(viewer.instance.timeZone),
  }
  for (let round = 0; round < 4; round++) {
    const found = await context.db
      .transaction((tx) => findOrInsert(context, tx, payable, plan))
      .catch((error: unknown) => {
        // A twin inserted between our read and our insert: look again.
        if (isUniqueViolation(error, 'payment_one_under_way')) return undefined
        throw error
      })
    if (found?.kind === 'new')
      return presentPayment(await sendToGateway(context, found.payment, { gateway, ...request }))
    if (found?.kind === 'same') return presentPayment(await awaitLink(context, found.payment))
    if (found?.kind === 'other') await clearTheWay(context, found.payment)
  }
  throw new Refusal('provider_unavailable')
}

function readKey(key: string | undefined): string | undefined {
  if (key === undefined || key === '') return undefined
  if (!/^[\x21-\x7e]{1,255}$/.test(key)) throw new Refusal('invalid_request', {}, ['Idempotency-Key'])
  return key
}

function hashOf(request: PaymentRequest, gateway: Gateway): Buffer {
  const asserted = [
    request.paymentDate,
    String(request.amount),
    request.redirectUri,
    gateway.code,
    ...(request.payerPhone === undefined ? [] : [request.payerPhone]),
  ]
  return createHash('sha256').update(JSON.stringify(asserted)).digest()
}

async function findOrInsert(context: Context, tx: Transaction, seen: Payable, plan: Plan): Promise<Found> {
  const payable = await lockPayable(tx, seen)
  const payments = await readPayments(tx, payable.instanceId, payable.debt)
  const sameKey = payments.find((p) => p.idempotency_key === plan.key)
  if (sameKey) {
    if (!sameKey.request_hash.equals(plan.hash)) throw new Refusal('idempotency_key_reused')
    return { kind: 'same', payment: sameKey }
  }
  const hasKey = Boolean(plan.request.idempotencyKey)
  const usedKey = hasKey && payments.length > 0 ? await readUsedKey(tx, payable, plan.key) : undefined
  if (usedKey && !usedKey.request_hash.equals(plan.hash)) throw new Refusal('idempotency_key_reused')
  const answered = payments.find((p) => p.id === usedKey?.payment_id)
  if (answered) return { kind: 'same', payment: answered }
  const { option, date } = optionFor(payable, plan)
  if (!payable.isPayable)
    throw new Refusal('nothing_to_pay', 'claimId' in payable.debt ? { about: 'claim' } : {})
  const taken =
    'invoiceId' in payable.debt
      ? await readMethodsTaken(tx, { instanceId: payable.instanceId, invoiceId: payable.debt.invoiceId })
      : null
  if (!plan.gateway.takes(payable.currency) || !(taken?.includes(plan.gateway.method) ?? true)) {
    throw new Refusal('service_provider_unavailable', {}, ['serviceProviderCode'])
  }
  const joined = await readJoinedPayments(tx, payable.instanceId, payable.debt)
  if ([...payments, ...joined].some((p) => p.status === 'AUTHORIZED' || p.is_outcome_unknown))
    throw new Refusal('payment_in_progress')
  const asserted = parseAmount(String(plan.request.amount), payable.currency)
  if (asserted?.minor !== payable.balanceMinor) {
    throw new Refusal(
      'amount_changed',
      { amount: amountText(payable.balanceMinor), currency: payable.currency },
      ['amount'],
    )
  }
  const isPushed = plan.request.payerPhone !== undefined
  const open = payments.find((p) => isOpenPayment(p.status))
  if (open) {
    const isSame =
      open.gateway === plan.gateway.code &&
      open.amount_minor === asserted.minor &&
      open.execution_date === date &&
      open.is_pushed === isPushed &&
      // Another number is another phone.
      (!isPushed || open.request_hash.equals(plan.hash))
    if (!isSame || isAbandoned(context, open)) return { kind: 'other', payment: open }
    if (hasKey) await insertUsedKey(tx, open, plan)
    return { kind: 'same', payment: open }
  }
  // Somebody may be at the bank with an invoice of this claim: not both of them.
  const [before] = joined
  if (before) return { kind: 'other', payment: before }
  if (isPushed && payments.filter((p) => isRecentPush(context, p)).length >= MOST_PUSHES) {
    throw new Refusal('payer_phone_throttled')
  }
  const receiver = payeeOf(await readPayee(tx, payable.instanceId, payable))
  const payee = { ...receiver, ...plan.gateway.payee }
  const payment = await insertPaymentRow(tx, {
    instance_id: payable.instanceId,
    id: newId(context.clock.now()),
    invoice_id: 'invoiceId' in payable.debt ? payable.debt.invoiceId : null,
    claim_id: 'claimId' in payable.debt ? payable.debt.claimId : null,
    gateway: plan.gateway.code,
    option,
    amount_minor: asserted.minor,
    currency: payable.currency,
    execution_date: date,
    payee_name: payee.name,
    payee_account: payee.account,
    payee_scheme: payee.scheme,
    payment_reference: payable.paymentReference,
    redirect_uri: plan.request.redirectUri,
    callback_secret: newSecret(),
    callback_identifier: newEcho(),
    is_pushed: isPushed,
    idempotency_key: plan.key,
    request_hash: plan.hash,
  })
  return { kind: 'new', payment }
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
  const neverReached =
    current.status === 'FAILED' && NEVER_REACHED.some((failure) => failure === current.failure)
  if (current.status === 'CREATED' || neverReached) throw new Refusal('provider_unavailable')
  return current
}

const NEVER_REACHED = ['no_answer', 'refused', 'abandoned', 'never_made']

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
    const outcome = await gateway.cancelPayment({ gatewayPaymentId: payment.gateway_payment_id })
    if (outcome === 'cancelled') {
      await failPayment(context, payment, { failure: 'replaced', door: 'start' })
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
