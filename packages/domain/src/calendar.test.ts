import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addDays, addMonths, date, dayOf, daysBetween, laterOf, parseAnyDate, parseDate } from './calendar.ts'

const anyDay = fc.integer({ min: 0, max: 60_000 }).map((days) => addDays(date('1950-01-01'), days))

test.each([
  '2026-02-29',
  '2026-02-30',
  '2026-13-01',
  '2026-00-10',
  '2026-04-31',
  '26-01-01',
  '2026-1-1',
  '',
  ' 2026-01-01',
])('"%s" is no day', (text) => {
  expect(parseDate(text)).toBeUndefined()
  expect(() => date(text)).toThrow(RangeError)
})

test.each(['2024-02-29', '2000-02-29', '2026-12-31', '0100-01-01'])('%s is a day', (text) => {
  expect(parseDate(text)).toBe(text)
})

test('a day beyond the year 9999 cannot be written, so it is refused', () => {
  expect(parseDate('9999-13-01')).toBeUndefined()
  expect(parseDate('0026-01-01')).toBeUndefined()
  expect(addDays(date('9999-12-30'), 1)).toBe('9999-12-31')
  expect(() => addDays(date('9999-12-31'), 1)).toThrow(RangeError)
  expect(() => addMonths(date('9999-12-31'), 1)).toThrow(RangeError)
})

test('1900 and 2100 have no leap day, 2000 has', () => {
  expect(parseDate('1900-02-29')).toBeUndefined()
  expect(parseDate('2100-02-29')).toBeUndefined()
  expect(addDays(date('2000-02-28'), 1)).toBe('2000-02-29')
})

test('days added are days between, and text order is time order', () => {
  fc.assert(
    fc.property(anyDay, fc.integer({ min: -20_000, max: 20_000 }), (day, days) => {
      const later = addDays(day, days)
      expect(daysBetween(day, later)).toBe(days)
      expect(addDays(later, -days)).toBe(day)
      expect(parseDate(later)).toBe(later)
      expect(Math.sign(days)).toBe(later > day ? 1 : later < day ? -1 : 0)
      expect(laterOf(day, later)).toBe(days > 0 ? later : day)
    }),
  )
})

test.each([
  ['2026-01-31', 1, '2026-02-28'],
  ['2024-01-31', 1, '2024-02-29'],
  ['2026-01-31', 3, '2026-04-30'],
  ['2026-11-30', 3, '2027-02-28'],
  ['2026-12-15', 1, '2027-01-15'],
  ['2026-03-31', -1, '2026-02-28'],
  ['2026-01-15', -13, '2024-12-15'],
  ['2026-05-31', 0, '2026-05-31'],
])('%s and %i months is %s', (day, months, expected) => {
  expect(addMonths(date(day), months)).toBe(expected)
})

test('months added land in that month, on the same day or its last', () => {
  fc.assert(
    fc.property(anyDay, fc.integer({ min: -240, max: 240 }), (day, months) => {
      const result = addMonths(day, months)
      const count = (text: string) => Number(text.slice(0, 4)) * 12 + Number(text.slice(5, 7))
      expect(count(result) - count(day)).toBe(months)
      const sameDay = result.slice(8) === day.slice(8)
      const lastDay = addDays(result, 1).slice(8) === '01'
      expect(sameDay || (lastDay && result.slice(8) < day.slice(8))).toBe(true)
    }),
  )
})

// 2026: summer time from 29 March 01:00 UTC to 25 October 01:00 UTC.
test.each([
  ['2026-03-28T22:59:59Z', 'Europe/Stockholm', '2026-03-28'],
  ['2026-03-28T23:00:00Z', 'Europe/Stockholm', '2026-03-29'],
  ['2026-03-29T21:59:59Z', 'Europe/Stockholm', '2026-03-29'],
  ['2026-03-29T22:00:00Z', 'Europe/Stockholm', '2026-03-30'],
  ['2026-10-24T22:00:00Z', 'Europe/Stockholm', '2026-10-25'],
  ['2026-10-25T22:59:59Z', 'Europe/Stockholm', '2026-10-25'],
  ['2026-10-25T23:00:00Z', 'Europe/Stockholm', '2026-10-26'],
  ['2026-10-25T22:30:00Z', 'Europe/Helsinki', '2026-10-26'],
  ['2026-12-31T23:30:00Z', 'Europe/Oslo', '2027-01-01'],
  ['2026-12-31T23:30:00Z', 'UTC', '2026-12-31'],
])('at %s the wall in %s shows %s', (instant, zone, day) => {
  expect(dayOf(Date.parse(instant), zone)).toBe(day)
})

test('the days with 23 and 25 hours count as one day each', () => {
  expect(daysBetween(date('2026-03-28'), date('2026-03-30'))).toBe(2)
  expect(daysBetween(date('2026-10-24'), date('2026-10-26'))).toBe(2)
  const noon = Date.parse('2026-03-27T11:00:00Z')
  for (let day = 0; day < 300; day++) {
    expect(dayOf(noon + day * 86_400_000, 'Europe/Stockholm')).toBe(addDays(date('2026-03-27'), day))
  }
})

test.each([
  ['2026-12-04', '2026-12-04'],
  ['4.12.2026', '2026-12-04'],
  ['04.12.2026', '2026-12-04'],
  ['04-12-2026', '2026-12-04'],
  ['04/12/2026', '2026-12-04'],
  ['31/1/2026', '2026-01-31'],
  ['1/31/2026', undefined],
  ['31.2.2026', undefined],
  ['4.12.26', undefined],
  ['2026/12/04', undefined],
  ['4. 12. 2026', undefined],
  ['', undefined],
])('"%s" as people write it is %s', (text, day) => {
  expect(parseAnyDate(text)).toBe(day)
})
