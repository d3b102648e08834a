import { expect, test } from 'vitest'
import {
  allocateToDebts,
  creditUsedCause,
  MOST_SHARES,
  paymentOfCreditUsed,
  shareCause,
  shareCauses,
  shareId,
} from './shares.ts'

test.each([
  [800, [500, 700], [500, 300]],
  [1200, [500, 700], [500, 700]],
  [1300, [500, 700], [600, 700]],
  [400, [500, 700], [400, 0]],
  [800, [0], [800]],
  [1, [0, 700], [0, 1]],
])('%i over %j', (amount, owed, shares) => {
  expect(allocateToDebts(amount, owed)).toEqual(shares)
})

test('no share is lost, none is more than is owed but the first', () => {
  for (let amount = 1; amount < 40; amount += 3) {
    for (const owed of [
      [5, 7, 11],
      [0, 9, 1],
      [13, 0, 2],
    ]) {
      const shares = allocateToDebts(amount, owed)
      expect(shares.reduce((sum, share) => sum + share, 0)).toBe(amount)
      expect(shares.slice(1).every((share, index) => share <= (owed[index + 1] ?? 0))).toBe(true)
    }
  }
})

test('the first share is called as the money is, and every share by another name', () => {
  expect([shareCause('p', 1), shareCause('p', 2)]).toEqual(['payment:p', 'payment:p:2'])
  expect(new Set(shareCauses('p')).size).toBe(MOST_SHARES)
})

test('each share has an identifier of its own', () => {
  const id = '0198e1c0-5a1b-7c3d-8e4f-0123456789ab'
  expect([1, 2, 50].map((share) => shareId(id, share))).toEqual([
    id,
    '0198e1c0-5a1b-8c3d-8e4f-012345678902',
    '0198e1c0-5a1b-8c3d-8e4f-012345678932',
  ])
})

test.each(['INSTANCE', 'CREDITOR'] as const)('whose credit was used, of the %s', (holder) => {
  const [money, taken] = ['0199aaaa-0000-7000-8000-000000000001', '0199aaaa-0000-7000-8000-000000000002']
  for (const cause of [shareCause(money, 1), shareCause(money, 2)])
    expect(paymentOfCreditUsed(creditUsedCause(cause, holder, taken))).toBe(cause)
  // A correction's is used once, and is nobody's payment.
  expect(creditUsedCause('dispute:d', 'INSTANCE', taken)).toBe('credit-used:dispute:d')
  expect(paymentOfCreditUsed(creditUsedCause('dispute:d', holder, taken))).toBeUndefined()
  expect(paymentOfCreditUsed(`reversal:payment:${money}`)).toBeUndefined()
})
