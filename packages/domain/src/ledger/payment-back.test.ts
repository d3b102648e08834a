import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { money } from '../money.ts'
import { bookPayment, type Line } from './booking.ts'
import { sumOfLines } from '../testing/sum-of-lines.ts'
import type { DebtEvent } from './charge-reversals.ts'
import { bookPaymentBack, chargesWithout } from './payment-back.ts'

const sek = (minor: number) => money(minor, 'SEK')
const parties = { invoiceId: 'i', creditorId: 'c', debtorId: 'd' }
const owing = (principal: number, costs = 0, interest = 0) => ({
  principal: sek(principal),
  costs: sek(costs),
  interest: sek(interest),
})
const byKind = (lines: readonly Line[]) =>
  lines.reduce<Record<string, number>>(
    (sums, { account, amount }) => ({ ...sums, [account.kind]: (sums[account.kind] ?? 0) + amount.minor }),
    {},
  )

const event = (kind: string, cause: string, more: Partial<DebtEvent> = {}): DebtEvent => ({
  kind,
  cause,
  invoiceId: 'i',
  principalMinor: 0,
  costsMinor: 0,
  interestMinor: 0,
  creditedMinor: 0,
  takenBackMinor: 0,
  waivedMinor: 0,
  isOfStep: false,
  isCharge: false,
  ...more,
})
const fee = (n: number, costsMinor: number, more: Partial<DebtEvent> = {}) =>
  event('REMINDER', `step:${n}`, { costsMinor, isOfStep: true, isCharge: true, ...more })
const paid = (n: number, costsMinor: number) => event('PAYMENT', `payment:${n}`, { costsMinor: -costsMinor })
const waived = (charge: string, costsMinor: number) =>
  event('REVERSAL', `waived:d-1:${charge}`, { costsMinor: -costsMinor })
const GONE = { isCharge: false }

describe('what a debt would owe in fees without a payment', () => {
  test.each<[string, DebtEvent[][], number]>([
    ['a fee that stands', [[fee(1, 60), paid(1, 60)]], 60],
    ['another paid it', [[fee(1, 60), paid(2, 40), paid(1, 20)]], 20],
    ['another was taken back too', [[fee(1, 60), paid(2, 60), event('REVERSAL', 'reversal:payment:2')]], 60],
    ['taken back with its letter', [[fee(1, 60, GONE), paid(1, 60), event('REVERSAL', 'unsent:1')]], 0],
    ['credited in part', [[fee(1, 60, { takenBackMinor: 45 }), paid(1, 60)]], 15],
    [
      'what had paid one that went does not pay the next',
      [[fee(1, 60, GONE), paid(2, 60), fee(2, 50), paid(1, 50)]],
      50,
    ],
    ['paid by another, and one that went', [[fee(1, 60), paid(2, 60), fee(2, 50, GONE), paid(1, 50)]], 0],
    ['billed with an instalment', [[event('ADMIN_FEE', 'admin-fee:1', { costsMinor: 30 }), paid(1, 30)]], 30],
    [
      'what an invoice brought into a claim, one of its fees gone',
      [
        [fee(1, 60, GONE), fee(2, 50), event('TRANSFER_TO_CLAIM', 't', { costsMinor: -110 })],
        [event('TRANSFER_TO_CLAIM', 't', { costsMinor: 110 }), fee(3, 180), paid(1, 290)],
      ],
      230,
    ],
    [
      'a fee that was waived in part',
      [[fee(1, 60, { takenBackMinor: 20 }), waived('step:1', 20), paid(1, 40)]],
      40,
    ],
    [
      'waived of what no step charged',
      [[event('ADMIN_FEE', 'admin-fee:1', { costsMinor: 30 }), waived('admin-fee:1', 20), paid(1, 10)]],
      10,
    ],
    ['all was taken back by a decision', [[fee(1, 60), paid(1, 20), event('REVERSAL', 'upheld:1')]], 0],
  ])('%s', (_, stories, costsMinor) => {
    expect(chargesWithout(stories, 'payment:1')).toEqual({ costsMinor, interestMinor: 0 })
  })
})

test('what no bucket takes is principal, and one that has room takes what its neighbour does not', () => {
  const lines = bookPayment(parties, { gateway: 'g', amount: sek(100), owed: owing(500, 60, 15) })
  expect(byKind(bookPaymentBack(lines, owing(475), { costsMinor: 0, interestMinor: 41 }))).toMatchObject({
    interest: 41,
    principal: 59,
  })
  expect(byKind(bookPaymentBack(lines, owing(475), { costsMinor: 60, interestMinor: 15 }))).toMatchObject({
    costs: 60,
    interest: 15,
    principal: 25,
  })
})

const minor = fc.integer({ min: 0, max: 10_000_000 })

test('the sum is what the payment was, and no bucket comes to hold more than it may', () => {
  fc.assert(
    fc.property(minor, minor, minor, minor, minor, minor, (amount, p, c, i, costsMinor, interestMinor) => {
      const lines = bookPayment(parties, { gateway: 'g', amount: sek(amount), owed: owing(p, c, i) })
      const back = bookPaymentBack(lines, owing(0), { costsMinor, interestMinor })
      const { costs = 0, interest = 0, principal = 0, held_for_creditor: held = 0 } = byKind(back)
      expect(sumOfLines(back).minor).toBe(0)
      expect(costs + interest + principal).toBe(held)
      expect(costs).toBeLessThanOrEqual(costsMinor)
      expect(interest).toBeLessThanOrEqual(interestMinor)
    }),
  )
})
