/** A payment that is taken back: what of it was owed as fees and interest may not be owed as such any more. */
import { money, sum } from '../money.ts'
import { ALLOCATION_ORDER, type Account, type Bucket, type Line, type Owed } from './booking.ts'
import { bookReversal } from './correction.ts'
import { waivedChargeOf } from './let-off.ts'
import type { DebtEvent } from './charge-reversals.ts'
import { paymentOfCreditUsed } from '../payments/shares.ts'

/** Fees and interest, in minor units. */
export type Charges = { readonly costsMinor: number; readonly interestMinor: number }

const NONE: Charges = { costsMinor: 0, interestMinor: 0 }

/**
 * What a debt would owe in fees and interest without the payment of `cause` and those that have been taken back before. Each
 * of its `stories` begins with none, and the last, the claim's, with what those of its invoices come to.
 */
export function chargesWithout(stories: readonly (readonly DebtEvent[])[], cause: string): Charges {
  const gone = new Set(
    stories
      .flat()
      .map((event) => event.cause)
      .filter((of) => of.startsWith('reversal:')),
  )
  gone.add(`reversal:${cause}`)
  const ofSteps = new Set(stories.flat().flatMap((event) => (event.isOfStep ? [event.cause] : [])))
  const ends = stories.slice(0, -1).map((events) => replay(events, { gone, ofSteps }, NONE))
  return replay(
    stories.at(-1) ?? [],
    { gone, ofSteps },
    {
      costsMinor: ends.reduce((all, { costsMinor }) => all + costsMinor, 0),
      interestMinor: ends.reduce((all, { interestMinor }) => all + interestMinor, 0),
    },
  )
}

/** Causes of what was taken back, and of what steps charged. */
type Causes = { readonly gone: ReadonlySet<string>; readonly ofSteps: ReadonlySet<string> }

/** What payments brought more than a bucket had without the charges that went had settled principal: it leaves nothing below zero. */
function replay(events: readonly DebtEvent[], causes: Causes, start: Charges): Charges {
  return events.reduce((owed, event) => {
    if (/^(upheld|credited:rest):/.test(event.cause)) return NONE
    const { costsMinor, interestMinor } = effectOf(event, causes)
    // A transfer takes along what the debt had then, also what a letter took back where it came to stand.
    const least = event.kind.startsWith('TRANSFER_') ? -Infinity : 0
    const after = (was: number, by: number): number => Math.max(Math.min(was, least), was + by)
    return {
      costsMinor: after(owed.costsMinor, costsMinor),
      interestMinor: after(owed.interestMinor, interestMinor),
    }
  }, start)
}

/** A charge that was taken back never was; so the entry that took it back, out of whatever bucket, did nothing. */
function effectOf(event: DebtEvent, { gone, ofSteps }: Causes): Charges {
  const { cause, costsMinor, interestMinor, takenBackMinor, isCharge, isOfStep } = event
  if (/^(reversal|unsent|credited|restated|dispute-fees):/.test(cause)) return NONE
  // What a step charged has that taken off already; what was waived of anything else stands by itself.
  if (ofSteps.has(waivedChargeOf(cause) ?? '')) return NONE
  const payment = paymentOfCreditUsed(cause) ?? cause.replace(/^write-off:/, '')
  if (gone.has(`reversal:${payment}`)) return NONE
  if (!isOfStep) return event
  if (!isCharge) return NONE
  return {
    costsMinor: costsMinor && costsMinor - takenBackMinor,
    interestMinor: interestMinor && interestMinor - takenBackMinor,
  }
}

/**
 * REVERSAL of the lines of a payment. A fee that it paid may have been taken back since, and as its bucket was empty that came
 * off whatever else was owed: there the money is owed again, not in a bucket that no charge stands in. So the buckets are filled up
 * to `charges`, which is what they would hold had the payment never come, and the rest is principal. `owed` now.
 */
export function bookPaymentBack(lines: readonly Line[], owed: Owed, charges: Charges): Line[] {
  const back = bookReversal(lines)
  const inBuckets = back.filter(({ account }) => account.kind === 'costs' || account.kind === 'interest')
  const [first] = inBuckets
  if (!first) return back
  const { currency } = first.amount
  const room = {
    costs: Math.max(0, charges.costsMinor - owed.costs.minor),
    interest: Math.max(0, charges.interestMinor - owed.interest.minor),
  }
  const put: Record<Bucket, number> = { costs: 0, interest: 0, principal: 0 }
  let left = sum(
    inBuckets.map(({ amount }) => amount),
    currency,
  ).minor
  const fill = (bucket: 'costs' | 'interest', most: number): void => {
    const part = Math.max(0, Math.min(left, most, room[bucket] - put[bucket]))
    put[bucket] += part
    left -= part
  }
  // Each its own first: another's charge is filled with what its own bucket does not take.
  for (const { account, amount } of inBuckets)
    if (account.kind === 'costs' || account.kind === 'interest') fill(account.kind, amount.minor)
  fill('costs', left)
  fill('interest', left)
  put.principal = left
  const parts = ALLOCATION_ORDER.map((kind) => ({
    account: { ...first.account, kind } as Account,
    amount: money(put[kind], currency),
  }))
  return [
    ...back.filter((line) => !inBuckets.includes(line)),
    ...parts.filter(({ amount }) => amount.minor !== 0),
  ]
}
