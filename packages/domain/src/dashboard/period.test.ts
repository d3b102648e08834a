import { describe, expect, test } from 'vitest'
import { date } from '../calendar.ts'
import {
  barsOf,
  comparedWith,
  lengthOf,
  periodBefore,
  periodFault,
  periodOf,
  PERIODS,
  unitOf,
} from './period.ts'

const period = (from: string, to: string) => ({ from: date(from), to: date(to) })

describe('by its name', () => {
  test.each([
    ['2026-11-20', 'this_month', '2026-11-01', '2026-11-20'],
    ['2026-11-01', 'this_month', '2026-11-01', '2026-11-01'],
    ['2026-03-31', 'last_month', '2026-02-01', '2026-02-28'],
    ['2026-01-15', 'last_month', '2025-12-01', '2025-12-31'],
    ['2024-03-01', 'last_month', '2024-02-01', '2024-02-29'],
    ['2026-11-20', 'last_30', '2026-10-22', '2026-11-20'],
    ['2026-11-20', 'last_90', '2026-08-23', '2026-11-20'],
  ] as const)('on %s %s', (today, name, from, to) => {
    expect(periodOf(name, date(today))).toEqual({ from, to })
  })
})

test('the days before are as many, and end where it begins', () => {
  for (const name of PERIODS) {
    const of = periodOf(name, date('2026-03-30'))
    const before = periodBefore(of)
    expect(lengthOf(before)).toBe(lengthOf(of))
    expect(lengthOf({ from: before.from, to: of.to })).toBe(2 * lengthOf(of))
  }
})

test('days that are to come are compared with none', () => {
  const on = date('2026-11-20')
  expect(comparedWith(period('2026-11-01', '2026-11-30'), on)).toEqual(period('2026-10-12', '2026-10-31'))
  expect(comparedWith(period('2026-11-20', '2026-12-20'), on)).toEqual(period('2026-11-19', '2026-11-19'))
  expect(comparedWith(period('2026-11-01', '2026-11-20'), on)).toEqual(period('2026-10-12', '2026-10-31'))
  expect(comparedWith(period('2026-09-01', '2026-09-30'), on)).toEqual(period('2026-08-02', '2026-08-31'))
  expect(comparedWith(period('2026-12-01', '2026-12-31'), on)).toEqual(period('2026-10-31', '2026-11-30'))
})

test('neither backwards nor longer than three years', () => {
  expect(periodFault(period('2026-11-20', '2026-11-20'))).toBeUndefined()
  expect(periodFault(period('2026-11-21', '2026-11-20'))).toBe('period_reversed')
  expect(periodFault(period('2023-11-21', '2026-11-20'))).toBeUndefined()
  expect(periodFault(period('2023-11-20', '2026-11-20'))).toBe('period_too_long')
})

test('a bar for each day, and of many days for each month', () => {
  expect(barsOf(period('2026-10-30', '2026-11-02'), 'DAY')).toEqual([
    '2026-10-30',
    '2026-10-31',
    '2026-11-01',
    '2026-11-02',
  ])
  expect(unitOf(period('2026-08-01', '2026-10-31'))).toBe('DAY')
  expect(unitOf(period('2026-08-01', '2026-11-01'))).toBe('MONTH')
  expect(barsOf(period('2026-01-31', '2026-04-01'), 'MONTH')).toEqual([
    '2026-01-01',
    '2026-02-01',
    '2026-03-01',
    '2026-04-01',
  ])
})
