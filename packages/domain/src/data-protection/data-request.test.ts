import { expect, test } from 'vitest'
import { date } from '../calendar.ts'
import { canBeAnswered, lastDayToAnswer } from './data-request.ts'

test.each([
  // 20 December 2026 is a Sunday; 31 January 2027 too; 28 February 2027 is one as well.
  ['the same day of the next month', '2026-11-16', false, '2026-12-16'],
  ['a Sunday becomes Monday', '2026-11-20', false, '2026-12-21'],
  ['a month without such a day: its last, here a Sunday', '2027-01-29', false, '2027-03-01'],
  ['extended by two months', '2026-11-16', true, '2027-02-16'],
])('%s', (_, came, isExtended, last) => {
  expect(lastDayToAnswer(date(came), isExtended, 'SE')).toBe(last)
})

test('a copy is handed out to whoever asked for one, and nothing else is', () => {
  expect(canBeAnswered('ACCESS', 'HANDED_OUT')).toBe(true)
  expect(canBeAnswered('ACCESS', 'ELSEWHERE')).toBe(false)
  expect(canBeAnswered('ERASURE', 'HANDED_OUT')).toBe(false)
  expect(canBeAnswered('ERASURE', 'ELSEWHERE')).toBe(true)
  expect(canBeAnswered('OBJECTION', 'REFUSED')).toBe(true)
})
