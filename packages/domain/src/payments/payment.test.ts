import { describe, expect, test } from 'vitest'
import {
  PAYMENT_MOVES,
  PAYMENT_STATUSES,
  canMovePayment,
  isFinal,
  isOpenPayment,
  isReturned,
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

/** As the wire tells of one. */
const told = (status: PaymentStatus, more: { receivedAmount?: number; outcomeUnknown?: boolean } = {}) => ({
  status,
  receivedAmount: status === 'COMPLETED' ? 842 : 0,
  outcomeUnknown: false,
  ...more,
})

test('one signed or settled payment replaces the options, failed ones do not', () => {
  expect(showsPaymentStatus([])).toBe(false)
  expect(showsPaymentStatus([told('CREATED'), told('IN_PROGRESS'), told('FAILED')])).toBe(false)
  for (const status of PAYMENT_STATUSES) {
    const expected = status === 'AUTHORIZED' || status === 'COMPLETED'
    expect(showsPaymentStatus([told('FAILED'), told(status)])).toBe(expected)
  }
})
test('what nobody knows the end of replaces them too, and what came although it had been given up', () => {
  expect(showsPaymentStatus([told('IN_PROGRESS', { outcomeUnknown: true })])).toBe(true)
  expect(showsPaymentStatus([told('FAILED', { outcomeUnknown: true })])).toBe(true)
  expect(showsPaymentStatus([told('FAILED', { receivedAmount: 842 })])).toBe(true)
})
test('what has gone back is paid no more', () => {
  const returned = told('COMPLETED', { receivedAmount: 0 })
  expect(isReturned(returned)).toBe(true)
  expect(showsPaymentStatus([returned])).toBe(false)
  expect(PAYMENT_STATUSES.filter((status) => isReturned(told(status)))).toEqual([])
})
