import { describe, expect, test } from 'vitest'
import { date } from '../calendar.ts'
import { money } from '../money.ts'
import { legalChecks, whyNotOffered } from './legal-checks.ts'
import { offersFor, type OfferQuestion, type PlanSetting } from './offer.ts'

const DAY = date('2026-03-01')
const plan = (wish: Partial<PlanSetting> = {}): PlanSetting => ({
  id: '1', code: 'PLAN', variant: 'PART_PAYMENT', currency: 'SEK', months: 12, startFeeMinor: 19_500, monthlyFeeMinor: 2_900, percent: '0',
  interestFreeDays: 0, termsDays: 14, thresholdPercent: null, addToExisting: false, legalVisible: true, termsVisible: true,
  smallestBalanceMinor: 30_000, ...wish,
}) // biome-ignore format: in the order of the type
const question = (minor: number, wish: Partial<OfferQuestion> = {}): OfferQuestion =>
  ({
    balance: money(minor, 'SEK'),
    country: 'SE',
    debtorKind: 'consumer',
    day: DAY,
    ...wish,
  }) as OfferQuestion
const SE = { country: 'SE', day: DAY }
const codes = (setting: PlanSetting, place: { country: string; day: typeof DAY } = SE) =>
  legalChecks(setting, place).map(({ code }) => code)

const FREE = { startFeeMinor: 0, monthlyFeeMinor: 0 }
const account = (wish: Partial<PlanSetting> = {}): PlanSetting =>
  plan({ variant: 'PART_PAYMENT_ACCOUNT', months: null, thresholdPercent: '10', startFeeMinor: 0, ...wish })

