/** An invoice: its states, the moves between them, and the questions that screens and server ask of it. */
import type { CalendarDate } from '../calendar.ts'
import { daysBetween } from '../calendar.ts'

export const INVOICE_TYPES = [
  'INVOICE',
  'PART_INVOICE',
  'ACCOUNT_INVOICE',
  'ONGOING_INVOICE',
  'INTEREST_INVOICE',
  'CREDIT_INVOICE',
  'MEMBERSHIP_FEE',
] as const
export type InvoiceType = (typeof INVOICE_TYPES)[number]

export const INVOICE_STATUSES = [
  'CREATED',
  'PENDING',
  'ACTIVATED',
  'PAUSED',
  'DISPUTED',
  'PENDING_AUTHORIZATION',
  'CLOSED',
  'STOPPED',
  'ARCHIVED',
] as const
export type InvoiceStatus = (typeof INVOICE_STATUSES)[number]

/**
 * What can happen to an invoice, and from where to where. The database update carries the old status, so a
 * move that is not in this table cannot happen, and two racing moves cannot both happen.
 */
export const INVOICE_MOVES = {
  approve: [['CREATED', 'PENDING']],
  cancel: [
    ['CREATED', 'ARCHIVED'],
    ['PENDING', 'ARCHIVED'],
  ],
  distribute: [['PENDING', 'ACTIVATED']],
  credited: [
    ['ACTIVATED', 'ACTIVATED'],
    ['PAUSED', 'PAUSED'],
    ['DISPUTED', 'DISPUTED'],
  ],
  creditedInFull: [
    ['ACTIVATED', 'CLOSED'],
    ['PAUSED', 'CLOSED'],
    ['DISPUTED', 'CLOSED'],
  ],
  /** A pay-now payment over the whole balance is signed but not settled (M-14). */
  authorize: [
    ['ACTIVATED', 'PENDING_AUTHORIZATION'],
    ['PAUSED', 'PENDING_AUTHORIZATION'],
  ],
  /** That payment failed or grew too old (M-16): back to where it was. */
  releaseAuthorization: [
    ['PENDING_AUTHORIZATION', 'ACTIVATED'],
    ['PENDING_AUTHORIZATION', 'PAUSED'],
  ],
  paidInPart: [
    ['ACTIVATED', 'ACTIVATED'],
    ['PAUSED', 'PAUSED'],
    ['DISPUTED', 'DISPUTED'],
    ['PENDING_AUTHORIZATION', 'ACTIVATED'],
    ['PENDING_AUTHORIZATION', 'PAUSED'],
    // What is signed still covers what is left (M-14).
    ['PENDING_AUTHORIZATION', 'PENDING_AUTHORIZATION'],
    ['STOPPED', 'STOPPED'],
  ],
  paidInFull: [
    ['ACTIVATED', 'CLOSED'],
    ['PAUSED', 'CLOSED'],
    ['DISPUTED', 'CLOSED'],
    ['PENDING_AUTHORIZATION', 'CLOSED'],
    ['STOPPED', 'CLOSED'],
  ],
  /** Money for what is already settled (M-19): the surplus waits as credit. */
  overpaid: [['CLOSED', 'CLOSED']],
  /** M-09: respite or investigation; M-10: on again. */
  pause: [['ACTIVATED', 'PAUSED']],
  resume: [['PAUSED', 'ACTIVATED']],
  /** M-11: the debtor objects, and all waits for the answer. */
  dispute: [
    ['ACTIVATED', 'DISPUTED'],
    ['PAUSED', 'DISPUTED'],
  ],
  /** M-12: the creditor was right; M-13: the debtor was, wholly or in part. */
  rejectDispute: [['DISPUTED', 'ACTIVATED']],
  upholdDispute: [
    ['DISPUTED', 'ACTIVATED'],
    ['DISPUTED', 'CLOSED'],
  ],
  /** M-23: more is owed. What is paused or disputed stays so until that is decided. */
  denyTaxReduction: [
    ['ACTIVATED', 'ACTIVATED'],
    ['PAUSED', 'PAUSED'],
    ['DISPUTED', 'DISPUTED'],
    ['CLOSED', 'ACTIVATED'],
  ],
  /** M-25: money that was booked did not come, or was somebody else's. */
  reverse: [
    ['CLOSED', 'ACTIVATED'],
    ['CLOSED', 'CLOSED'],
    ['ACTIVATED', 'ACTIVATED'],
    ['PAUSED', 'PAUSED'],
    ['DISPUTED', 'DISPUTED'],
    ['STOPPED', 'STOPPED'],
    // All else of it had been written off: what came back was not.
    ['STOPPED', 'ACTIVATED'],
  ],
  /** M-27, M-28: something of it is waived or written off, and the rest is owed. */
  letOffInPart: [
    ['ACTIVATED', 'ACTIVATED'],
    ['PAUSED', 'PAUSED'],
    ['DISPUTED', 'DISPUTED'],
    ['PENDING_AUTHORIZATION', 'PENDING_AUTHORIZATION'],
    ['STOPPED', 'STOPPED'],
  ],
  /** M-27: fees or interest were all that was left. What is signed for is too much when it comes (M-19). */
  waivedInFull: [
    ['ACTIVATED', 'CLOSED'],
    ['PAUSED', 'CLOSED'],
    ['DISPUTED', 'CLOSED'],
    ['PENDING_AUTHORIZATION', 'CLOSED'],
  ],
  /** M-28: it ends without payment, and nothing is left in the books either. */
  writtenOff: [
    ['ACTIVATED', 'STOPPED'],
    ['PAUSED', 'STOPPED'],
    ['DISPUTED', 'STOPPED'],
    ['PENDING_AUTHORIZATION', 'STOPPED'],
    ['STOPPED', 'STOPPED'],
  ],
  /** M-24: withdrawn, too old, insolvent. */
  stop: [
    ['ACTIVATED', 'STOPPED'],
    ['PAUSED', 'STOPPED'],
    ['DISPUTED', 'STOPPED'],
  ],
  archive: [
    ['CLOSED', 'ARCHIVED'],
    ['STOPPED', 'ARCHIVED'],
  ],
} as const satisfies Record<string, readonly (readonly [InvoiceStatus, InvoiceStatus])[]>

