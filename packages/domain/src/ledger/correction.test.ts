import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { money } from '../money.ts'
import { bookCredit, bookPayment, bookSettledCredit, type Line, type Owed } from './booking.ts'
import { sumOfLines } from '../testing/sum-of-lines.ts'
import {
  bookChargesBack,
  bookCreditUsed,
  bookFeesBack,
  bookReversal,
  bookWriteOff,
  owedAfterCredit,
  type GivenBack,
} from './correction.ts'

const sek = (minor: number) => money(minor, 'SEK')
const parties = { invoiceId: 'i', creditorId: 'c', debtorId: 'd' }
const owing = (principal: number, costs = 0, interest = 0): Owed => ({
  principal: sek(principal),
  costs: sek(costs),
  interest: sek(interest),
})
const byKind = (lines: readonly Line[]) =>
  lines.reduce<Record<string, number>>(
    (sums, { account, amount }) => ({ ...sums, [account.kind]: (sums[account.kind] ?? 0) + amount.minor }),
    {},
  )

test('a write-off empties every bucket at the cost of the creditor', () => {
  expect(byKind(bookWriteOff(parties, owing(100, 20, 3)))).toEqual({
    principal: -100,
    costs: -20,
    interest: -3,
    claims_on_debtors: 123,
  })
})

describe('fees that come back', () => {
  test('are no longer owed', () => {
    const { reversal, refund } = bookFeesBack(parties, sek(75), owing(500, 60, 15), sek(0))
    expect(byKind(reversal)).toEqual({ costs: -60, interest: -15, claims_on_debtors: 75 })
    expect(refund).toEqual([])
  })

  test('and were paid already settle principal first, then are the debtor’s credit', () => {
    const { reversal, refund } = bookFeesBack(parties, sek(75), owing(50), sek(0))
    expect(byKind(reversal)).toEqual({ principal: -75, claims_on_debtors: 75 })
    expect(byKind(refund)).toEqual({
      principal: 25,
      claims_on_debtors: -25,
      credit: -25,
      held_for_creditor: 25,
    })
  })
})

test('fees that come back and were written off were never paid: nothing is owed back', () => {
  const { reversal, writeOff, refund } = bookFeesBack(parties, sek(75), owing(0), sek(75))
  expect(byKind([...reversal, ...writeOff])).toEqual({ principal: 0, claims_on_debtors: 0 })
  expect(refund).toEqual([])
})

const minor = fc.integer({ min: 0, max: 10_000_000 })
const owed = fc.tuple(minor, minor, minor).map(([p, c, i]) => owing(p, c, i))

test('every correction sums to zero and has no empty line', () => {
  fc.assert(
    fc.property(minor, owed, (amount, debt) => {
      const paid = bookPayment(parties, { gateway: 'g', amount: sek(amount), owed: debt })
      for (const lines of [
        bookWriteOff(parties, debt),
        ...Object.values(bookFeesBack(parties, sek(amount), debt, sek(0))),
        bookReversal(paid),
      ]) {
        expect(sumOfLines(lines).minor).toBe(0)
        expect(lines.every((line) => line.amount.minor !== 0)).toBe(true)
      }
      expect(sumOfLines([...paid, ...bookReversal(paid)]).minor).toBe(0)
    }),
  )
})

test('what is owed after a credit is what its lines leave', () => {
  fc.assert(
    fc.property(minor, owed, (amount, debt) => {
      const settled = bookSettledCredit(parties, { credit: sek(amount), owed: debt, writtenOff: sek(0) })
      const lines = byKind([...bookCredit(parties, sek(amount), debt), ...settled.refund])
      const left = owedAfterCredit(sek(amount), debt)
      for (const bucket of ['principal', 'costs', 'interest'] as const) {
        expect(left[bucket].minor).toBe(debt[bucket].minor + (lines[bucket] ?? 0))
      }
    }),
  )
})

describe('what one step charged comes back', () => {
  const inAll = ({ reversal, writeOff, refund }: GivenBack) => byKind([...reversal, ...writeOff, ...refund])
  const charged = (costs: number, interest: number, writtenOff = 0) => ({
    costs: sek(costs),
    interest: sek(interest),
    writtenOff: sek(writtenOff),
  })

  test('each part out of its own bucket, whatever else stands in the others', () => {
    expect(inAll(bookChargesBack(parties, charged(60, 2), owing(500, 120, 15)))).toEqual({
      costs: -60,
      interest: -2,
      claims_on_debtors: 62,
    })
  })

  test('and what was paid of it settles the rest, then is the debtor’s credit', () => {
    expect(inAll(bookChargesBack(parties, charged(60, 2), owing(500, 10)))).toEqual({
      costs: -10,
      principal: -52,
      claims_on_debtors: 62,
    })
    const { reversal, refund } = bookChargesBack(parties, charged(60, 2), owing(0))
    expect(byKind(reversal)).toEqual({ principal: -62, claims_on_debtors: 62 })
    expect(byKind(refund)).toMatchObject({ principal: 62, credit: -62, held_for_creditor: 62 })
  })

  test('but not what was written off and so never paid', () => {
    expect(inAll(bookChargesBack(parties, charged(60, 2, 20), owing(0)))).toMatchObject({
      credit: -42,
      held_for_creditor: 42,
    })
    const { reversal, writeOff, refund } = bookChargesBack(parties, charged(10, 0, 25), owing(0))
    expect(byKind(reversal)).toEqual({ principal: -10, claims_on_debtors: 10 })
    expect(byKind(writeOff)).toEqual({ principal: 10, claims_on_debtors: -10 })
    expect(refund).toEqual([])
  })

  test('to the öre, in every case', () => {
    const part = fc.nat(10_000)
    fc.assert(
      fc.property(part, part, part, part, part, (costs, interest, ...owed) => {
        const { reversal, refund } = bookChargesBack(parties, charged(costs, interest), owing(...owed))
        expect(sumOfLines(reversal).minor).toBe(0)
        expect(sumOfLines(refund).minor).toBe(0)
        expect(byKind(reversal).claims_on_debtors ?? 0).toBe(costs + interest)
        const left = costs + interest - owed.reduce((sum, minor) => sum + minor, 0)
        expect(byKind(refund).held_for_creditor ?? 0).toBe(Math.max(0, left))
      }),
    )
  })
})

test('a credit that is worth more than what is owed again leaves the rest', () => {
  const lines = bookCreditUsed(parties, { credit: sek(100), holder: 'INSTANCE' }, owing(30, 5, 2))
  expect(sumOfLines(lines).minor).toBe(0)
  expect(byKind(lines)).toMatchObject({ principal: -30, costs: -5, interest: -2, credit: 37 })
  // The rest is a line of its own: somebody is asked to send it back.
  expect(lines).toContainEqual({ account: { kind: 'credit', debtorId: 'd' }, amount: sek(-63) })
})

test('a credit that nobody sent back settles what is owed again', () => {
  expect(
    byKind(bookCreditUsed(parties, { credit: sek(62), holder: 'INSTANCE' }, owing(1000, 60, 2))),
  ).toEqual({
    costs: -60,
    interest: -2,
    claims_on_debtors: 62,
    credit: 62,
    held_for_creditor: -62,
  })
})
