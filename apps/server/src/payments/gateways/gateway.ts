/** What the product asks of whoever moves money. Every gateway speaks its own protocol behind this. */
import type { CalendarDate } from '@kvitt/domain/calendar.ts'
import type { ErrorCode } from '@kvitt/domain/errors.ts'
import type { Tried } from '@kvitt/domain/instances/credential.ts'
import type { Currency } from '@kvitt/domain/money.ts'
import type { PaymentMethod, PaymentStatus, RefundProgress } from '@kvitt/domain/payments/payment.ts'
import type { Seen } from '../../platform/counterparties/circuit-breaker.ts'

/** What is to be paid, frozen before the gateway is asked. */
export type PaymentOrder = {
  /** Whose payment it is: a gateway may know a provider by what that one shows it. */
  readonly instanceId: string
  /** Our payment id; travels as the end-to-end identification. */
  readonly paymentId: string
  readonly amountMinor: number
  readonly currency: Currency
  readonly executionDate: CalendarDate
  /** False when the money should move at once. */
  readonly isFutureDated: boolean
  readonly payee: Payee
  readonly paymentReference: string
  readonly redirectUri: string
  readonly callbackUrl: string
  /** What a callback has to bring along, where the gateway can echo something. */
  readonly callbackIdentifier: string
  readonly payerAddress: string
  /** The payer's phone number as typed, when the gateway is to ask that phone by itself. */
  readonly payerPhone: string | undefined
}

export type Payee = {
  readonly name: string
  readonly scheme: 'BANKGIRO' | 'PLUSGIRO' | 'IBAN' | 'LOCAL' | 'SWISH'
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
  /** The day on which the money moved, or is to move, where the gateway tells it. */
  readonly executedOn?: CalendarDate | undefined
  /** True when the gateway itself does not know the end yet: nothing may be opened beside it. */
  readonly isOutcomeUnknown?: boolean
  /** True while the gateway has accepted it and has not begun to execute it: it is still to come, however long that takes. */
  readonly isAccepted?: boolean
}

export type GatewayReference = {
  readonly instanceId: string
  readonly gatewayPaymentId: string
  /** The account that the payment was made for: a gateway may know it by that. */
  readonly payeeAccount: string
}

export type Created = {
  readonly gatewayPaymentId: string
  /** Where the payer goes; null when the payer's phone has been asked already. */
  readonly externalLink: string | null
}

/** Money that is to go back to whoever paid. */
export type RefundOrder = {
  readonly instanceId: string
  /** Ours; a repeat with the same one is the same refund. */
  readonly refundId: string
  /** The payment that brought it, and the account that it was made for. */
  readonly gatewayPaymentId: string
  readonly payeeAccount: string
  readonly amountMinor: number
  readonly currency: Currency
  readonly callbackUrl: string
  readonly paymentReference: string
}

export type RefundReference = Pick<RefundOrder, 'instanceId' | 'refundId' | 'payeeAccount'>

/** A refund as the gateway has it. */
export type GatewayRefund = {
  readonly status: RefundProgress
  readonly amountMinor: number | undefined
  readonly currency: string | undefined
  /** The gateway's own word for the state. */
  readonly reported: string
}

export type GatewayRefunds = {
  /** Sends money back, once for a refund's id, or not yet: reading tells. Throws GatewayUnavailable or GatewayRefused. */
  create(order: RefundOrder): Promise<void>
  /** The present state; undefined when the gateway has no such refund. Throws GatewayUnavailable. */
  read(refund: RefundReference): Promise<GatewayRefund | undefined>
}

/** The instance that a payer pays at. */
export type Provider = {
  readonly row: { readonly url_alias: string }
  readonly isDefault: boolean
  readonly mode: 'test' | 'live'
}

export type Gateway = {
  /** What its last calls say of it; left out where nobody watches them. */
  seen?(): Seen
  /** The specification's serviceProviderCode. */
  readonly code: string
  readonly method: PaymentMethod
  /** True when the payer pays at once or not at all: there is no due date to choose. */
  readonly isInstant: boolean
  /** Whether it can ask the phone with this number, as typed, by itself; left out, it asks none. */
  takesPhone?(phone: string): boolean
  takes(currency: Currency): boolean
  /** What is paid through this gateway for a provider: the creditors' own accounts, one of its own, or nothing. */
  payeeOf(provider: Provider): 'theirs' | Pick<Payee, 'scheme' | 'account'> | undefined
  /** The gateway's id of a payment, where we choose it: a lost answer can then be looked up. */
  idOf?(paymentId: string): string
  /**
   * Creates the payment at the gateway. Never repeated by itself: a lost answer leaves an order that nobody
   * holds a link to, so nobody can sign it. Throws GatewayUnavailable or GatewayRefused.
   */
  createPayment(order: PaymentOrder): Promise<Created>
  /** The present state; undefined when the gateway has no such payment. Changes nothing. Throws GatewayUnavailable. */
  readPayment(reference: GatewayReference): Promise<GatewayPayment | undefined>
  /** Cancels what is not signed. `too-late` when the payer has signed. Throws GatewayUnavailable. */
  cancelPayment(reference: GatewayReference): Promise<'cancelled' | 'too-late'>
  /** Where it can send money back. */
  readonly refunds?: GatewayRefunds
  /** Whether the other side knows the provider by what it shows; left out where nothing can be tried. Makes nothing. */
  tryOut?(provider: Provider & { readonly id: string }): Promise<Tried>
}

/** No usable answer: refused connection, time-out, 5xx, nonsense. What happened there is unknown. */
export class GatewayUnavailable extends Error {
  override name = 'GatewayUnavailable'
}

/** The gateway said no, and so created nothing. `code` is set when the payer can mend it. */
export class GatewayRefused extends Error {
  override name = 'GatewayRefused'
  readonly code: ErrorCode | undefined
  constructor(reason: string, code?: ErrorCode) {
    super(reason)
    this.code = code
  }
}

declare module '../../context.ts' {
  interface Context {
    readonly gateways: readonly Gateway[]
  }
}
