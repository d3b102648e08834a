import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { money, type Money } from '../money.ts'
import {
  ALLOCATION_ORDER,
  type Bucket,
  type Line,
  type Owed,
  allocateToBuckets,
  bookCharge,
  bookCredit,
  bookInvoice,
  bookPayment,
  bookOverpayment,
  bookRefund,
  bookSettledCredit,
  bookTransfer,
  bookTransferToClaim,
} from './booking.ts'
import { sumOfLines } from '../testing/sum-of-lines.ts'

const parties = { invoiceId: 'invoice-1', creditorId: 'creditor-1', debtorId: 'debtor-1' }
const sek = (minor: number): Money => money(minor, 'SEK')
const owing = (principal: number, costs = 0, interest = 0): Owed => ({
  principal: sek(principal),
  costs: sek(costs),
  interest: sek(interest),
})

/** The lines by the kind of their account, zeros left out. */
const byKind = (lines: readonly Line[]) =>
  Object.fromEntries(lines.map((line) => [line.account.kind, line.amount.minor]))

const owed = fc
  .tuple(fc.nat(10_000_000), fc.nat(100_000), fc.nat(100_000))
  .map(([principal, costs, interest]) => owing(principal, costs, interest))
const amount = fc.integer({ min: 1, max: 20_000_000 }).map(sek)

describe('an invoice', () => {
  test('is owed by the debtor and stands against the creditor', () => {
    expect(byKind(bookInvoice(parties, sek(84_200)))).toEqual({
      principal: 84_200,
      claims_on_debtors: -84_200,
    })
  })

  test('of a negative total turns it round, of nothing books nothing', () => {
    expect(byKind(bookInvoice(parties, sek(-100)))).toEqual({ principal: -100, claims_on_debtors: 100 })
    expect(bookInvoice(parties, sek(0))).toEqual([])
  })
})

test('a transfer brings its parts to an invoice, bucket by bucket, and takes them away again', () => {
  expect(byKind(bookTransfer(parties, owing(1000, 60, 5)))).toEqual({
    principal: 1000,
    costs: 60,
    interest: 5,
    claims_on_debtors: -1065,
  })
  const away = bookTransfer(parties, owing(-1000, -60, -5))
  expect(sumOfLines(away).minor).toBe(0)
  expect(byKind(away)).toMatchObject({ principal: -1000, claims_on_debtors: 1065 })
})

describe('sharing out a payment', () => {
  test('costs come first, then interest, then principal', () => {
    expect(ALLOCATION_ORDER).toEqual(['costs', 'interest', 'principal'])
    const { parts, surplus } = allocateToBuckets(sek(150), owing(1000, 100, 70))
    expect(parts).toEqual(owing(0, 100, 50))
    expect(surplus).toEqual(sek(0))
  })

  test('another order is another result', () => {
    const { parts } = allocateToBuckets(sek(150), owing(120, 100, 70), ['principal', 'interest', 'costs'])
    expect(parts).toEqual(owing(120, 0, 30))
  })

  test('no bucket gets more than is owed in it, and nothing is lost', () => {
    fc.assert(
      fc.property(amount, owed, (paid, debt) => {
        const { parts, surplus } = allocateToBuckets(paid, debt)
        const shared = (Object.keys(parts) as Bucket[]).map((bucket) => {
          expect(parts[bucket].minor).toBeGreaterThanOrEqual(0)
          expect(parts[bucket].minor).toBeLessThanOrEqual(debt[bucket].minor)
          return parts[bucket].minor
        })
        expect(shared.reduce((a, b) => a + b, 0) + surplus.minor).toBe(paid.minor)
        const whole = debt.principal.minor + debt.costs.minor + debt.interest.minor
        expect(surplus.minor).toBe(Math.max(0, paid.minor - whole))
      }),
    )
  })
})

describe('a payment', () => {
  const pay = (paid: number, debt: Owed) =>
    byKind(bookPayment(parties, { gateway: 'direct-bank', amount: sek(paid), owed: debt }))

  test('settles what is owed and is held for the creditor', () => {
    expect(pay(84_200, owing(84_200))).toEqual({
      clearing: 84_200,
      principal: -84_200,
      claims_on_debtors: 84_200,
      held_for_creditor: -84_200,
    })
  })

  test("too much becomes the debtor's credit by its refund, and is not held for the creditor", () => {
    expect(pay(1000, owing(700, 60, 40))).toEqual({
      clearing: 1000,
      costs: -60,
      interest: -40,
      principal: -900,
      claims_on_debtors: 1000,
      held_for_creditor: -1000,
    })
    expect(byKind(bookOverpayment(parties, sek(200)))).toEqual({
      principal: 200,
      credit: -200,
      claims_on_debtors: -200,
      held_for_creditor: 200,
    })
  })

  test('that has been sent back the way it came is no credit any more, and has left the gateway', () => {
    expect(byKind(bookRefund('d', { gateway: 'SWISH', amount: sek(200) }))).toEqual({
      credit: 200,
      clearing: -200,
    })
  })

  test('for what is settled already stands on the principal until its refund', () => {
    expect(pay(500, owing(0))).toEqual({
      clearing: 500,
      principal: -500,
      claims_on_debtors: 500,
      held_for_creditor: -500,
    })
  })
})

