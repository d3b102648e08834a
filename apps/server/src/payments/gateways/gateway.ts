/** What the product asks of whoever moves money. Every gateway speaks its own protocol behind this. */
import type { CalendarDate } from '@kvitt/domain/calendar.ts'
import type { PaymentMethod, PaymentStatus } from '@kvitt/domain/payments/payment.ts'

/** What is to be paid, frozen before the gateway is asked. */
export type PaymentOrder = {
  /** Our payment id; travels as the end-to-end identification. */
  readonly paymentId: string
  readonly amountMinor: number
  readonly currency: string
  readonly executionDate: CalendarDate
  /** False when the money should move at once. */
  readonly isFutureDated: boolean
  readonly payee: Payee
  readonly paymentReference: string
  readonly redirectUri: string
  readonly callbackUrl: string
  readonly payerAddress: string
}

export type Payee = {
  readonly name: string
  readonly scheme: 'BANKGIRO' | 'PLUSGIRO' | 'IBAN' | 'LOCAL'
  readonly account: string
}

/** A payment as the gateway has it, read from the gateway itself. */
export type GatewayPayment = {
  readonly status: PaymentStatus
  readonly amountMinor: number | undefined
  readonly currency: string | undefined
  readonly payeeAccount: string | undefined
  /** Our payment id as the gateway kept it; undefined when it does not say. */
  readonly paymentId: string | undefined
  /** The gateway's own word for the state, for the log and for people. */
  readonly reported: string
}

export type GatewayReference = { readonly gatewayPaymentId: string }

export type Gateway = {
  /** The specification's serviceProviderCode. */
  readonly code: string
  readonly method: PaymentMethod
  /**
   * Creates the payment at the gateway. Never repeated by itself: a lost answer leaves an order that nobody
   * holds a link to, so nobody can sign it. Throws GatewayUnavailable or GatewayRefused.
   */
  createPayment(order: PaymentOrder): Promise<{ gatewayPaymentId: string; externalLink: string }>
  /** The present state. Changes nothing. Throws GatewayUnavailable. */
  readPayment(reference: GatewayReference): Promise<GatewayPayment>
  /** Cancels what is not signed. `too-late` when the payer has signed. Throws GatewayUnavailable. */
  cancelPayment(reference: GatewayReference): Promise<'cancelled' | 'too-late'>
}

/** No usable answer: refused connection, time-out, 5xx, nonsense. What happened there is unknown. */
export class GatewayUnavailable extends Error {
  override name = 'GatewayUnavailable'
}

/** The gateway said no, and so created nothing. */
export class GatewayRefused extends Error {
  override name = 'GatewayRefused'
}
