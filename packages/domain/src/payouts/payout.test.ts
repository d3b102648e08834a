import { expect, test } from 'vitest'
import { bookOperatorsPart, bookPayout } from '../ledger/payout.ts'
import { money } from '../money.ts'
import { canMovePayout, PAYOUT_STATUSES, verdictOf } from './payout.ts'

test('a payout moves along its table alone', () => {
  const moves = PAYOUT_STATUSES.flatMap((from) =>
    PAYOUT_STATUSES.filter((to) => canMovePayout(from, to)).map((to) => `${from} ${to}`),
  )
  expect(moves).toEqual([
    'SENT ACCEPTED',
    'SENT PAID',
    'SENT REFUSED',
    'SENT NOT_EXECUTED',
    'ACCEPTED PAID',
    'ACCEPTED REFUSED',
    'ACCEPTED NOT_EXECUTED',
    'PAID RETURNED',
    'NOT_EXECUTED ACCEPTED',
    'NOT_EXECUTED REFUSED',
    'NOT_EXECUTED PAID_TWICE',
  ])
})

test('what a bank has not decided is no verdict', () => {
  expect(['RJCT', 'ACCP', 'ACSC', 'PDNG', 'PART', 'RCVD', undefined].map(verdictOf)).toEqual([
    'REFUSED',
    'ACCEPTED',
    'ACCEPTED',
    undefined,
    undefined,
    undefined,
    undefined,
  ])
})

test('what leaves is held no more, and each booking comes to zero', () => {
  const amount = money(33_500, 'SEK')
  for (const lines of [bookPayout('c', amount), bookOperatorsPart('c', amount)]) {
    expect(lines[0]).toEqual({ account: { kind: 'held_for_creditor', creditorId: 'c' }, amount })
    expect(lines.reduce((sum, line) => sum + line.amount.minor, 0)).toBe(0)
  }
})
