/** What waiting costs, against examples worked by hand from the acts of each country. */
import { describe, expect, test } from 'vitest'
import { date } from '../calendar.ts'
import { COSTED_COUNTRIES, type CostedCountry, waitingCosts } from './waiting-costs.ts'
import type { DebtorKind } from './country-params.ts'
import { figuresWith } from './entered-figures.ts'

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
        const { steps, openHalves } = waitingCosts({
          country,
          debtorKind: kind,
          amountMinor,
          dueDate: DUE,
        })
        expect(steps.length).toBeGreaterThan(2)
        // No central bank's rate of the second half of 2026 has been seen.
        expect(openHalves[0]).toMatchObject({ name: '2026 H2' })
        for (const [index, step] of steps.entries()) {
          const before = steps[index - 1]
          expect(step.feeMinor ?? 0).toBeGreaterThanOrEqual(0)
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

const HALVES = [
  // Days with interest from 16 June 2025: both rates are known (riksbank.se).
  ['SE', '2025-06-15', []],
  // Norway's rate of the second half of 2025 was not seen, that of the first half of 2026 was.
  ['NO', '2025-12-20', ['2025 H2']],
  // The due day itself bears no interest.
  ['FI', '2026-06-30', ['2026 H2']],
  ['FI', '2026-12-01', ['2026 H2', '2027 H1']],
  ['FI', '2027-03-01', ['2027 H1']],
  ['DK', '2027-06-20', ['2027 H1', '2027 H2']],
] as const

test.each(HALVES)('the rates that are not known for %s, due %s, are named: %j', (country, day, halves) => {
  const debt = { country, debtorKind: 'consumer', amountMinor: 78_000, dueDate: date(day) } as const
  expect(waitingCosts(debt).openHalves.map(({ name }) => name)).toEqual(halves)
})

test('a fee that nobody has seen is told from a rate: Norway has both, Sweden has fees by law', () => {
  const of = (country: CostedCountry) =>
    waitingCosts({ country, debtorKind: 'consumer', amountMinor: 78_000, dueDate: DUE }).steps
  expect(of('NO').some(({ isFeeAssumed }) => isFeeAssumed)).toBe(true)
  expect(of('SE').some(({ isFeeAssumed }) => isFeeAssumed)).toBe(false)
})

test('what the provider has entered is what its letters ask for, and leaves nothing open', () => {
  const figures = figuresWith([
    { country: 'SE', figure: 'reference_rate', from: '2026-07-01', value: { percent: '4.00' }, source: 'x' },
  ])
  const debt = { country: 'SE', debtorKind: 'consumer', amountMinor: 125_000, dueDate: DUE } as const
  const { steps, rates, openHalves } = waitingCosts(debt, figures)
  // 12 % of 1250 for 7 days is 2.877.
  expect(steps[0]).toMatchObject({ day: '2026-10-09', interestMinor: 288, totalMinor: 131_288 })
  expect(rates).toMatchObject([{ percent: '12.00' }])
  expect(openHalves).toEqual([])
  // The half-year after is not entered, and taken to go on.
  const later = waitingCosts({ ...debt, dueDate: date('2027-02-01') }, figures)
  expect(later.openHalves.map(({ name }) => name)).toEqual(['2027 H1'])
})
