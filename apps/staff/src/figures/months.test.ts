import { expect, test } from 'vitest'
import { currenciesOf, monthsOf } from './months.ts'

const received = [
  { month: '2025-12', currency: 'SEK', amount: 1 },
  { month: '2026-11', currency: 'SEK', amount: 132_031.87 },
  { month: '2026-11', currency: 'EUR', amount: 500 },
]

test('twelve months, the last one that of today, each with what came in it', () => {
  const months = monthsOf(received, 'SEK', '2026-11-24')
  expect(months).toHaveLength(12)
  expect([months[0], months[1], months[11]]).toEqual([
    { month: '2025-12', minor: 100 },
    { month: '2026-01', minor: 0 },
    { month: '2026-11', minor: 13_203_187 },
  ])
})

test('over the turn of a year', () => {
  expect(monthsOf([], 'SEK', '2026-01-31').map(({ month }) => month)).toEqual([
    ...Array.from({ length: 11 }, (_, at) => `2025-${String(at + 2).padStart(2, '0')}`),
    '2026-01',
  ])
})

test('the currency with most comes first', () => {
  expect(currenciesOf(received)).toEqual(['SEK', 'EUR'])
})
