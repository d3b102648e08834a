import { expect, test } from 'vitest'
import { date } from '../calendar.ts'
import { canBeAnswered, groundsFor, lastDayToAnswer } from './data-request.ts'

test.each([
  // 20 December 2026 is a Sunday; 31 January 2027 too; 28 February 2027 is one as well.
  ['the same day of the next month', '2026-11-16', false, '2026-12-16'],
  ['a Sunday becomes Monday', '2026-11-20', false, '2026-12-21'],
  ['a month without such a day: its last, here a Sunday', '2027-01-29', false, '2027-03-01'],
  ['extended by two months', '2026-11-16', true, '2027-02-16'],
])('%s', (_, came, isExtended, last) => {
  expect(lastDayToAnswer(date(came), isExtended, 'SE')).toBe(last)
})

test.each([
  // By the laws on holidays: Christmas Day and the day after it are a Friday and a Saturday in 2026.
  ['Christmas Day', '2026-11-25', 'SE', '2026-12-28'],
  ['Ascension Day, 14 May 2026', '2026-04-14', 'DK', '2026-05-15'],
  ['the Friday after Ascension Day is no holiday in law', '2026-04-15', 'DK', '2026-05-15'],
  ['5 June is in doubt', '2026-05-05', 'DK', '2026-06-05'],
  ['Whit Monday, 25 May 2026', '2026-04-25', 'DK', '2026-05-26'],
  ['no Whit Monday in Sweden', '2026-04-25', 'SE', '2026-05-25'],
  ['Maundy Thursday to Easter Monday, 2 to 6 April 2026', '2026-03-02', 'NO', '2026-04-07'],
  ['17 May 2027', '2027-04-17', 'NO', '2027-05-18'],
  ['Christmas Eve', '2026-11-24', 'NO', '2026-12-24'],
  ['Christmas Eve', '2026-11-24', 'FI', '2026-12-24'],
  ['6 December 2027', '2027-11-06', 'FI', '2027-12-07'],
  ['Midsummer Eve', '2026-05-19', 'SE', '2026-06-19'],
  ['holidays of another country are not known here', '2026-11-25', 'DE', '2026-12-25'],
  ['its weekends are', '2026-11-26', 'DE', '2026-12-28'],
])('%s, asked on %s, %s', (_, came, country, last) => {
  expect(lastDayToAnswer(date(came), false, country)).toBe(last)
})

test('a copy is handed out to whoever asked for one, and nothing else is', () => {
  expect(canBeAnswered('ACCESS', 'HANDED_OUT')).toBe(true)
  expect(canBeAnswered('ACCESS', 'ELSEWHERE')).toBe(false)
  expect(canBeAnswered('ERASURE', 'HANDED_OUT')).toBe(false)
  expect(canBeAnswered('ERASURE', 'ELSEWHERE')).toBe(true)
  expect(canBeAnswered('OBJECTION', 'REFUSED')).toBe(true)
  expect(canBeAnswered('ACCESS', 'NOT_DONE')).toBe(false)
})

test('what may be left undone, each on grounds of its own', () => {
  expect(groundsFor('ERASURE', 'NOT_DONE')).toEqual(['KEPT_BY_LAW', 'LEGAL_CLAIMS'])
  expect(groundsFor('RECTIFICATION', 'NOT_DONE')).toEqual(['DATA_ARE_RIGHT'])
  expect(groundsFor('OBJECTION', 'NOT_DONE')).toEqual(['OVERRIDING_GROUNDS', 'LEGAL_CLAIMS'])
  expect(groundsFor('ERASURE', 'ELSEWHERE')).toEqual([])
})
