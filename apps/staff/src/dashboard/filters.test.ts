import { expect, test } from 'vitest'
import { addressOf, choiceOf, filtersOf, type Filters } from './filters.ts'

test('the usual is not in the address, and whatever is opens the same', () => {
  expect(addressOf({ period: 'this_month' })).toBe('#/dashboard')
  expect(addressOf({ period: 'last_30', creditor: 'c1' })).toBe('#/dashboard?creditor=c1&period=last_30')
  expect(addressOf({ from: '2026-11-01', to: '2026-11-02' })).toBe(
    '#/dashboard?from=2026-11-01&to=2026-11-02',
  )
  const each: readonly Filters[] = [
    {},
    { period: 'last_90' },
    { from: '2026-01-01', to: '2026-02-01', creditor: 'c1' },
  ]
  for (const filters of each) {
    const [, query = ''] = addressOf(filters).split('?')
    expect(filtersOf(Object.fromEntries(new URLSearchParams(query)))).toEqual(filters)
  }
})

test('days go before a name, and what is no choice stands as this month', () => {
  expect(filtersOf({ period: 'last_30', from: '2026-11-01' })).toEqual({ from: '2026-11-01' })
  expect(choiceOf({ from: '2026-11-01' })).toBe('own')
  expect(choiceOf({ period: 'last_month' })).toBe('last_month')
  expect(choiceOf(filtersOf({ period: 'always' }))).toBe('this_month')
  expect(choiceOf({})).toBe('this_month')
})
