/** A Swish payment request as the service keeps it (Commerce API v2), and what may become of it. */
export type SwishStatus = 'CREATED' | 'PAID' | 'DECLINED' | 'ERROR' | 'CANCELLED'

/** What the merchant asked for: a body that passed the checks. */
export interface SwishRequest {
  payeePaymentReference: string
  callbackUrl: string
  callbackIdentifier?: string
  payeeAlias: string
  /** Present when the payer's phone is asked by its number; else the payer comes with the token. */
  payerAlias?: string
  /** Decimal text with two decimals. */
  amount: string
  currency: string
  message: string
}

export interface MobileOrder extends SwishRequest {
  /** The merchant's instruction id. */
  id: string
  token?: string
  status: SwishStatus
  createdAtMs: number
  expiresAtMs: number
  paidAtMs?: number
  /** The product's day on which it was paid, YYYY-MM-DD: the demo's clock may be ahead of the real one. */
  paidOn?: string
  /** The bank's reference, once paid. */
  paymentReference?: string
  errorCode?: string
  /** An error that the message asked for, and when it strikes. */
  triggered?: { errorCode: string; atMs: number }
  /** What the service says was paid, when it has been told to lie. */
  misreported?: { amount?: string; currency?: string }
}

/** A refund of a paid request. */
export interface Refund {
  id: string
  originalPaymentReference: string
  amount: string
  currency: string
  payerAlias: string
  message: string
  callbackUrl: string
  status: 'CREATED' | 'PAID' | 'ERROR'
  createdAtMs: number
  errorCode?: string
  /** The error that it will end with, when it has been told to. */
  endsInError?: string
  misreported?: MobileOrder['misreported']
}

/** The error that says that nobody knows: it may still turn into paid or declined. */
const UNKNOWN_END = 'DS24'

const ERROR_TEXTS: Readonly<Record<string, string>> = {
  RF07: 'Transaction declined',
  BANKIDCL: 'Payer cancelled BankID signing',
  BANKIDONGOING: 'BankID already in use',
  BANKIDUNKN: 'BankID is unknown',
  FF10: 'Bank system processing error',
  TM01: 'Swish timed out before the payment was started',
  DS24: 'Swish timed out waiting for an answer from the banks',
}

export function errorText(code: string): string {
  return ERROR_TEXTS[code] ?? 'The request was refused'
}

export function isAsynchronousError(code: string): boolean {
  return Object.hasOwn(ERROR_TEXTS, code)
}

/** Whether the payer, or somebody who knows, can still decide it. */
export function isUndecided(order: MobileOrder): boolean {
  return order.status === 'CREATED' || (order.status === 'ERROR' && order.errorCode === UNKNOWN_END)
}

/** The state in the words of the page and of the control calls. */
export type MobileState = 'waiting' | 'executed' | 'declined' | 'expired' | 'cancelled' | 'failed' | 'unknown'

export function mobileStateOf(order: MobileOrder): MobileState {
  switch (order.status) {
    case 'CREATED':
      return 'waiting'
    case 'PAID':
      return 'executed'
    case 'DECLINED':
      return 'declined'
    case 'CANCELLED':
      return 'cancelled'
    case 'ERROR':
      if (order.errorCode === UNKNOWN_END) return 'unknown'
      return order.errorCode === 'TM01' ? 'expired' : 'failed'
  }
}
