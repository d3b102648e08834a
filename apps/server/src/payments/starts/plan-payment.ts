/** What somebody asks of a payment, and the rules that it keeps before it is written down. */
import { createHash } from 'node:crypto'
import { parseAnyDate, type CalendarDate } from '@kvitt/domain/calendar.ts'
import { Refusal } from '@kvitt/domain/errors.ts'
import { canPayOnDueDate } from '@kvitt/domain/invoices/invoice.ts'
import { amountText, parseAmount } from '@kvitt/domain/money.ts'
import type { PaymentOption } from '@kvitt/domain/payments/payment.ts'
import type { Context } from '../../context.ts'
import { payeeOf, type PayeeRow } from '../../creditors/creditors.ts'
import type { Instance } from '../../instances/instances.ts'
import { newEcho, newId, newSecret } from '../../platform/identity.ts'
import type { Viewer } from '../../sign-in/viewer.ts'
import type { Gateway } from '../gateways/gateway.ts'
import type { Payable } from '../payable.ts'
import { checkRedirect } from './redirect.ts'
import type { NewPayment } from './starting.queries.ts'

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

export type Plan = {
  readonly gateway: Gateway
  /** Who is paid. */
  readonly provider: Instance
  readonly request: PaymentRequest
  readonly hash: Buffer
  readonly key: string
  readonly today: CalendarDate
  readonly isPushed: boolean
}

export function findGateway(context: Context, code: string | undefined): Gateway {
  const gateway = context.gateways.find((g) => g.code === (code ?? 'DIRECT_BANK'))
  if (!gateway) throw new Refusal('service_provider_unavailable', {}, ['serviceProviderCode'])
  return gateway
}

/** A request that may be tried, whatever it is to pay. */
export function planOf(
  context: Context,
  { instance }: Pick<Viewer, 'instance'>,
  request: PaymentRequest,
): Plan {
  const gateway = findGateway(context, request.serviceProviderCode)
  // Another's account would get the money.
  if (gateway.payeeOf(instance) === undefined)
    throw new Refusal('service_provider_unavailable', {}, ['serviceProviderCode'])
  const { payerPhone } = request
  const isPushed = payerPhone !== undefined
  if (isPushed && !gateway.takesPhone) throw new Refusal('invalid_request', {}, ['payerPhone'])
  if (isPushed && !gateway.takesPhone?.(payerPhone))
    throw new Refusal('payer_phone_invalid', {}, ['payerPhone'])
  checkRedirect(request.redirectUri, request.origin)
  return {
    gateway,
    provider: instance,
    request,
    key: readKey(request.idempotencyKey) ?? newId(context.clock.now()),
    hash: hashOf(request, gateway),
    today: context.clock.today(instance.timeZone),
    isPushed,
  }
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

export type Terms = { readonly option: PaymentOption; readonly date: CalendarDate }

/**
 * When the payment of what can be paid is made. Refuses another day, and a method that `taken` does not have (null: all
 * are taken).
 */
export function termsOf(payable: Payable, plan: Plan, taken: readonly string[] | null): Terms {
  const terms = optionFor(payable, plan)
  if (!plan.gateway.takes(payable.currency) || !(taken?.includes(plan.gateway.method) ?? true)) {
    throw new Refusal('service_provider_unavailable', {}, ['serviceProviderCode'])
  }
  return terms
}

/** Today is "pay now"; the due date, while it lies ahead, is "pay on the due date". Nothing else (threat pay.date). */
function optionFor(payable: Payable, { gateway, request, today }: Plan): Terms {
  if (request.paymentDate === undefined) {
    if (!gateway.isInstant) throw new Refusal('invalid_request', {}, ['paymentDate'])
    return { option: 'pay-now', date: today }
  }
  const date = parseAnyDate(request.paymentDate)
  if (date === today) return { option: 'pay-now', date }
  if (date && date === payable.dueDate && canPayOnDueDate(date, today) && !gateway.isInstant)
    return { option: 'due-date', date }
  throw new Refusal('payment_date_invalid', {}, ['paymentDate'])
}

/** Refuses unless the payer saw the whole balance. */
export function checkAmount({ balanceMinor, currency }: Payable, { request }: Plan): void {
  if (parseAmount(String(request.amount), currency)?.minor === balanceMinor) return
  throw new Refusal('amount_changed', { amount: amountText(balanceMinor), currency }, ['amount'])
}

/** The payment of the whole balance, to be written down. Refuses when nobody can be paid. */
export function newPayment(
  context: Context,
  payable: Payable,
  plan: Plan,
  { option, date, receiver }: Terms & { readonly receiver: PayeeRow | undefined },
): NewPayment {
  const own = plan.gateway.payeeOf(plan.provider)
  if (own === undefined) throw new Refusal('service_provider_unavailable', {}, ['serviceProviderCode'])
  const payee =
    own === 'theirs' ? payeeOf(receiver) : { name: receiver?.receiver_name ?? plan.provider.row.name, ...own }
  return {
    instance_id: payable.instanceId,
    id: newId(context.clock.now()),
    invoice_id: 'invoiceId' in payable.debt ? payable.debt.invoiceId : null,
    claim_id: 'claimId' in payable.debt ? payable.debt.claimId : null,
    gateway: plan.gateway.code,
    option,
    amount_minor: payable.balanceMinor,
    currency: payable.currency,
    execution_date: date,
    payee_name: payee.name,
    payee_account: payee.account,
    payee_scheme: payee.scheme,
    payment_reference: payable.paymentReference,
    redirect_uri: plan.request.redirectUri,
    callback_secret: newSecret(),
    callback_identifier: newEcho(),
    is_pushed: plan.isPushed,
    idempotency_key: plan.key,
    request_hash: plan.hash,
  }
}
