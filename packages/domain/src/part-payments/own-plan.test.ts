import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { date } from '../calendar.ts'
import { amountText, money, sum } from '../money.ts'
import { planFor, type OfferQuestion, type PlanSetting } from './offer.ts'
import { answerCounterBy, leastMonthly, ownOfferFor } from './own-plan.ts'
import { instalmentDueDate, termsOf } from './part-payment.ts'
import { chosenPlan, LONGEST_CHOSEN } from './plan.ts'

const sek = (minor: number) => money(minor, 'SEK')

/** Balance and what is paid a month; start fee and monthly fee; rate and days to the first instalment. */
const chosen = (
  [balance, monthly]: [number, number],
  fees: [number, number] = [0, 0],
  percent = '0',
  firstInDays = 30,
) =>
  chosenPlan({
    balance: sek(balance),
    monthly: sek(monthly),
    startFee: sek(fees[0]),
    monthlyFee: sek(fees[1]),
    percent,
    interestFreeDays: 0,
    firstInDays,
  })
const totals = (plan: ReturnType<typeof chosen>) =>
  plan?.instalments.map(({ total }) => amountText(total.minor))

describe('by hand', () => {
  test('no cost: what is left is the last', () => {
    expect(totals(chosen([100_000, 30_000]))).toEqual(['300.00', '300.00', '300.00', '100.00'])
    // 10.00 would be less than a tenth of an instalment.
    expect(totals(chosen([100_000, 33_000]))).toEqual(['330.00', '330.00', '340.00'])
  })

  test('the monthly fee is inside, the start fee comes with the first', () => {
    const plan = chosen([600_000, 102_900], [9_500, 2_900])
    expect(totals(plan)).toEqual(['1124.00', ...Array<string>(5).fill('1029.00')])
    expect(amountText(plan?.creditCost.minor ?? 0)).toBe('269.00')
  })

  test('interest of 12 %: of the days to the first, then a month’s of what is left', () => {
    // 1,000 x 12 % x 15 / 365 = 4.93; 504.93 x 1 % = 5.05, and the 9.98 that would be left are little.
    const plan = chosen([100_000, 50_000], [0, 0], '12', 15)
    expect(plan?.instalments.map(({ interest }) => interest.minor)).toEqual([493, 505])
    expect(totals(plan)).toEqual(['500.00', '509.98'])
    // Sixty days cost no more than a month.
    expect(chosen([100_000, 50_000], [0, 0], '12', 60)?.instalments[0]?.interest.minor).toBe(1_000)
  })

  test('what fees or interest eat up never ends, and what takes more than sixty months is no plan', () => {
    expect(chosen([100_000, 2_900], [0, 2_900])).toBeUndefined()
    expect(chosen([100_000, 2_000], [0, 0], '24')).toBeUndefined()
    expect(chosen([600_000, 9_900])).toBeUndefined()
    expect(totals(chosen([600_000, 10_000]))?.length).toBe(LONGEST_CHOSEN)
  })

  test('month by month from the first day, also from the last of a month', () => {
    const due = [1, 2, 3].map((number) => instalmentDueDate(date('2026-12-31'), number, 31))
    expect(due).toEqual(['2027-01-31', '2027-02-28', '2027-03-31'])
  })
})

test('whatever is chosen pays exactly what is owed, and never more a month than a tenth above it', () => {
  const wish = fc.tuple(fc.integer({ min: 100, max: 5_000_000 }), fc.integer({ min: 1, max: 6_000_000 }))
  fc.assert(
    fc.property(wish, fc.integer({ min: 7, max: 92 }), (amounts, days) => {
      const plan = chosen(amounts, [0, 1_900], '15.5', days)
      if (!plan) return
      const paid = sum(
        plan.instalments.map(({ principal }) => principal),
        'SEK',
      )
      expect(paid.minor).toBe(amounts[0])
      for (const { principal, interest, total } of plan.instalments) {
        expect(principal.minor).toBeGreaterThan(0)
        expect(interest.minor).toBeGreaterThanOrEqual(0)
        expect(total.minor).toBeLessThanOrEqual(Math.ceil(amounts[1] * 1.1))
      }
    }),
  )
})

