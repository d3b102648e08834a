import { expect, test } from 'vitest'
import { date } from '../calendar.ts'
import { timeLimits } from './request.ts'

const TODAY = date('2026-11-02')

/** Written by hand from the calendar: 2 November and 14 days are the 16th, and 90 days are 31 January. */
test.each([
  ['late: from tomorrow, counted from today', '2026-10-20', 14, false, '2026-11-03', '2026-11-16'],
  ['not due yet: counted from its last day', '2026-11-20', 14, false, '2026-11-21', '2026-12-04'],
  ['granted by rule before: a person decides', '2026-10-20', 14, true, '2026-11-03', null],
  ['a creditor that decides itself', '2026-10-20', 0, false, '2026-11-03', null],
  ['no further by rule than can be asked for', '2027-01-25', 14, false, '2027-01-26', '2027-01-31'],
] as const)('%s', (_what, expireDate, mostDays, wasDecided, from, atOnce) => {
  const asked = { today: TODAY, expireDate: date(expireDate), bounds: { mostDays }, wasDecided }
  expect(timeLimits({ ...asked, costsInterest: false })).toEqual({ from, to: '2027-01-31', atOnce })
  expect(timeLimits({ ...asked, costsInterest: true })).toMatchObject({ atOnce: null })
})

test('who has until then already has nothing to ask for', () => {
  const asked = { today: TODAY, expireDate: date('2027-01-31'), bounds: { mostDays: 14 }, wasDecided: false }
  expect(timeLimits({ ...asked, costsInterest: false })).toBeUndefined()
})
