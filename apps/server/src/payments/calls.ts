/** The calls of payments, of an invoice and of a claim, beside the use cases that answer them. */
import type { BodyOf } from '@kvitt/domain/contract.ts'
import * as claimPayment from '@kvitt/domain/payments/claim-payment.contract.ts'
import * as payment from '@kvitt/domain/payments/payment.contract.ts'
import type { Binding, Call } from '../platform/http/call.ts'
import { bind, bindFirstRead } from '../sign-in/bind.ts'
import type { Principal } from '../sign-in/principal.ts'
import { getPaymentAccount, listPaymentMethods, listPayments, refreshPayments } from './payments.ts'
import { portalOrigin } from './starts/redirect.ts'
import { startPayment, type PaymentRequest } from './starts/start-payment.ts'

type AnyCall = Pick<Call<Pick<Principal, 'instance'>, unknown, unknown>, 'context' | 'principal' | 'request'>

/** What is asked for, and by whom, as far as the request itself says. */
function paymentRequest(
  call: AnyCall & { readonly body: BodyOf<typeof payment.startPayment> },
): PaymentRequest {
  const { context, principal, request, body } = call
  const arrival = { protocol: request.protocol, host: request.headers.host ?? '' }
  return {
    // Null and an empty text say nothing.
    paymentDate: body.paymentDate || undefined,
    amount: body.amount,
    redirectUri: body.redirectUri,
    serviceProviderCode: body.serviceProviderCode || undefined,
    payerPhone: body.payerPhone ?? undefined,
    idempotencyKey: [request.headers['idempotency-key']].flat()[0],
    payerAddress: request.ip,
    origin: portalOrigin(arrival, { publicUrl: context.config.publicUrl, mode: principal.instance.mode }),
  }
}

export const PAYMENT_BINDINGS: readonly Binding[] = [
  bind(payment.listPaymentMethods, ({ context, principal, query }) =>
    listPaymentMethods(context, principal, { invoice: query.invoiceNumber }),
  ),
  bind(payment.getPaymentAccount, ({ context, principal, query }) =>
    getPaymentAccount(context, principal, { invoice: query.invoiceNumber }),
  ),
  bindFirstRead(payment.startPayment, (call) =>
    startPayment(call.context, call.principal, { invoice: call.query.invoiceNumber }, paymentRequest(call)),
  ),
  bind(payment.listPayments, ({ context, principal, query }) =>
    listPayments(context, principal, { invoice: query.invoiceNumber }),
  ),
  bind(payment.refreshPayments, ({ context, principal, query }) =>
    refreshPayments(context, principal, { invoice: query.invoiceNumber }),
  ),
  bind(payment.readPaymentStatus, ({ context, principal, query }) =>
    listPayments(context, principal, { invoice: query.invoiceNumber }),
  ),
  bind(claimPayment.listClaimPaymentMethods, ({ context, principal, query }) =>
    listPaymentMethods(context, principal, { claim: query.collectionBatchNumber }),
  ),
  bind(claimPayment.getClaimPaymentAccount, ({ context, principal, query }) =>
    getPaymentAccount(context, principal, { claim: query.collectionBatchNumber }),
  ),
  bind(claimPayment.startClaimPayment, (call) =>
    startPayment(
      call.context,
      call.principal,
      { claim: call.query.collectionBatchNumber },
      paymentRequest(call),
    ),
  ),
  bind(claimPayment.listClaimPayments, ({ context, principal, query }) =>
    listPayments(context, principal, { claim: query.collectionBatchNumber }),
  ),
  bind(claimPayment.refreshClaimPayments, ({ context, principal, query }) =>
    refreshPayments(context, principal, { claim: query.collectionBatchNumber }),
  ),
  bind(claimPayment.readClaimPaymentStatus, ({ context, principal, query }) =>
    listPayments(context, principal, { claim: query.collectionBatchNumber }),
  ),
]
