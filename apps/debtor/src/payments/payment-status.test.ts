/** What a debt with payments is called: never paid what is not, and never finished what is not. */
import type { PaymentAnswer } from '@kvitt/domain/payments/payment.contract.ts'
import { expect, test } from 'vitest'
import { chipOf, uncoveredOf } from './payment-status.tsx'

type Made = Pick<PaymentAnswer, 'status' | 'amount' | 'receivedAmount' | 'paymentOption'>

const payment = (made: Made): PaymentAnswer => ({
  id: '00000000-0000-4000-8000-000000000001',
  moved: false,
  currency: 'SEK',
  paymentDate: '2026-11-20',
  externalLink: null,
  qrCode: null,
  serviceProviderCode: 'DIRECT_BANK',
  createdAt: '2026-11-20T10:00:00Z',
  stale: false,
  outcomeUnknown: false,
  ...made,
})
const received = (amount: number, paymentOption: Made['paymentOption'] = 'pay-now') =>
  payment({ status: 'COMPLETED', amount, receivedAmount: amount, paymentOption })
const approved = (amount: number, paymentOption: Made['paymentOption'] = 'pay-now') =>
  payment({ status: 'AUTHORIZED', amount, receivedAmount: 0, paymentOption })

test.each([
  ['nothing is left', 0, [received(3000)], 'payment.status_completed'],
  ['3 000 have come, and 9 000 are left', 900_000, [received(3000)], 'payment.status_part'],
  ['what was due then has come', 900_000, [received(3000, 'due-date')], 'payment.status_part'],
  ['3 000 of 12 000 are on their way', 1_200_000, [approved(3000)], 'payment.status_pay_now'],
  [
    'a part follows on the due date',
    900_000,
    [received(3000), approved(10, 'due-date')],
    'payment.status_due_date',
  ],
  ['all that is left is on its way', 900_000, [received(3000), approved(9000)], 'payment.status_pending'],
  ['it waits for an authorisation elsewhere', 900_000, [], 'payment.status_pending'],
] as const)('%s', (_, balanceMinor, payments, title) => {
  expect(chipOf(balanceMinor, payments).title).toBe(title)
})

test('what no payment covers is left', () => {
  expect(uncoveredOf(1_200_000, [approved(3000)])).toBe(900_000)
  expect(uncoveredOf(900_000, [received(3000)])).toBe(900_000)
  expect(uncoveredOf(900_000, [received(3000), approved(9000)])).toBe(0)
})
