import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { amountText, money, sum } from '../money.ts'
import { rateText } from './apr.ts'
import {
  type AnnuityTerms,
  accountPlan,
  annuityPlan,
  estimateAccountPayment,
  interestFreeMonths,
  interestOfDays,
  ongoingPlan,
} from './plan.ts'

const sek = (minor: number) => money(minor, 'SEK')

/** Balance and months, then start fee and monthly fee, then rate and free days. */
function terms(
  [balance, months]: [number, number],
  fees: [number, number] = [0, 0],
  percent = '0',
  free = 0,
) {
  return {
    balance: sek(balance),
    months,
    startFee: sek(fees[0]),
    monthlyFee: sek(fees[1]),
    percent,
    interestFreeDays: free,
  } satisfies AnnuityTerms
}

describe('annuity plans by hand', () => {
  test.each([
    ['no cost at all', terms([120_000, 3]), ['400.00', '1200.00', '0.00']],
    ['an odd öre', terms([100_001, 3]), ['333.34', '1000.01', '0.00']],
    ['fees only', terms([499_900, 6], [9500, 2900]), ['862.17', '5268.00', '20.11']],
    ['fees and interest', terms([499_900, 12], [19_500, 2900], '19.90'), ['491.84', '6097.07', '47.58']],
    ['three months free', terms([899_000, 12], [9500, 2900], '19.90', 90), ['824.79', '9992.45', '22.12']],
    ['interest only', terms([360_000, 36], [0, 0], '9.00'), ['114.48', '4121.24', '9.38']],
  ])('%s', (_name, input, figures) => {
    const { monthly, totalToPay, apr } = annuityPlan(input)
    expect([amountText(monthly.minor), amountText(totalToPay.minor), rateText(apr ?? Number.NaN, 2)]).toEqual(
      figures,
    )
  })
})

test('months without interest are whole and at most the plan', () => {
  expect(interestFreeMonths(terms([1000, 12], [0, 0], '10', 89))).toBe(2)
  expect(interestFreeMonths(terms([1000, 12], [0, 0], '10', 90))).toBe(3)
  expect(interestFreeMonths(terms([1000, 2], [0, 0], '10', 90))).toBe(2)
  expect(annuityPlan(terms([1000, 2], [0, 0], '10', 90)).creditCost.minor).toBe(0)
})

describe('every plan', () => {
  const anyTerms = fc.record({
    balance: fc.integer({ min: 10_000, max: 5_000_000 }),
    months: fc.integer({ min: 1, max: 60 }),
    startFee: fc.integer({ min: 0, max: 50_000 }),
    monthlyFee: fc.integer({ min: 0, max: 10_000 }),
    percent: fc.integer({ min: 0, max: 3000 }).map(amountText),
    free: fc.integer({ min: 0, max: 120 }),
  })

  test('pays off exactly its balance, and its total is the sum of its instalments', () => {
    fc.assert(
      fc.property(anyTerms, ({ balance, months, startFee, monthlyFee, percent, free }) => {
        const plan = annuityPlan(terms([balance, months], [startFee, monthlyFee], percent, free))
        const totalOf = (pick: 'principal' | 'interest' | 'fees' | 'total') =>
          sum(
            plan.instalments.map((instalment) => instalment[pick]),
            'SEK',
          ).minor
        expect(plan.instalments).toHaveLength(months)
        expect(totalOf('principal')).toBe(balance)
        expect(totalOf('fees')).toBe(startFee + monthlyFee * months)
        expect(totalOf('total')).toBe(plan.totalToPay.minor)
        expect(plan.creditCost.minor).toBe(totalOf('interest') + totalOf('fees'))
        for (const { principal, interest, fees, total } of plan.instalments) {
          expect(principal.minor).toBeGreaterThanOrEqual(0)
          expect(interest.minor).toBeGreaterThanOrEqual(0)
          expect(total).toEqual(sum([principal, interest, fees], 'SEK'))
        }
        // The last instalment takes up rounding only: half an öre a month for the annuity and for its interest, both grown.
        const last = plan.instalments.at(-1)
        const ordinary = plan.monthly.minor + (months === 1 ? startFee : 0)
        expect(Math.abs((last?.total.minor ?? 0) - ordinary)).toBeLessThanOrEqual(5 * months)
      }),
    )
  })

  test('without interest costs what an ongoing payment costs', () => {
    fc.assert(
      fc.property(anyTerms, ({ balance, months, startFee, monthlyFee }) => {
        const input = terms([balance, months], [startFee, monthlyFee])
        const ongoing = ongoingPlan(input)
        expect(ongoing).toEqual(annuityPlan(input))
        expect(ongoing.totalToPay.minor).toBe(balance + startFee + monthlyFee * months)
      }),
    )
  })
})

