/** ISO 20022 transaction statuses that this bank uses (Berlin Group NextGenPSD2 1.3). */
export type TransactionStatus = 'RCVD' | 'ACSP' | 'ACCP' | 'ACSC' | 'RJCT' | 'CANC'

export type ScaStatus = 'received' | 'started' | 'finalised' | 'failed'

export const PAYMENT_PRODUCTS = [
  'domestic-credit-transfers',
  'swedish-giro',
  'sepa-credit-transfers',
] as const

export type PaymentProduct = (typeof PAYMENT_PRODUCTS)[number]

export interface Amount {
  currency: string
  /** Decimal text with a point, as it came over the wire. */
  amount: string
}

export type CreditorAccount =
  | { iban: string }
  | { bban: string }
  | { other: { identification: string; schemeName: string } }

export interface StructuredRemittance {
  reference: string
  referenceType?: string
}

/** What the client asked for: body and headers of an initiation that passed the checks. */
export interface Initiation {
  product: PaymentProduct
  instructedAmount: Amount
  creditorName: string
  creditorAccount: CreditorAccount
  endToEndIdentification?: string
  remittanceInformationUnstructured?: string
  remittanceInformationStructured?: StructuredRemittance
  requestedExecutionDate?: string
  redirectUri: string
  nokRedirectUri?: string
  notificationUri?: string
}

export interface Payment extends Initiation {
  paymentId: string
  authorisationId: string
  /** Unguessable last part of the signing link; knowing it is what lets a browser sign. */
  token: string
  createdAtMs: number
  /** The signing link is dead from here on. */
  expiresAtMs: number
  status: TransactionStatus
  scaStatus: ScaStatus
  /** Why it ended without money, for the page. */
  ending?: 'declined' | 'rejected' | 'expired' | 'cancelled'
  /** Signed, but not executed before somebody settles with includeHeld. */
  held: boolean
  /** Signed for a later day than the one it was signed on: the client may still take it back. */
  futureDated?: boolean
  /** The day the bank executes; known once signed. */
  executionDate?: string
  /** A payment signed for today is executed by itself at this instant. */
  executesAtMs?: number
  /** Signed, and not executed by itself: it can still be cancelled. */
  isStuck?: boolean
  /** When the money moved. */
  executedAtMs?: number
  /** Its answer was lost, and nobody has asked about it since: the client knows of no such payment. */
  isUntold?: boolean
  /** Executed while no product was there to say which day it is: the past that a demo begins with. */
  isPast?: boolean
  /** What the bank says the amount was, when it has been told to lie. */
  misreported?: Partial<Amount>
}

/** From where to where a payment may go. Statuses that lead nowhere are final. */
const NEXT: Record<TransactionStatus, readonly TransactionStatus[]> = {
  RCVD: ['ACSP', 'ACCP', 'RJCT', 'CANC'],
  ACSP: ['ACSC', 'RJCT', 'CANC'],
  ACCP: ['ACSC', 'RJCT', 'CANC'],
  ACSC: [],
  RJCT: [],
  CANC: [],
}

export function canBecome(from: TransactionStatus, to: TransactionStatus): boolean {
  return NEXT[from].includes(to)
}

export function isFinal(status: TransactionStatus): boolean {
  return NEXT[status].length === 0
}

/** The state in the words of the page and of the control calls. */
export type PaymentState =
  | 'waiting'
  | 'signed'
  | 'due-date'
  | 'held'
  | 'executed'
  | 'rejected'
  | 'declined'
  | 'expired'
  | 'cancelled'

export function stateOf(payment: Payment): PaymentState {
  switch (payment.status) {
    case 'RCVD':
      return 'waiting'
    case 'ACSP':
      return 'signed'
    case 'ACCP':
      return payment.held ? 'held' : 'due-date'
    case 'ACSC':
      return 'executed'
    default:
      return payment.ending ?? 'cancelled'
  }
}

/** What the payee will see: the structured reference, else the free text, else the client's own id. */
export function referenceOf(payment: Initiation): string {
  return (
    payment.remittanceInformationStructured?.reference ??
    payment.remittanceInformationUnstructured ??
    payment.endToEndIdentification ??
    ''
  )
}

/** The account in one line, without the sort of number. */
export function accountNumberOf(account: CreditorAccount): string {
  if ('iban' in account) return account.iban
  if ('bban' in account) return account.bban
  return account.other.identification
}

/** Amount text with exactly two decimals: "842" and "842.0" become "842.00". */
export function twoDecimals(amount: string): string {
  const [whole = '0', decimals = ''] = amount.split('.')
  return `${whole}.${decimals.padEnd(2, '0')}`
}
