/** What is owed back to a payer, and above which sum two people send it. */
import type { Currency } from '../money.ts'

/**
 * `refund`: the operator holds it and owes it to a debtor; `creditor_refund`: it lies on the creditor's own account, who sends it;
 * `send_back`: nobody could place it, and it goes back to whoever paid.
 */
export const REFUND_KINDS = ['refund', 'creditor_refund', 'send_back'] as const
export type RefundKind = (typeof REFUND_KINDS)[number]

/** UNDER_WAY: a gateway or the bank has been told, and has not said that it has gone. ENDED: gone, or not owed any more. */
export const REFUND_STATUSES = ['OWED', 'UNDER_WAY', 'ENDED'] as const

export const REFUND_TRY_STATUSES = ['CREATED', 'SENT', 'PAID', 'FAILED'] as const

/**
 * Why something is in no file now: the payer's bank has taken the money back or wants to; nobody knows the account that it came from; a person
 * has ordered it at the bank; it is in a file; a gateway has it; a proposal of it waits for another person.
 */
export const WAITS = [
  'TAKEN_BACK',
  'ACCOUNT_UNKNOWN',
  'BY_HAND',
  'IN_FILE',
  'AT_GATEWAY',
  'PROPOSED',
] as const
export type Waits = (typeof WAITS)[number]

/** Ways that are no gateway's: a transfer that a person orders at the bank. */
export const BY_BANK = 'BANK'

const SMALL_MINOR = 500_000
/** In a currency whose unit is worth about ten of the crown's. */
const SMALL_IN_EURO_MINOR = 50_000
const CROWNS: readonly Currency[] = ['SEK', 'NOK', 'DKK']

/** Up to this sum, for one debtor and day, one person sends money back; above it another decides. Minor units. */
export function mostByOnePerson(currency: Currency): number {
  return CROWNS.includes(currency) ? SMALL_MINOR : SMALL_IN_EURO_MINOR
}