const setting = (months: number, change: Partial<PlanSetting> = {}): PlanSetting => ({
  id: `${months}`,
  code: `MONTHS_${months}`,
  variant: 'PART_PAYMENT',
  currency: 'SEK',
  months,
  startFeeMinor: 0,
  monthlyFeeMinor: 0,
  percent: '0',
  interestFreeDays: 0,
  termsDays: 14,
  thresholdPercent: null,
  addToExisting: false,
  legalVisible: false,
  termsVisible: true,
  smallestBalanceMinor: 1,
  ...change,
})
const question: OfferQuestion = {
  balance: sek(600_000),
  country: 'SE',
  debtorKind: 'consumer',
  day: date('2026-11-02'),
}
const offered = [3, 12, 24].map((months) => setting(months, { termsDays: months }))
const FREE_OF_ALL = { startFeeMinor: 0, monthlyFeeMinor: 0, percent: '0', legalVisible: false }
const own = (monthly: number, settings = offered) =>
  ownOfferFor(settings, { monthly: sek(monthly), firstInDays: 30 }, question)

test('covered by the shortest free plan on offer that is as long, else by nobody', () => {
  expect(own(250_000)).toMatchObject({ isCovered: true, setting: { months: 3, termsDays: 3 } })
  expect(own(100_000)).toMatchObject({ isCovered: true, setting: { months: 6, termsDays: 12 } })
  expect(own(15_000)).toMatchObject({ isCovered: false, setting: { months: 40, termsDays: 14 } })
  expect(own(100_000)?.setting).toMatchObject({ code: 'OWN_PLAN', monthlyMinor: 100_000, firstInDays: 30 })
})

test.each([
  ['a start fee', { startFeeMinor: 1 }],
  ['a monthly fee', { monthlyFeeMinor: 1 }],
  ['interest', { percent: '0.01' }],
  ['a text to agree to', { legalVisible: true }],
])('an offer with %s is neither its base nor covers it', (_what, change) => {
  const dear = [3, 12, 24].map((months) => setting(months, change))
  const free = { isCovered: false, plan: { creditCost: { minor: 0 } } }
  expect(own(100_000, dear)).toMatchObject({ ...free, setting: { ...change, ...FREE_OF_ALL } })
  // A free one of another length does not help.
  expect(own(100_000, [setting(3), ...dear])).toMatchObject(free)
  expect(own(100_000, [setting(12), ...dear])).toMatchObject({ ...free, isCovered: true })
})

test('without an offer of the creditor nothing is charged, and nobody has agreed', () => {
  expect(own(100_000, [])).toMatchObject({ isCovered: false, plan: { creditCost: { minor: 0 } } })
  const account = setting(1, { months: null, variant: 'PART_PAYMENT_ACCOUNT', thresholdPercent: '10' })
  expect(own(100_000, [account])).toMatchObject({ isCovered: false, plan: { creditCost: { minor: 0 } } })
})

test.each([0, -1, 600_000, 600_001])('%s a month is no plan', (monthly) => {
  expect(own(monthly)).toBeUndefined()
})

test('the least amount is the least that pays it off', () => {
  // 60 x 100 are 6,000.
  expect(leastMonthly([], question, 62)).toEqual(sek(10_000))
  expect(leastMonthly(offered, question, 62)).toEqual(sek(10_000))
  expect(own(9_900)).toBeUndefined()
  expect(leastMonthly([], { ...question, balance: sek(100) }, 62)).toBeUndefined()
})

test('the first bill comes as late as the first day wants it, the others as the terms say', () => {
  const own = { termsDays: 14, firstInDays: 7 }
  expect([1, 2].map((number) => termsOf(own, number))).toEqual([6, 14])
  expect([1, 14, 15, 16].map((firstInDays) => termsOf({ ...own, firstInDays }, 1))).toEqual([0, 13, 14, 14])
  expect(termsOf({ termsDays: 14, firstInDays: null }, 1)).toBe(14)
})

test('what it has grown by is paid with the last instalment, where it would take more than sixty', () => {
  const longest = { ...setting(60), monthlyMinor: 10_000, firstInDays: 30 }
  expect(planFor(longest, sek(600_000)).instalments).toHaveLength(60)
  const grown = planFor(longest, sek(600_001 + 100_000))
  expect(grown.instalments).toHaveLength(60)
  expect(totals(grown)?.slice(-2)).toEqual(['100.00', '1100.01'])
  expect(grown.totalToPay).toEqual(sek(700_001))
})

test('a counter is answered within two weeks, and before its first day', () => {
  expect(answerCounterBy(date('2026-11-02'), date('2026-12-25'))).toBe('2026-11-16')
  expect(answerCounterBy(date('2026-11-02'), date('2026-11-10'))).toBe('2026-11-09')
})
