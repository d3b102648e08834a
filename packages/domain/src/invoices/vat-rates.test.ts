import { expect, test } from 'vitest'
import type { CalendarDate } from '../calendar.ts'
import { vatRatesOf } from './vat-rates.ts'

test.each([
  ['SE', '2026-11-20', '25 12 6 0'],
  ['NO', '2026-11-20', '25 15 12 0'],
  ['DK', '2026-11-20', '25 0'],
  ['FI', '2024-08-31', '24 14 10 0'],
  ['FI', '2024-09-01', '25.5 14 10 0'],
  ['FI', '2025-12-31', '25.5 14 10 0'],
  ['FI', '2026-01-01', '25.5 13.5 10 0'],
  ['DE', '2026-11-20', '25 0'],
])('%s on %s: %s', (country, day, rates) => {
  expect(vatRatesOf(country, day as CalendarDate).join(' ')).toBe(rates)
})