export type InvoiceMove = keyof typeof INVOICE_MOVES

/** May `move` take an invoice from `from` to `to`? */
export function canMove(move: InvoiceMove, from: InvoiceStatus, to: InvoiceStatus): boolean {
  return INVOICE_MOVES[move].some(([a, b]) => a === from && b === to)
}

const OPEN: readonly InvoiceStatus[] = ['ACTIVATED', 'PAUSED', 'DISPUTED']
/** States in which an invoice is shown to nobody (specification section 4). */
export const HIDDEN_STATUSES: readonly InvoiceStatus[] = ['CREATED', 'PENDING', 'ARCHIVED']

export function isOpen(status: InvoiceStatus): boolean {
  return OPEN.includes(status)
}

/** May the creditor be asked about it? For as long as it is asked for, also while a payment of all of it is under way. */
export function canBeAskedAbout(status: InvoiceStatus): boolean {
  return isOpen(status) || status === 'PENDING_AUTHORIZATION'
}

/** CLOSED and STOPPED count as closed (specification section 4). */
export function isClosed(status: InvoiceStatus): boolean {
  return status === 'CLOSED' || status === 'STOPPED'
}

/** May the login lookup answer? Rejected: ARCHIVED, CREATED, PENDING, or a negative total (section 4). */
export function acceptsLogin(status: InvoiceStatus, totalMinor: number): boolean {
  return !HIDDEN_STATUSES.includes(status) && totalMinor >= 0
}

/**
 * May it be disputed? Open, owing, and not disputed already (specification sections 4 and 6). One in a claim owes
 * nothing itself: the claim is disputed.
 */
export function canDispute(status: InvoiceStatus, balanceMinor: number): boolean {
  return (status === 'ACTIVATED' || status === 'PAUSED') && balanceMinor > 0
}

/** Can anything be paid (D-26)? In issue order: open, owing, and not a part payment's mother. */
export function canBePaid(invoice: {
  status: InvoiceStatus
  balanceMinor: number
  isPartPayment: boolean
  inClaim: boolean
}): boolean {
  return isOpen(invoice.status) && invoice.balanceMinor > 0 && !invoice.isPartPayment && !invoice.inClaim
}

/** May the due date still be chosen as payment day? Only when it lies in the future. */
export function canPayOnDueDate(dueDate: CalendarDate, today: CalendarDate): boolean {
  return dueDate > today
}

/**
 * Receipt: balance 0, type INVOICE, and not PENDING_AUTHORIZATION (section 5). An invoice that is paid by a plan or
 * on a claim has it when that is paid: a balance of 0 before says only that it is owed elsewhere. One that was stopped
 * ended without full payment, whatever is left on it.
 */
export function canHaveReceipt(invoice: {
  status: InvoiceStatus
  type: InvoiceType
  balanceMinor: number
  isPartPayment?: boolean
  inClaim?: boolean
}): boolean {
  const { status, type, balanceMinor } = invoice
  if (balanceMinor !== 0 || type !== 'INVOICE') return false
  if (status === 'PENDING_AUTHORIZATION' || status === 'STOPPED') return false
  const isOwedElsewhere = invoice.isPartPayment === true || invoice.inClaim === true
  return !isOwedElsewhere || status === 'CLOSED'
}

export type DueDistance = { readonly kind: 'in' | 'for'; readonly days: number }

/**
 * Days to the due date, today counted (section 9: difference + 1), or days since it, today not counted
 * due today is "in 1 day", due yesterday is "for 1 day".
 */
export function dueDistance(dueDate: CalendarDate, today: CalendarDate): DueDistance {
  const difference = daysBetween(today, dueDate)
  return difference >= 0 ? { kind: 'in', days: difference + 1 } : { kind: 'for', days: -difference }
}
