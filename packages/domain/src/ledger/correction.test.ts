import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { money } from '../money.ts'
import { bookCredit, bookPayment, sumOfLines, type Line, type Owed } from './booking.ts'
import { bookFeesBack, bookReversal, bookWriteOff, owedAfterCredit } from './correction.ts'

const sek = (minor: number) => money(minor, 'SEK')
const parties = { invoiceId: 'i', creditorId: 'c', debtorId: 'd' }
const owing = (principal: number, costs = 0, interest = 0): Owed => ({
  principal: sek(principal),
  costs: sek(costs),
  interest: sek(interest),
})
const byKind = (lines: readonly Line[]) =>
  Object.fromEntries(lines.map(({ account, amount }) => [account.kind, amount.minor]))

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
    expect(byKind(bookFeesBack(parties, sek(75), owing(500, 60, 15)))).toEqual({
      costs: -60,
      interest: -15,
      claims_on_debtors: 75,
    })
  })

  test('and were paid already settle principal first, then are the debtor’s credit', () => {
    expect(byKind(bookFeesBack(parties, sek(75), owing(50)))).toEqual({
      principal: -50,
      claims_on_debtors: 50,
      credit: -25,
      held_for_creditor: 25,
    })
  })
})

const minor = fc.integer({ min: 0, max: 10_000_000 })
const owed = fc.tuple(minor, minor, minor).map(([p, c, i]) => owing(p, c, i))

test('every correction sums to zero and has no empty line', () => {
  fc.assert(
    fc.property(minor, owed, (amount, debt) => {
      const paid = bookPayment(parties, { gateway: 'g', amount: sek(amount), owed: debt })
      for (const lines of [
        bookWriteOff(parties, debt),
        bookFeesBack(parties, sek(amount), debt),
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
      const lines = byKind(bookCredit(parties, sek(amount), debt))
      const left = owedAfterCredit(sek(amount), debt)
      for (const bucket of ['principal', 'costs', 'interest'] as const) {
        expect(left[bucket].minor).toBe(debt[bucket].minor + (lines[bucket] ?? 0))
      }
    }),
  )
})