describe('a credit note', () => {
  const credit = (minor: number, debt: Owed) => byKind(bookCredit(parties, sek(minor), debt))

  test('takes the principal back first', () => {
    expect(credit(700, owing(500, 100, 150))).toEqual({
      principal: -500,
      interest: -150,
      costs: -50,
      claims_on_debtors: 700,
    })
  })

  const settled = (minor: number, debt: Owed, writtenOff = 0) => {
    const { writeOff, refund } = bookSettledCredit(parties, {
      credit: sek(minor),
      owed: debt,
      writtenOff: sek(writtenOff),
    })
    return [byKind(writeOff), byKind(refund)]
  }

  test('of what was paid already is owed to the debtor by the creditor', () => {
    expect(credit(500, owing(200))).toEqual({ principal: -500, claims_on_debtors: 500 })
    expect(settled(500, owing(200))).toEqual([
      {},
      { principal: 300, claims_on_debtors: -300, credit: -300, held_for_creditor: 300 },
    ])
    expect(settled(200, owing(200))).toEqual([{}, {}])
  })

  test('of what nobody paid is owed to nobody', () => {
    expect(settled(500, owing(0), 20)).toEqual([
      { principal: 20, claims_on_debtors: -20 },
      { principal: 480, claims_on_debtors: -480, credit: -480, held_for_creditor: 480 },
    ])
    expect(settled(15, owing(0), 20)).toEqual([{ principal: 15, claims_on_debtors: -15 }, {}])
  })
})

test('every booking sums to zero and has no empty line', () => {
  fc.assert(
    fc.property(amount, owed, (paid, debt) => {
      for (const lines of [
        bookInvoice(parties, paid),
        bookPayment(parties, { gateway: 'direct-bank', amount: paid, owed: debt }),
        bookCredit(parties, paid, debt),
        bookOverpayment(parties, paid),
        ...Object.values(bookSettledCredit(parties, { credit: paid, owed: debt, writtenOff: sek(20) })),
      ]) {
        expect(sumOfLines(lines)).toEqual(sek(0))
        expect(lines.every((line) => line.amount.minor !== 0)).toBe(true)
      }
    }),
  )
})

test('lines that do not fit are not hidden by their sum', () => {
  const lines = bookInvoice(parties, sek(100))
  expect(sumOfLines(lines.slice(1))).toEqual(sek(-100))
  expect(sumOfLines([])).toEqual(sek(0))
})

describe('a claim', () => {
  const onClaim = { claimId: 'claim-1', creditorId: 'creditor-1', debtorId: 'debtor-1' }

  test('takes over all that an invoice owes, bucket by bucket', () => {
    fc.assert(
      fc.property(owed, (was) => {
        const lines = bookTransferToClaim({ invoiceId: 'invoice-1', claimId: 'claim-1' }, was)
        const on = (id: 'invoiceId' | 'claimId', bucket: Bucket): number =>
          lines.find(({ account }) => account.kind === bucket && id in account)?.amount.minor ?? 0
        for (const bucket of ALLOCATION_ORDER) {
          expect(on('claimId', bucket)).toBe(was[bucket].minor)
          expect(on('invoiceId', bucket)).toBe(-was[bucket].minor || 0)
        }
        expect(sumOfLines(lines).minor).toBe(0)
      }),
    )
  })

  test('is charged and paid as an invoice is, on accounts of its own', () => {
    fc.assert(
      fc.property(owed, amount, (was, paid) => {
        const payment = { gateway: 'DIRECT_BANK', amount: paid, owed: was }
        expect(byKind(bookPayment(onClaim, payment))).toEqual(byKind(bookPayment(parties, payment)))
        const all = [...bookPayment(onClaim, payment), ...bookCharge(onClaim, 'costs', paid)]
        expect(all.filter(({ account }) => 'invoiceId' in account)).toEqual([])
      }),
    )
  })
})