describe('the law of a setting', () => {
  test('is about what it costs, not about its rate: interest that begins when all is paid is none', () => {
    const norway = { country: 'NO', day: DAY }
    // Ten payments of a tenth, eleven where each is rounded down, and twelve months without interest.
    for (const setting of [
      plan({ ...FREE, percent: '12', interestFreeDays: 360 }),
      account({ ...FREE, percent: '12', interestFreeDays: 365 }),
    ]) {
      expect(codes(setting, norway)).toEqual(['free'])
      expect(codes(setting)).toEqual(['free'])
      for (const minor of [30_000, 30_049, 30_051, 123_456, 9_999_999])
        expect(offersFor([setting], question(minor, { country: 'NO' }))).toHaveLength(1)
    }
    expect(codes(plan({ ...FREE, percent: '12', interestFreeDays: 359 }), norway)).toEqual([
      'ceiling_unknown',
    ])
    expect(codes(account({ ...FREE, percent: '12', interestFreeDays: 300 }), norway)).toEqual([
      'ceiling_unknown',
    ])
    // Left out by isLawful where the ceiling is known.
    expect(codes(plan({ ...FREE, percent: '30', interestFreeDays: 360 }))).toEqual(['rate_above'])
  })

  test('of an account it says the balance from which on it is offered, also where a smaller one is', () => {
    // Of five in a hundred and 5.00 a month 90.00 to 92.00 may be offered, and 93.00 and 94.00 may not.
    for (const [smallest, thresholdPercent, monthlyFeeMinor, percent] of [
      [9000, '5', 500, '0'],
      [95_700, '3', 2900, '0'],
      [132_600, '1', 100, '22'],
      [29_000, '1', 250, '0'],
      [30_000, '10', 2900, '19.90'],
      [100, '35', 4900, '15'],
    ] as const) {
      const setting = account({ smallestBalanceMinor: smallest, thresholdPercent, monthlyFeeMinor, percent })
      const isOffered = (units: number) => offersFor([setting], question(units * 100)).length === 1
      const all = Array.from({ length: 1500 - smallest / 100 }, (_, index) => smallest / 100 + index)
      const last = all.findLast((units) => !isOffered(units)) ?? 0
      const check = legalChecks(setting, SE).find(({ code }) => code.startsWith('cost_'))
      expect(check, thresholdPercent).toMatchObject({
        code: 'cost_above_below',
        belowMinor: (last + 1) * 100,
      })
    }
  })

  const SLOW = [
    ['1', 900, '22', 0],
    ['1', 0, '22', 5000],
    ['3', 2900, '22', 0],
    ['2', 4900, '15', 0],
    ['35', 4900, '22', 19_500],
  ] as const

  test('of an account something is left out just below that balance, and nothing above it', () => {
    for (const [thresholdPercent, monthlyFeeMinor, percent, startFeeMinor] of SLOW) {
      const setting = account({ thresholdPercent, monthlyFeeMinor, percent, startFeeMinor })
      const below = legalChecks(setting, SE).find(({ code }) => code === 'cost_above_below')?.belowMinor ?? 0
      expect(below).toBeGreaterThan(30_000)
      expect(offersFor([setting], question(below - 100))).toHaveLength(0)
      for (let units = below / 100, n = 0; n <= 300; n++, units += 1 + Math.floor(n / 3))
        expect(offersFor([setting], question(units * 100)), `${thresholdPercent} ${units}`).toHaveLength(1)
    }
    // Of a hundredth, 9.00 a month and 22 % single balances between 12,133 and 12,155 are left out.
    const [check] = legalChecks(
      account({ thresholdPercent: '1', monthlyFeeMinor: 900, percent: '22' }),
      SE,
    ).slice(1)
    expect(check?.belowMinor).toBeGreaterThan(1_215_500)
    expect(check?.belowMinor).toBeLessThan(1_240_000)
  })

  test('to say it no more than 300 plans are worked out, whatever the terms', () => {
    for (const [thresholdPercent, monthlyFeeMinor, percent, startFeeMinor] of [
      ...SLOW,
      ['1', 100, '0', 0],
      ['1', 99_900, '22', 0],
    ] as const) {
      const setting = account({ thresholdPercent, monthlyFeeMinor, percent })
      let plans = 0
      // Read once for each plan.
      Object.defineProperty(setting, 'startFeeMinor', { get: () => (plans++, startFeeMinor) })
      legalChecks(setting, SE)
      expect(plans, `${thresholdPercent} ${monthlyFeeMinor}`).toBeLessThanOrEqual(300)
    }
  })

  test('terms that cannot be opened are said, as a tick that is not asked for', () => {
    expect(codes(plan({ termsVisible: false }))).toEqual(['rate_within', 'cost_above_below', 'no_terms'])
    expect(codes(plan({ ...FREE, termsVisible: false }))).toEqual(['free'])
  })

  test('Sweden: 2.00 and 20 points at most, and never more than the credit', () => {
    // 195 and twelve times 29.
    expect(legalChecks(plan(), SE)).toEqual([
      { country: 'SE', code: 'rate_within', ceiling: '22.00' },
      { country: 'SE', code: 'cost_above_below', belowMinor: 54_300 },
    ])
    expect(codes(plan({ smallestBalanceMinor: 54_300 }))).toEqual(['rate_within', 'cost_within'])
    expect(codes(plan({ percent: '22.01' }))).toEqual(['rate_above'])
    expect(codes(plan({ percent: '22.00' }))[0]).toBe('rate_within')
    expect(codes(plan({ legalVisible: false }))).toContain('no_tick')
  })

  test('what costs nothing needs no ceiling; elsewhere none is known', () => {
    expect(codes(plan({ startFeeMinor: 0, monthlyFeeMinor: 0, legalVisible: false }))).toEqual(['free'])
    for (const country of ['NO', 'DK', 'FI', 'DE'])
      expect(codes(plan(), { country, day: DAY }), country).toEqual(['ceiling_unknown'])
    // Before the law there was none.
    expect(codes(plan(), { country: 'SE', day: date('2025-02-28') })).toEqual(['ceiling_unknown'])
  })

  test('a ceiling that is only assumed is said, and is none where debts are real', () => {
    const later = { country: 'SE', day: date('2026-08-01') }
    expect(codes(plan(), { ...later, isLive: false, figures: {} } as never)).toEqual(['ceiling_unknown'])
  })

  test('the balance from which it costs less than itself is exact to a unit', () => {
    for (const percent of ['0', '8', '21.5']) {
      const setting = plan({ percent })
      const below = legalChecks(setting, SE).find(({ code }) => code === 'cost_above_below')?.belowMinor ?? 0
      expect(offersFor([setting], question(below))).toHaveLength(1)
      expect(offersFor([setting], question(below - 100))).toHaveLength(0)
    }
  })

  test('interest of many years alone comes to more than the credit', () => {
    expect(codes(plan({ months: 120, percent: '22.00' }))).toEqual(['rate_within', 'cost_above'])
  })
})

test('why something is left out agrees with what is offered, whatever is asked', () => {
  const settings = [
    plan(), plan({ percent: '30' }), plan({ months: 120, percent: '22.00' }), plan({ currency: 'NOK' }), plan({ startFeeMinor: 0, monthlyFeeMinor: 0 }),
    plan({ variant: 'ONGOING_PAYMENT' }), plan({ variant: 'PART_PAYMENT_ACCOUNT', months: null, thresholdPercent: '10' }),
    plan({ smallestBalanceMinor: 1, months: 60 }),
  ] // biome-ignore format: a list
  const seen = new Set<string | undefined>()
  for (const setting of settings)
    for (const country of ['SE', 'NO'])
      for (const debtorKind of ['consumer', 'business'] as const)
        for (const minor of [1, 59, 29_999, 30_000, 54_299, 54_300, 500_000, 10_000_000]) {
          const asked = question(minor, { country, debtorKind })
          const why = whyNotOffered(setting, asked)
          seen.add(why)
          expect(offersFor([setting], asked).length, `${JSON.stringify(setting)} ${minor} ${country}`).toBe(
            why ? 0 : 1,
          )
        }
  expect(seen).toEqual(
    new Set([
      undefined,
      'other_currency',
      'below_smallest',
      'below_months',
      'ceiling_unknown',
      'rate_above',
      'cost_above_credit',
    ]),
  )
})
