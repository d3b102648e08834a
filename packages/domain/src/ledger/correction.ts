/** How the books are put right: nothing is taken out of them, a correction is another entry. */
import { add, compare, negate, subtract, type Money } from '../money.ts'
import {
  ALLOCATION_ORDER,
  allocateToBuckets,
  bookOverpayment,
  bookWriteOffUndone,
  bucketOf,
  creditOf,
  moneyOf,
  type Account,
  type Bucket,
  type Holder,
  type Line,
  type Owed,
  type Parties,
} from './booking.ts'

function linesOf(entries: readonly (readonly [Account, Money])[]): Line[] {
  return entries.map(([account, amount]) => ({ account, amount })).filter(({ amount }) => amount.minor !== 0)
}

/** WRITE_OFF, and what a decision takes back: `owed` is given up, at the creditor's cost. */
export function bookWriteOff(parties: Parties, owed: Owed): Line[] {
  const whole = add(add(owed.principal, owed.costs), owed.interest)
  return linesOf([
    ...ALLOCATION_ORDER.map((kind) => [bucketOf(parties, kind), negate(owed[kind])] as const),
    [{ kind: 'claims_on_debtors', creditorId: parties.creditorId }, whole],
  ])
}

/** What `lines` of several entries come to, account by account; nothing for an account that they leave as it was. */
export function netLines(lines: readonly Line[]): Line[] {
  const net = new Map<string, Line>()
  for (const { account, amount } of lines) {
    const owner = Object.entries(account).sort(([a], [b]) => (a < b ? -1 : 1))
    const key = JSON.stringify([owner, amount.currency])
    const before = net.get(key)
    net.set(key, { account, amount: before ? add(before.amount, amount) : amount })
  }
  return [...net.values()].filter(({ amount }) => amount.minor !== 0)
}

/** REVERSAL: the opposite of lines that stand in the books. */
export function bookReversal(lines: readonly Line[]): Line[] {
  return lines.map(({ account, amount }) => ({ account, amount: negate(amount) }))
}

/**
 * What is taken back (REVERSAL). Of that some had been given up (WRITE_OFF, undone), and some paid, which is owed to the debtor
 * (REFUND). Posted together.
 */
export type GivenBack = { readonly reversal: Line[]; readonly writeOff: Line[]; readonly refund: Line[] }

/** What is not owed any more stands on the principal until the others take it off. */
function givenBack(parties: Parties, parts: Owed, settled: { paid: Money; givenUp: Money }): GivenBack {
  const { paid, givenUp } = settled
  return {
    reversal: bookWriteOff(parties, { ...parts, principal: add(parts.principal, add(paid, givenUp)) }),
    writeOff: bookWriteOffUndone(parties, givenUp),
    refund: bookOverpayment(parties, paid),
  }
}

/**
 * Fees that should not have been charged, `fees` in all, costs and interest first. What has been paid of them already
 * settles principal, and beyond that is the debtor's credit out of what we hold for the creditor, less what was `writtenOff` and so
 * never paid.
 */
export function bookFeesBack(parties: Parties, fees: Money, owed: Owed, writtenOff: Money): GivenBack {
  const { parts, surplus } = allocateToBuckets(fees, owed, ALLOCATION_ORDER)
  const givenUp = compare(surplus, writtenOff) < 0 ? surplus : writtenOff
  return givenBack(parties, parts, { paid: subtract(surplus, givenUp), givenUp })
}

/**
 * What one step charged, each part out of its own bucket. What has been paid of it settles what is owed
 * besides, and beyond that is the debtor's credit, less what was written off and so never paid: that is owed no more either.
 */
export function bookChargesBack(
  parties: Parties,
  charged: { readonly costs: Money; readonly interest: Money; readonly writtenOff: Money },
  owed: Owed,
): GivenBack {
  const { rest: costsLeft, surplus: costsPaid } = restOf(charged.costs, owed, ['costs'])
  const { rest: left, surplus: interestPaid } = restOf(charged.interest, costsLeft, ['interest'])
  const { rest, surplus } = restOf(add(costsPaid, interestPaid), left)
  const parts = {
    principal: subtract(owed.principal, rest.principal),
    costs: subtract(owed.costs, rest.costs),
    interest: subtract(owed.interest, rest.interest),
  }
  const givenUp = compare(surplus, charged.writtenOff) < 0 ? surplus : charged.writtenOff
  return givenBack(parties, parts, { paid: subtract(surplus, givenUp), givenUp })
}

/** REVERSAL of what was owed back to the debtor: it settles what is owed again, and what it is more than that is owed back. */
export function bookCreditUsed(
  parties: Parties,
  { credit, holder }: { readonly credit: Money; readonly holder: Holder },
  owed: Owed,
  order: readonly Bucket[] = ALLOCATION_ORDER,
): Line[] {
  const { parts, surplus } = allocateToBuckets(credit, owed, order)
  const back = creditOf(parties, holder)
  const held = moneyOf(parties.creditorId, holder)
  return [
    ...bookWriteOff(parties, parts),
    ...linesOf([
      [back, credit],
      [held, negate(credit)],
      [back, negate(surplus)],
      [held, surplus],
    ]),
  ]
}

/** What `paid` leaves of what is owed, shared out in `order`, and what is left of the money. */
export function restOf(
  paid: Money,
  owed: Owed,
  order: readonly Bucket[] = ALLOCATION_ORDER,
): { readonly rest: Owed; readonly surplus: Money } {
  const { parts, surplus } = allocateToBuckets(paid, owed, order)
  return { rest: lessParts(owed, parts), surplus }
}

/** What is owed when `parts` have been settled. */
export function lessParts(owed: Owed, parts: Owed): Owed {
  return {
    principal: subtract(owed.principal, parts.principal),
    costs: subtract(owed.costs, parts.costs),
    interest: subtract(owed.interest, parts.interest),
  }
}

/** What is owed after `credit` was taken off, principal first, as bookCredit does. */
export function owedAfterCredit(credit: Money, owed: Owed): Owed {
  return restOf(credit, owed, ['principal', 'interest', 'costs']).rest
}
