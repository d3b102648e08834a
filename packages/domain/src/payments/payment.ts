/** A payment: its states, their order, and how a bank's word is read. */

export const PAYMENT_STATUSES = ['CREATED', 'IN_PROGRESS', 'AUTHORIZED', 'COMPLETED', 'FAILED'] as const
export type PaymentStatus = (typeof PAYMENT_STATUSES)[number]

/** How a gateway says that a refund stands. */
export type RefundProgress = 'UNDER_WAY' | 'PAID' | 'FAILED'

export const PAYMENT_OPTIONS = ['pay-now', 'due-date'] as const
export type PaymentOption = (typeof PAYMENT_OPTIONS)[number]

/** Codes of the payment methods (D-19). */
export const PAYMENT_METHODS = [
  'DIRECT_PAYMENT_BANK',
  'DIRECT_PAYMENT_MOBILE',
  'PART_PAYMENT_PLAN',
  'PART_PAYMENT_ACCOUNT',
  'BANK_TRANSFER',
] as const
export type PaymentMethod = (typeof PAYMENT_METHODS)[number]

/** What may stand beside a way to pay. */
export const PROMOTIONS = ['NEW', 'RECOMMENDED'] as const
export type Promotion = (typeof PROMOTIONS)[number]

/** A way to pay that costs nothing: credit is offered, never recommended. */
export function isPromotable(code: string): code is PaymentMethod {
  return ['DIRECT_PAYMENT_BANK', 'DIRECT_PAYMENT_MOBILE', 'BANK_TRANSFER'].includes(code)
}

/**
 * From where to where a payment may go. A provider may skip steps (an instant bank answers settled at once);
 * COMPLETED and FAILED are final, whatever arrives later.
 */
export const PAYMENT_MOVES: Readonly<Record<PaymentStatus, readonly PaymentStatus[]>> = {
  CREATED: ['IN_PROGRESS', 'AUTHORIZED', 'COMPLETED', 'FAILED'],
  IN_PROGRESS: ['AUTHORIZED', 'COMPLETED', 'FAILED'],
  AUTHORIZED: ['COMPLETED', 'FAILED'],
  COMPLETED: [],
  FAILED: [],
}

export function canMovePayment(from: PaymentStatus, to: PaymentStatus): boolean {
  return PAYMENT_MOVES[from].includes(to)
}

export function isFinal(status: PaymentStatus): boolean {
  return PAYMENT_MOVES[status].length === 0
}

/** Nothing signed yet: may be handed out again or replaced (D-23). */
export function isOpenPayment(status: PaymentStatus): boolean {
  return status === 'CREATED' || status === 'IN_PROGRESS'
}

/** What a payment says about itself on the wire. */
type Told = {
  readonly status: PaymentStatus
  /** What of it is in the books now, in any unit. */
  readonly receivedAmount: number | string
  readonly outcomeUnknown: boolean
}

/** Its money has come, and has not gone back. A payment that was given up may have brought its money all the same. */
export function isReceived({ receivedAmount }: Told): boolean {
  return Number(receivedAmount) > 0
}

/** It had come, and has gone back. */
export function isReturned(payment: Told): boolean {
  return payment.status === 'COMPLETED' && !isReceived(payment)
}

/**
 * Which view an invoice shows: the options, or the state of what was signed (section 4). What is signed, what has come,
 * and what nobody knows the end of replace the options; what has gone back does not.
 */
export function showsPaymentStatus(payments: readonly Told[]): boolean {
  return payments.some((p) => p.status === 'AUTHORIZED' || p.outcomeUnknown || isReceived(p))
}