describe('every account', () => {
  test('is paid off exactly, in whole units a month, with interest that falls', () => {
    fc.assert(
      fc.property(
        fc.record({
          balance: fc.integer({ min: 10_000, max: 5_000_000 }),
          threshold: fc.integer({ min: 1, max: 100 }).map(String),
          percent: fc.integer({ min: 0, max: 3000 }).map(amountText),
          startFee: fc.integer({ min: 0, max: 50_000 }),
          monthlyFee: fc.integer({ min: 0, max: 10_000 }),
        }),
        ({ balance, threshold, percent, startFee, monthlyFee }) => {
          const account = {
            balance: sek(balance),
            startFee: sek(startFee),
            monthlyFee: sek(monthlyFee),
            percent,
            interestFreeDays: 0,
            thresholdPercent: threshold,
          }
          const { instalments, totalToPay, creditCost } = accountPlan(account)
          const paid = instalments.reduce((total, { principal }) => total + principal.minor, 0)
          expect(paid).toBe(balance)
          expect(instalments.length).toBeLessThanOrEqual(120)
          expect(totalToPay.minor - creditCost.minor).toBe(balance)
          for (const [index, { principal, interest, total }] of instalments.entries()) {
            expect(principal.minor).toBeGreaterThan(0)
            expect(interest.minor).toBeLessThanOrEqual(instalments[index - 1]?.interest.minor ?? Infinity)
            const ordinary = total.minor - (index === 0 ? startFee : 0)
            if (index < instalments.length - 1 && principal.minor > 1) expect(ordinary % 100).toBe(0)
          }
        },
      ),
    )
  })

  test('begins with what was estimated when its threshold is a tenth', () => {
    const account = { balance: sek(500_000), thresholdPercent: '10', percent: '19.90', monthlyFee: sek(2900) }
    const plan = accountPlan({ ...account, startFee: sek(0), interestFreeDays: 0 })
    expect(plan.instalments[0]?.total).toEqual(estimateAccountPayment(account))
    expect(plan.instalments).toHaveLength(10)
  })
})

test.each([
  [1_000_000, '10', 365, 100_000],
  [600_000, '19.90', 10, 3_271],
  [600_000, '19.90', 0, 0],
  [1, '10', 1, 0],
])('%i öre at %s percent for %i days: %i öre', (left, percent, days, expected) => {
  expect(interestOfDays(sek(left), percent, days).minor).toBe(expected)
})

test.each([
  [terms([0, 3])],
  [terms([-100, 3])],
  [terms([1000, 0])],
  [terms([1000, 1.5])],
  [terms([1000, 601])],
  [terms([1000, 3], [0, 0], '-1')],
])('terms that make no plan are refused: %j', (input) => {
  expect(() => annuityPlan(input)).toThrow(RangeError)
})

test.each([
  ['612.00', { balance: sek(500_000), thresholdPercent: '10', percent: '19.90', monthlyFee: sek(2900) }],
  ['1419.00', { balance: sek(1_234_567), thresholdPercent: '10', percent: '14.50', monthlyFee: sek(3500) }],
  ['495.00', { balance: sek(800_000), thresholdPercent: '5', percent: '19.90', monthlyFee: sek(2900) }],
  ['691.00', { balance: sek(600_500), thresholdPercent: '10', percent: '18.00', monthlyFee: sek(0) }],
])('an account is estimated at %s a month', (expected, account) => {
  expect(amountText(estimateAccountPayment(account).minor)).toBe(expected)
})
