import { expect, test } from 'vitest'
import { date } from '../calendar.ts'
import { isUnsettled } from './unsettled.ts'

// Friday 2026-11-20; Christmas Eve 2026 is a Thursday, and Swedish banks are closed from then until Monday the 28th.
test.each([
  ['AUTHORIZED', '2026-11-20', 'SE', '2026-11-24', false],
  ['AUTHORIZED', '2026-11-20', 'SE', '2026-11-25', true],
  ['AUTHORIZED', '2026-12-23', 'SE', '2026-12-29', false],
  ['AUTHORIZED', '2026-12-23', 'SE', '2026-12-30', true],
  ['AUTHORIZED', '2026-12-23', 'FI', '2026-12-30', true],
  ['AUTHORIZED', '2027-01-29', 'SE', '2026-12-30', false],
  ['IN_PROGRESS', '2026-11-20', 'SE', '2027-01-10', false],
  ['COMPLETED', '2026-11-20', 'SE', '2027-01-10', false],
  ['FAILED', '2026-11-20', 'SE', '2027-01-10', false],
] as const)('%s, to move on %s in %s: on %s %s', (status, day, country, today, is) => {
  expect(isUnsettled({ status, executionDate: date(day), country }, date(today))).toBe(is)
})
