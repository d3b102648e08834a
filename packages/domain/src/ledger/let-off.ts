/**
 * What a debtor is let off by a decision: fees or interest that are waived (M-27), and what is written off (M-28). Both are
 * given up at the creditor's cost.
 */
import { money, type Money } from '../money.ts'
import { ALLOCATION_ORDER, allocateToBuckets, type Line, type Owed, type Parties } from './booking.ts'
import { bookWriteOff } from './correction.ts'

/** What of a debt can be waived. */
export const WAIVABLE = ['costs', 'interest'] as const
export type Waivable = (typeof WAIVABLE)[number]

/** A charge of one bucket, and what of it has not been taken back, in minor units. */
export type StandingCharge = { readonly cause: string; readonly minor: number }

/** So much of a charge is waived. Without a cause: of what came from another debt, whose charge does not stand here. */
export type WaivedPart = { readonly cause: string | undefined; readonly minor: number }

/**
 * `minor` of a bucket as parts of its `charges`, which are in the order in which they were made. The newest is waived first: money
 * pays the oldest first, so that is the one that is unpaid.
 */
export function waivedParts(minor: number, charges: readonly StandingCharge[]): WaivedPart[] {
  const parts: WaivedPart[] = []
  let left = minor
  for (const charge of charges.toReversed()) {
    const part = Math.min(left, charge.minor)
    if (part > 0) parts.push({ cause: charge.cause, minor: part })
    left -= Math.max(0, part)
  }
  return left > 0 ? [...parts, { cause: undefined, minor: left }] : parts
}

const WAIVED = /^waived:[^:]+:/

/** The cause of what waives a part of the charge of `charge` by the decision `decision`, which has no colon. */
export function waiverCause(decision: string, charge: string | undefined): string {
  return `waived:${decision}:${charge ?? 'rest'}`
}

/** The cause of the charge that an entry of this cause waives; undefined when it waives none that is named. */
export function waivedChargeOf(cause: string): string | undefined {
  if (!WAIVED.test(cause)) return undefined
  const charge = cause.replace(WAIVED, '')
  return charge === 'rest' ? undefined : charge
}

/** REVERSAL: so much of a bucket is waived. */
export function bookWaiver(parties: Parties, bucket: Waivable, waived: Money): Line[] {
  const none = money(0, waived.currency)
  return bookWriteOff(parties, { principal: none, costs: none, interest: none, [bucket]: waived })
}

/**
 * WRITE_OFF of `amount`, at most what is owed: fees first, then interest, and what was bought last, in every country. No law
 * says in which order a creditor gives up; so what is left is easy to explain, and bears interest as before.
 */
export function bookWrittenOff(parties: Parties, amount: Money, owed: Owed): Line[] {
  return bookWriteOff(parties, allocateToBuckets(amount, owed, ALLOCATION_ORDER).parts)
}
