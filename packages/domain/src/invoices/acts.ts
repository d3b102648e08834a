/** What a creditor's staff may do with an invoice now, what each act does to the money, and why one is not open. */
import type { ErrorCode } from '../errors.ts'
import type { StaffRight } from '../staff/roles.ts'
import { canMove, isOpen, type InvoiceMove, type InvoiceStatus, type InvoiceType } from './invoice.ts'

export const INVOICE_ACTS = [
  'approve',
  'withdraw',
  'credit',
  'waive',
  'pause',
  'resume',
  'more-time',
  'to-collection',
  'direct-payment',
  'deny-tax-reduction',
  'stop',
  'write-off',
] as const
export type InvoiceAct = (typeof INVOICE_ACTS)[number]

/** What the acts on it depend on. Amounts in minor units. */
export type ActedInvoice = {
  readonly status: InvoiceStatus
  readonly type: InvoiceType
  readonly inClaim: boolean
  /** Its balance is paid in a plan. */
  readonly isPartPayment: boolean
  readonly totalMinor: number
  readonly balanceMinor: number
  readonly costsMinor: number
  readonly interestMinor: number
  /** Of the document less earlier credits. */
  readonly creditableMinor: number
  /** What payers have signed, now or for a day to come, and no gateway has carried out. */
  readonly signedMinor: number
  /** Everything of its debtor rests (people/debtor-flag.ts). */
  readonly isResting: boolean
}

export type OfferedAct = {
  readonly act: InvoiceAct
  /** Why it is not open to this person now. */
  readonly refusal: ErrorCode | null
  /** What the creditor gives up, and what the debtor owes more, when all of it is done; in minor units. */
  readonly creditorMinor: number
  readonly debtorMinor: number
}

const RIGHT: Readonly<Record<InvoiceAct, StaffRight>> = {
  approve: 'approve',
  withdraw: 'draft',
  credit: 'credit',
  waive: 'waive',
  pause: 'pause',
  resume: 'more_time',
  'more-time': 'more_time',
  'to-collection': 'to_collection',
  'direct-payment': 'direct_payment',
  'deny-tax-reduction': 'tax_denial',
  stop: 'stop',
  'write-off': 'write_off',
}

/** Acts that a move of the table decides about. */
const MOVE: Partial<Record<InvoiceAct, readonly [InvoiceMove, InvoiceStatus]>> = {
  approve: ['approve', 'PENDING'],
  withdraw: ['cancel', 'ARCHIVED'],
  pause: ['pause', 'PAUSED'],
  resume: ['resume', 'ACTIVATED'],
  stop: ['stop', 'STOPPED'],
  'write-off': ['writtenOff', 'STOPPED'],
}

/** Every act, in the order in which they are offered. `unmandated`: what the role may and the creditor's agreement does not give. */
export function actsOn(
  invoice: ActedInvoice,
  rights: readonly StaffRight[],
  unmandated: readonly StaffRight[] = [],
): OfferedAct[] {
  const missing = (right: StaffRight) => (unmandated.includes(right) ? 'mandate_missing' : 'not_allowed')
  return INVOICE_ACTS.map((act) => ({
    act,
    refusal: rights.includes(RIGHT[act]) ? refusalOf(act, invoice) : missing(RIGHT[act]),
    ...moneyOf(act, invoice),
  }))
}

/** What a plan bills. */
export const IN_PLANS: readonly InvoiceType[] = ['PART_INVOICE', 'ONGOING_INVOICE', 'ACCOUNT_INVOICE']

/** Where a denied tax reduction can be added: the letter of the authority also comes when all that was asked for is paid. */
const DENIABLE: readonly InvoiceStatus[] = ['ACTIVATED', 'PAUSED', 'DISPUTED', 'CLOSED']

const IN_PLAN: readonly InvoiceAct[] = ['waive', 'more-time', 'to-collection', 'direct-payment', 'write-off']

function refusalOf(act: InvoiceAct, invoice: ActedInvoice): ErrorCode | null {
  const { status, type, inClaim, isPartPayment, balanceMinor } = invoice
  if (act === 'credit') return creditRefusal(invoice)
  if (inClaim) return 'in_claim'
  if (act === 'withdraw' && !canMove('cancel', status, 'ARCHIVED')) return 'already_sent'
  if (act === 'to-collection' && invoice.isResting) return 'debtor_rests'
  if (isAboutToBePaid(act, invoice)) return 'payment_signed'
  const move = MOVE[act]
  if (move && !canMove(move[0], status, move[1])) return 'act_not_open'
  if (act === 'deny-tax-reduction' && isPartPayment) return 'owed_in_plan'
  const needsStatus: Partial<Record<InvoiceAct, boolean>> = {
    waive: isOpen(status) || status === 'PENDING_AUTHORIZATION',
    'more-time': status === 'ACTIVATED',
    'to-collection': status === 'ACTIVATED',
    'direct-payment': isOpen(status),
    'deny-tax-reduction': DENIABLE.includes(status) && type !== 'CREDIT_INVOICE',
  }
  if (needsStatus[act] === false) return 'act_not_open'
  // The instalments of a plan would go on being asked for.
  if (isPartPayment && (act === 'stop' || IN_PLAN.includes(act))) return 'owed_in_plan'
  if (act === 'waive' && invoice.costsMinor + invoice.interestMinor === 0) return 'nothing_left'
  return IN_PLAN.includes(act) && balanceMinor <= 0 ? 'nothing_left' : null
}

/** What is signed will be paid: nobody else's money takes its place, and a case that waits for it does not end. */
function isAboutToBePaid(act: InvoiceAct, { status, balanceMinor, signedMinor }: ActedInvoice): boolean {
  if (act === 'stop') return signedMinor > 0
  return (
    act === 'direct-payment' &&
    (status === 'PENDING_AUTHORIZATION' || (signedMinor > 0 && signedMinor >= balanceMinor))
  )
}

/** Also what is paid can be credited, and what a claim holds. */
function creditRefusal({ status, type, creditableMinor }: ActedInvoice): ErrorCode | null {
  if (type === 'CREDIT_INVOICE' || !(isOpen(status) || status === 'CLOSED')) return 'act_not_open'
  if (IN_PLANS.includes(type)) return 'owed_in_plan'
  return creditableMinor > 0 ? null : 'nothing_left'
}

function moneyOf(act: InvoiceAct, invoice: ActedInvoice): Pick<OfferedAct, 'creditorMinor' | 'debtorMinor'> {
  const { totalMinor, balanceMinor, costsMinor, interestMinor, creditableMinor } = invoice
  const money = (creditorMinor: number, debtorMinor: number) => ({ creditorMinor, debtorMinor })
  switch (act) {
    case 'approve':
      return money(0, totalMinor)
    case 'credit':
      return money(creditableMinor, -balanceMinor)
    case 'waive':
      return money(costsMinor + interestMinor, -(costsMinor + interestMinor))
    case 'direct-payment':
      return money(0, -balanceMinor)
    case 'write-off':
      return money(balanceMinor, -balanceMinor)
    case 'stop':
      return money(balanceMinor, 0)
    default:
      return money(0, 0)
  }
}
