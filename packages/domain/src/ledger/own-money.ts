/** How the operator's own money among client funds is written in the books. */
import { negate, type Money } from '../money.ts'
import type { BankEntryKind } from '../bank-files/bank-entry.ts'
import { bookOutOfSuspense } from './arrival.ts'
import type { Account, Line } from './booking.ts'
import { OPERATOR_FEES } from './payout.ts'

/** What banks have charged for the account of client funds, less what the operator has put back: it owes that to the account. */
export const BANK_FEES = 'BANK_FEES'
/** What banks have given for the money that lies there, less what they have charged: it is nobody's until that is decided. */
export const BANK_INTEREST = 'BANK_INTEREST'
/** What was paid twice and has not come back: whoever got it owes it, and until then the operator owes it to the account. */
export const PAID_TWICE = 'PAID_TWICE'

const GATEWAYS = {
  FEE: BANK_FEES,
  INTEREST: BANK_INTEREST,
  FEES_DRAWN: OPERATOR_FEES,
  PAID_BACK: PAID_TWICE,
} as const

/** Where an entry stands; `creditorId` of an advance alone, `payoutId` of what comes back alone. */
export type Entered =
  | { readonly kind: Exclude<BankEntryKind, 'ADVANCE' | 'PAID_BACK'> }
  | { readonly kind: 'ADVANCE'; readonly creditorId: string }
  | { readonly kind: 'PAID_BACK'; readonly payoutId: string }

const advanceOf = (creditorId: string): Account => ({ kind: 'advance', creditorId })

/** PAYOUT: a line leaves suspense as what it was. Below zero for money that has left the account. */
export function bookEntered(entered: Entered, amount: Money): Line[] {
  if (entered.kind !== 'ADVANCE') return bookOutOfSuspense(GATEWAYS[entered.kind], amount)
  return [
    { account: { kind: 'suspense' }, amount },
    { account: advanceOf(entered.creditorId), amount: negate(amount) },
  ]
}

/** PAYOUT: what was advanced covers nothing any more, and is the operator's to draw like its fees. */
export function bookAdvanceBack(creditorId: string, amount: Money): Line[] {
  return [
    { account: advanceOf(creditorId), amount },
    { account: { kind: 'clearing', gateway: OPERATOR_FEES }, amount: negate(amount) },
  ]
}

/**
 * What of an advance is free: it covers no more than what is missing. All in minor units; `heldMinor` is below zero for what is missing.
 */
export function freeOfAdvance({
  heldMinor,
  advancedMinor,
}: {
  heldMinor: number
  advancedMinor: number
}): number {
  const missing = Math.max(0, -heldMinor)
  return Math.max(0, advancedMinor - missing)
}
