/** The calls that pay an invoice. */
import { z } from 'zod'
import { amount, amountIn, day, instant, invoiceCall, type AnswerOf } from '../contract.ts'
import { accountAnswer } from '../invoices/invoice.contract.ts'
import { PAYMENT_METHODS, PAYMENT_OPTIONS, PAYMENT_STATUSES, PROMOTIONS } from './payment.ts'

/** `enabled: false` is shown with its reason, not clickable. */
export const paymentMethodAnswer = z.strictObject({
  code: z.enum(PAYMENT_METHODS),
  enabled: z.boolean(),
  reasonCode: z.string().nullable(),
  promotion: z.enum(PROMOTIONS).nullable(),
})
/** In the order of the screen. */
export const listPaymentMethods = invoiceCall({
  name: 'paymentMethods',
  path: '/payment-methods',
  response: z.array(paymentMethodAnswer),
})

export const getPaymentAccount = invoiceCall({
  name: 'paymentAccount',
  path: '/payment-account',
  byId: true,
  response: accountAnswer,
})

export const paymentRequestAnswer = z.strictObject({
  id: z.uuid(),
  status: z.enum(PAYMENT_STATUSES),
  amount,
  /** What of it is in the books now: 0 until it has come, and again when it has gone back. */
  receivedAmount: amount,
  /** Its money belonged to another debt, and was moved there. */
  moved: z.boolean(),
  currency: z.string(),
  paymentDate: day,
  paymentOption: z.enum(PAYMENT_OPTIONS),
  externalLink: z.string().nullable(),
  /** What a QR of this payment says, for the payer's app to scan; null where there is nothing to scan. */
  qrCode: z.string().nullable(),
  serviceProviderCode: z.string(),
  createdAt: instant,
  /** True when the provider could not be asked just now and this is the last known state. */
  stale: z.boolean(),
  /** True when the provider itself does not know whether money moved: nothing else may be started meanwhile. */
  outcomeUnknown: z.boolean(),
})

export const paymentRequestBody = z.object({
  /** Needed where the payer chooses between today and the due date. */
  paymentDate: z.string().max(40).nullish(),
  amount: amountIn,
  redirectUri: z.string().max(2000),
  test: z.boolean().nullish(),
  iframe: z.boolean().nullish(),
  serviceProviderCode: z.string().max(60).nullish(),
  /** A phone that the provider is to ask by itself; there is no link then. */
  payerPhone: z.string().max(30).nullish(),
})

export const PAYMENT_REFUSALS = [
  'invalid_request',
  'amount_changed',
  'nothing_to_pay',
  'payment_in_progress',
  'payment_replaced',
  'payment_date_invalid',
  'redirect_uri_not_allowed',
  'idempotency_key_reused',
  'service_provider_unavailable',
  'provider_unavailable',
  'payment_starts_throttled',
  'payer_phone_invalid',
  'payer_not_enrolled',
  'payer_has_open_request',
  'payer_phone_throttled',
  'payer_phone_in_doubt',
] as const

export const startPayment = invoiceCall({
  name: 'startPayment',
  pairProof: 'first_read',
  takesKey: true,
  method: 'POST',
  path: '/payment-requests',
  status: 201,
  body: paymentRequestBody,
  response: paymentRequestAnswer,
  refusals: PAYMENT_REFUSALS,
})

export const listPayments = invoiceCall({
  name: 'listPayments',
  path: '/payment-requests',
  response: z.array(paymentRequestAnswer),
})

/** Asks the provider about everything that is not final, then lists. */
export const refreshPayments = invoiceCall({
  name: 'refreshPayments',
  method: 'PUT',
  path: '/payment-requests/status',
  response: z.array(paymentRequestAnswer),
})

/** The same list without waiting for anyone. */
export const readPaymentStatus = invoiceCall({
  name: 'readPaymentStatus',
  path: '/payment-requests/status',
  response: z.array(paymentRequestAnswer),
})

export const getReceipt = invoiceCall({
  name: 'paymentReceipt',
  power: 'documents',
  method: 'PUT',
  reads: true,
  path: '/payment-receipt',
  answers: 'file',
  response: z.any(),
  refusals: ['receipt_not_available'],
})

export type PaymentAnswer = z.output<typeof paymentRequestAnswer>
export type PaymentMethodAnswer = AnswerOf<typeof listPaymentMethods>[number]
export type StartPaymentBody = z.input<(typeof startPayment)['body']>
