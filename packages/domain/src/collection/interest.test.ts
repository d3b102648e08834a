import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addDays, date } from '../calendar.ts'
import { money } from '../money.ts'
import { type DatedRate, lateInterest } from './interest.ts'

/** Swedish reference rates of the Riksbank with a margin of 8, some half-years. */
const SWEDISH: DatedRate[] = [
  { from: date('2023-07-01'), percent: '11.50' },
  { from: date('2024-01-01'), percent: '12.00' },
  { from: date('2025-01-01'), percent: '11.00' },
  { from: date('2025-07-01'), percent: '10.00' },
]

const owing = (minor: number, from: string, to: string) => ({
  principal: money(minor, 'SEK'),
  from: date(from),
  to: date(to),
  rates: SWEDISH,
})

describe('figures by hand', () => {
  test.each([
    ['30 days at 10 %', owing(100_000, '2026-02-01', '2026-03-02'), 822],
    ['over a change of rate', owing(249_500, '2025-05-31', '2025-08-15'), 5475],
    ['a leap year is divided by 365', owing(1_575_000, '2023-12-16', '2024-03-15'), 46_775],
    ['one day late', owing(39_900, '2026-02-28', '2026-02-28'), 11],
    ['paid on the due date', owing(39_900, '2026-02-28', '2026-02-27'), 0],
    ['a whole year', owing(100_000, '2026-01-01', '2026-12-31'), 10_000],
  ])('%s', (_name, debt, expected) => {
    expect(lateInterest(debt).interest).toEqual(money(expected, 'SEK'))
  })

  test('the year of 360 days, where the contract has it', () => {
    const debt = { ...owing(249_500, '2025-05-31', '2025-08-15'), dayCount: '30/360' as const }
    expect(lateInterest(debt).interest.minor).toBe(5406)
    expect(lateInterest(debt).segments.map((segment) => segment.days)).toEqual([30, 45])
  })
})

test('each rate has its segment, and the last known rate holds on', () => {
  const { segments } = lateInterest(owing(100_000, '2024-12-01', '2027-01-31'))
  expect(segments.map(({ from, to, days, percent }) => [from, to, days, percent])).toEqual([
    ['2024-12-01', '2024-12-31', 31, '12.00'],
    ['2025-01-01', '2025-06-30', 181, '11.00'],
    ['2025-07-01', '2027-01-31', 580, '10.00'],
  ])
})

test('the order of the rates does not matter, a day before the first has none', () => {
  const debt = owing(100_000, '2024-12-01', '2025-12-31')
  expect(lateInterest({ ...debt, rates: [...SWEDISH].reverse() })).toEqual(lateInterest(debt))
  expect(() => lateInterest(owing(100_000, '2023-06-30', '2025-12-31'))).toThrow(RangeError)
})

test('segments follow each other without gap and cover every day', () => {
  const span = fc.tuple(fc.nat(1200), fc.nat(1200))
  fc.assert(
    fc.property(span, fc.integer({ min: 1, max: 10_000_000 }), ([start, length], minor) => {
      const from = addDays(date('2023-07-01'), start)
      const to = addDays(from, length)
      const { segments, interest } = lateInterest({
        principal: money(minor, 'SEK'),
        from,
        to,
        rates: SWEDISH,
      })
      expect(segments[0]?.from).toBe(from)
      expect(segments.at(-1)?.to).toBe(to)
      expect(segments.reduce((days, segment) => days + segment.days, 0)).toBe(length + 1)
      for (const [index, segment] of segments.entries()) {
        const next = segments[index + 1]
        if (next) expect(next.from).toBe(addDays(segment.to, 1))
      }
      // All rates lie between 10 and 12 percent.
      const year = minor * (length + 1)
      expect(interest.minor).toBeGreaterThanOrEqual(Math.floor(year / 3650) - 1)
      expect(interest.minor).toBeLessThanOrEqual(Math.ceil((year * 12) / 36_500) + 1)
    }),
  )
})
