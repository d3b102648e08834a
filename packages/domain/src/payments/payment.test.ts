import { describe, expect, test } from 'vitest'
import {
  PAYMENT_MOVES,
  PAYMENT_STATUSES,
  canMovePayment,
  isFinal,
  isOpenPayment,
  showsPaymentStatus,
  type PaymentStatus,
} from './payment.ts'

const ORDER: Record<PaymentStatus, number> = {
  CREATED: 0,
  IN_PROGRESS: 1,
  AUTHORIZED: 2,
  COMPLETED: 3,
  FAILED: 3,
}

describe.each(PAYMENT_STATUSES)('from %s', (from) => {
  test.each(PAYMENT_STATUSES)('to %s only forwards', (to) => {
    expect(canMovePayment(from, to)).toBe(ORDER[to] > ORDER[from])
  })
})

test('what has ended stays so, whatever arrives later', () => {
  for (const status of PAYMENT_STATUSES) {
    expect(isFinal(status)).toBe(status === 'COMPLETED' || status === 'FAILED')
    expect(PAYMENT_MOVES[status]).not.toContain(status)
  }
})

test('until it is signed a payment may be handed out again or replaced', () => {
  expect(PAYMENT_STATUSES.filter(isOpenPayment)).toEqual(['CREATED', 'IN_PROGRESS'])
})

test('one signed or settled payment replaces the options, failed ones do not', () => {
  expect(showsPaymentStatus([])).toBe(false)
  expect(showsPaymentStatus(['CREATED', 'IN_PROGRESS', 'FAILED'])).toBe(false)
  for (const status of PAYMENT_STATUSES) {
    const expected = status === 'AUTHORIZED' || status === 'COMPLETED'
    expect(showsPaymentStatus(['FAILED', status])).toBe(expected)
  }
})
