import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addDays, date, daysBetween } from '../calendar.ts'
import { addBankDays, easterSunday, isBankDay, weekdayOf } from './bank-days.ts'

test.each([
  [1961, '1961-04-02'],
  [2000, '2000-04-23'],
  [2008, '2008-03-23'],
  [2019, '2019-04-21'],
  [2024, '2024-03-31'],
  [2025, '2025-04-20'],
  [2026, '2026-04-05'],
  [2027, '2027-03-28'],
  [2038, '2038-04-25'],
])('Easter of %i is on %s', (year, day) => {
  expect(easterSunday(year)).toBe(day)
})

test('Easter is a Sunday between 22 March and 25 April', () => {
  for (let year = 1900; year < 2200; year += 1) {
    const day = easterSunday(year)
    expect(weekdayOf(day)).toBe(7)
    expect(day.slice(5) >= '03-22' && day.slice(5) <= '04-25').toBe(true)
  }
})

test('weekdays also before the year they are counted from', () => {
  expect(weekdayOf(date('2026-11-20'))).toBe(5)
  expect(weekdayOf(date('1999-12-31'))).toBe(5)
  expect(weekdayOf(date('2023-12-31'))).toBe(7)
})

/** Closed days of 2026 that are no weekend, as the banks of each country announce them. */
const CLOSED_2026: Record<string, string[]> = {
  SE: '01-01 01-06 04-03 04-06 05-01 05-14 06-19 12-24 12-25 12-31'.split(' '),
  NO: '01-01 04-02 04-03 04-06 05-01 05-14 05-25 12-24 12-25'.split(' '),
  DK: '01-01 04-02 04-03 04-06 05-14 05-15 05-25 06-05 12-24 12-25 12-31'.split(' '),
  FI: '01-01 01-06 04-03 04-06 05-01 05-14 06-19 12-24 12-25'.split(' '),
  DE: '01-01 04-03 04-06 05-01 12-25'.split(' '),
}

test.each(Object.entries(CLOSED_2026))('%s: the closed days of 2026', (country, closed) => {
  const found: string[] = []
  for (let day = date('2026-01-01'); day <= '2026-12-31'; day = addDays(day, 1)) {
    if (weekdayOf(day) <= 5 && !isBankDay(country, day)) found.push(day.slice(5))
  }
  expect(found).toEqual(closed)
})

test('the Danish Great Prayer Day was a holiday until 2023', () => {
  expect(isBankDay('DK', date('2023-05-05'))).toBe(false)
  expect(isBankDay('DK', date('2024-04-26'))).toBe(true)
})

test.each([
  ['over a weekend', 'SE', '2026-11-20', 3, '2026-11-25'],
  ['over Christmas and New Year', 'SE', '2026-12-22', 4, '2026-12-30'],
  ['over Easter', 'NO', '2026-04-01', 1, '2026-04-07'],
  ['none, from a bank day', 'FI', '2026-12-07', 0, '2026-12-07'],
  ['none, from a Saturday before a feast', 'FI', '2027-12-04', 0, '2027-12-07'],
])('%s', (...[, country, from, count, expected]) => {
  expect(addBankDays(country, date(from), count)).toBe(expected)
})

test('as many bank days lie between as were asked for', () => {
  fc.assert(
    fc.property(
      fc.constantFrom('SE', 'NO', 'DK', 'FI', 'PL', 'constructor'),
      fc.nat(20_000),
      fc.nat(30),
      (country, start, count) => {
        const from = addDays(date('2000-01-01'), start)
        const to = addBankDays(country, from, count)
        let open = 0
        for (let day = addDays(from, 1); day <= to; day = addDays(day, 1)) {
          if (isBankDay(country, day)) open += 1
        }
        expect(isBankDay(country, to)).toBe(true)
        expect(open).toBe(count === 0 && to > from ? 1 : count)
        expect(daysBetween(from, to)).toBeLessThanOrEqual(count * 2 + 12)
      },
    ),
  )
})
