import { expect, test } from 'vitest'
import { date } from '../calendar.ts'
import { interestPeriods } from './interest-periods.ts'
import { interestOn, PARTS_OF_MINOR, type OwedDays } from './interest-posting.ts'

const owing = (principalMinor: number, from: string, to: string): OwedDays => ({
  principalMinor,
  from: date(from),
  to: date(to),
})

function periodsOn(owed: readonly OwedDays[], restParts = 0) {
  const sum = interestOn({
    owed,
    restParts,
    country: 'SE',
    debtorKind: 'consumer',
    fellDueOn: date('2026-01-31'),
  })
  if (!sum) throw new Error('no rate')
  return { sum, periods: interestPeriods(sum) }
}

test('a rate that is set anew as it was does not cut the days', () => {
  expect(periodsOn([owing(235_500, '2026-06-08', '2026-07-01')]).periods).toEqual([
    {
      percent: '10.00',
      from: '2026-06-08',
      to: '2026-07-01',
      days: 24,
      principalMinor: 235_500,
      amountMinor: 1548,
    },
  ])
})

test('another rate or another base begins anew, and the shares come to the sum', () => {
  const { sum, periods } = periodsOn([
    owing(1_000_100, '2025-06-21', '2025-07-12'),
    owing(-400_000, '2025-07-05', '2025-07-12'),
  ])
  expect(
    periods.map(({ percent, principalMinor, from, days }) => [percent, principalMinor, from, days]),
  ).toEqual([
    ['11.00', 1_000_100, '2025-06-21', 10],
    ['10.00', 1_000_100, '2025-07-01', 4],
    ['10.00', 600_100, '2025-07-05', 8],
  ])
  expect(periods.reduce((all, { amountMinor }) => all + amountMinor, 0)).toBe(sum.amountMinor)
})

test('what an earlier rounding left over is in the last share', () => {
  const days = [owing(100_000, '2026-03-01', '2026-03-05'), owing(50_000, '2026-03-06', '2026-03-10')]
  const alone = periodsOn(days).periods
  const { sum, periods } = periodsOn(days, Math.trunc(PARTS_OF_MINOR / 2) - 1)
  expect(periods.reduce((all, { amountMinor }) => all + amountMinor, 0)).toBe(sum.amountMinor)
  expect(periods[0]).toEqual(alone[0])
  expect((periods[1]?.amountMinor ?? 0) - (alone[1]?.amountMinor ?? 0)).toBe(1)
})

test('what was too little to post before is in the sum and in no share', () => {
  const { sum, periods } = periodsOn([owing(500_000, '2026-03-01', '2026-03-10')], 80 * PARTS_OF_MINOR)
  expect(sum.amountMinor).toBe(1370 + 80)
  expect(periods.map(({ amountMinor }) => amountMinor)).toEqual([1370])
})
