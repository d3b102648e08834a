/** How money that leaves for a creditor is written in the books. */
import { negate, type Money } from '../money.ts'
import type { Line } from './booking.ts'

/** The clearing account of payouts that are on their way: in a file to the bank, and not told of by its statement. */
export const BANK_PAYOUT = 'BANK_PAYOUT'
/** The clearing account of what is the operator's and still lies among client funds: its fees, their VAT and court outlays. */
export const OPERATOR_FEES = 'OPERATOR_FEES'

/** PAYOUT: money held for a creditor is on its way to it; below zero it has come back. */
export function bookPayout(creditorId: string, amount: Money): Line[] {
  return takeFromHeld(creditorId, amount, BANK_PAYOUT)
}

/** PAYOUT: what a settlement keeps for the operator is held for the creditor no more. */
export function bookOperatorsPart(creditorId: string, amount: Money): Line[] {
  return takeFromHeld(creditorId, amount, OPERATOR_FEES)
}

function takeFromHeld(creditorId: string, amount: Money, gateway: string): Line[] {
  return [
    { account: { kind: 'held_for_creditor', creditorId }, amount },
    { account: { kind: 'clearing', gateway }, amount: negate(amount) },
  ]
}
