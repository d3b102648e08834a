/** Which days a settlement is of, and how it moves on. */
import { describe, expect, test } from 'vitest'
import { date } from '../calendar.ts'
import { canMoveSettlement, nextPeriod, periodOf, SETTLEMENT_STATUSES } from './settlement.ts'

describe('periods', () => {
  test('a week begins on Monday, a month ends on its last day', () => {
    expect(periodOf(date('2026-11-08'), 'WEEK')).toEqual({ from: '2026-11-02', to: '2026-11-08' })
    expect(periodOf(date('2026-11-02'), 'WEEK')).toEqual({ from: '2026-11-02', to: '2026-11-08' })
    expect(periodOf(date('2028-02-29'), 'MONTH')).toEqual({ from: '2028-02-01', to: '2028-02-29' })
  })

  const next = (first: string, last: string | undefined, today: string) =>
    nextPeriod(
      { firstDay: date(first), lastTo: last === undefined ? undefined : date(last), today: date(today) },
      () => 'WEEK',
    )
  test('the one of the first day that is left, once it has ended', () => {
    expect(next('2026-11-04', undefined, '2026-11-08')).toBeUndefined()
    expect(next('2026-11-04', undefined, '2026-11-09')).toEqual({ from: '2026-11-02', to: '2026-11-08' })
    expect(next('2026-11-18', '2026-11-08', '2026-11-23')).toEqual({ from: '2026-11-16', to: '2026-11-22' })
  })
  test('what was booked within the last one is in the next', () => {
    expect(next('2026-11-08', '2026-11-08', '2026-11-16')).toEqual({ from: '2026-11-09', to: '2026-11-15' })
  })
  test('after a month that ended in a week the rest of the week', () => {
    expect(next('2026-11-01', '2026-10-31', '2026-11-02')).toEqual({ from: '2026-11-01', to: '2026-11-01' })
  })
})

test('only what is counted is approved or carried', () => {
  expect(canMoveSettlement('COUNTING', 'TO_APPROVE')).toBe(true)
  expect(canMoveSettlement('COUNTING', 'CARRIED')).toBe(true)
  expect(canMoveSettlement('TO_APPROVE', 'CARRIED')).toBe(false)
  expect(canMoveSettlement('CARRIED', 'TO_APPROVE')).toBe(false)
})

test('it is approved, sent and paid; refused by the bank it is approved again', () => {
  const moves = SETTLEMENT_STATUSES.flatMap((from) =>
    SETTLEMENT_STATUSES.filter((to) => canMoveSettlement(from, to)).map((to) => `${from} ${to}`),
  )
  expect(moves).toEqual([
    'COUNTING TO_APPROVE',
    'COUNTING CARRIED',
    'TO_APPROVE APPROVED',
    'APPROVED SENT',
    'SENT PAID',
    'SENT REFUSED',
    'PAID REFUSED',
    'REFUSED APPROVED',
    'REFUSED SENT',
  ])
})
