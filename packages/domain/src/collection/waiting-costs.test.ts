/** What waiting costs, against examples worked by hand from the acts of each country. */
import { describe, expect, test } from 'vitest'
import { date } from '../calendar.ts'
import { COSTED_COUNTRIES, type CostedCountry, waitingCosts } from './waiting-costs.ts'
import type { DebtorKind } from './country-params.ts'

const DUE = date('2026-10-02')

function told(country: CostedCountry, debtorKind: DebtorKind, amountMinor = 125_000) {
  const { steps } = waitingCosts({ country, debtorKind, amountMinor, dueDate: DUE })
  return steps.map(({ type, day, feeMinor, interestMinor, totalMinor }) => [
    `${day} ${type}`,
    feeMinor,
    interestMinor,
    totalMinor,
  ])
}

test('a person in Sweden: 60, 180 and 680 kronor, and 10 % of 1250 for 7, 22 and 46 days', () => {
  expect(told('SE', 'consumer')).toEqual([
    ['2026-10-09 REMINDER', 6000, 240, 131_240],
    ['2026-10-24 COLLECTION_CLAIM', 18_000, 753, 149_753],
    ['2026-11-17 BAILIFF_PAYMENT_INJUCTION', 68_000, 1575, 218_575],
  ])
})

test('a company in Sweden: 450 kronor at once, against which the other fees are counted; 34 öre are not asked for', () => {
  expect(told('SE', 'business')).toEqual([
    ['2026-10-03 DELAYED_PENALTY_FEE', 45_000, 0, 170_000],
    ['2026-10-09 REMINDER', 0, 240, 170_240],
    ['2026-10-24 COLLECTION_CLAIM', 0, 753, 170_753],
    ['2026-11-17 BAILIFF_PAYMENT_INJUCTION', 68_000, 1575, 239_575],
  ])
})

test('less than one krona of interest is in no letter, and is in the next: 10 % of 500 for 7 days is 0.96, for 22 days 3.01', () => {
  expect(told('SE', 'consumer', 50_000)).toEqual([
    ['2026-10-09 REMINDER', 6000, 0, 56_000],
    ['2026-10-24 COLLECTION_CLAIM', 18_000, 301, 74_301],
    ['2026-11-17 BAILIFF_PAYMENT_INJUCTION', 68_000, 630, 142_630],
  ])
})

test('a person in Norway hears of collection before it begins, and the court fee is not made up', () => {
  const steps = told('NO', 'consumer')
  expect(steps.slice(0, 2)).toEqual([
    ['2026-10-16 REMINDER', 3500, 575, 129_075],
    // The notice asks for the interest that the reminder did: nothing is posted with it.
    ['2026-11-01 COLLECTION_NOTIFICATION', 3500, 575, 132_575],
  ])
  expect(steps.at(-1)?.slice(1)).toEqual([undefined, 4932, undefined])
})

test('a person in Denmark is reminded three times at 100 kroner, with ten days between', () => {
  expect(told('DK', 'consumer').slice(0, 3)).toEqual([
    ['2026-10-07 REMINDER', 10_000, 167, 135_167],
    ['2026-10-18 REMINDER', 10_000, 534, 145_534],
    ['2026-10-29 REMINDER', 10_000, 902, 155_902],
  ])
})

test('a person in Finland pays 5 euro for the reminder, and half the first demand for the second', () => {
  expect(told('FI', 'consumer').slice(0, 3)).toEqual([
    ['2026-10-16 REMINDER', 500, 455, 125_955],
    ['2026-11-04 COLLECTION_CLAIM', 5000, 1074, 131_574],
    ['2026-11-25 COLLECTION_CLAIM', 2500, 1757, 134_757],
  ])
})

describe.each(COSTED_COUNTRIES)('%s', (country) => {
  test.each(['consumer', 'business'] as const)(
    'a %s: days and sums only grow, and figures of the newest year are said to be',
    (kind) => {
      for (const amountMinor of [1, 99, 10_000, 123_456, 9_999_999_999]) {
        const { steps } = waitingCosts({ country, debtorKind: kind, amountMinor, dueDate: DUE })
        expect(steps.length).toBeGreaterThan(2)
        for (const [index, step] of steps.entries()) {
          const before = steps[index - 1]
          expect(step.feeMinor ?? 0).toBeGreaterThanOrEqual(0)
          expect(step.isAssumed).toBe(true)
          if (!before) continue
          expect(step.day >= before.day).toBe(true)
          expect(step.interestMinor).toBeGreaterThanOrEqual(before.interestMinor ?? 0)
          if (step.totalMinor !== undefined && before.totalMinor !== undefined) {
            expect(step.totalMinor).toBeGreaterThanOrEqual(before.totalMinor)
          }
        }
      }
    },
  )
})

test('a rate that changes on the way is told with its days, and one that a half-year repeats is told once', () => {
  // The Riksbank's reference rate was 3 % until June 2025 and 2 % after; räntelagen 6 § adds 8.
  const rates = (dueDate: string) =>
    waitingCosts({ country: 'SE', debtorKind: 'consumer', amountMinor: 125_000, dueDate: date(dueDate) })
  const changed = rates('2025-06-15')
  expect(changed.rates).toEqual([
    { percent: '11.00', from: '2025-06-16', to: '2025-06-30' },
    { percent: '10.00', from: '2025-07-01', to: changed.steps.at(-1)?.day },
  ])
  // 22 days: 1250 × (15 × 11 % + 7 × 10 %) / 365 = 8.0479.
  expect(changed.steps[1]).toMatchObject({ day: '2025-07-07', interestMinor: 805 })
  expect(rates('2026-06-15').rates).toMatchObject([{ percent: '10.00', from: '2026-06-16' }])
})

test('a day before all known rates has days and fees, and no interest is made up', () => {
  const { steps } = waitingCosts({
    country: 'SE',
    debtorKind: 'consumer',
    amountMinor: 1000,
    dueDate: date('2012-01-02'),
  })
  expect(steps[0]).toMatchObject({ feeMinor: 6000, interestMinor: undefined, totalMinor: undefined })
})
