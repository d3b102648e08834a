import { describe, expect, test } from 'vitest'
import { date } from '../calendar.ts'
import { INVOICE_STATUSES, INVOICE_TYPES } from '../invoices/invoice.ts'
import { money } from '../money.ts'
import { offersFor, whyNoPlan, type OfferFacts, type OfferQuestion, type PlanSetting } from './offer.ts'

const facts: OfferFacts = {
  type: 'INVOICE',
  status: 'ACTIVATED',
  balanceMinor: 100_000,
  isPartPayment: false,
  hadPlan: false,
  inClaim: false,
  hasAuthorizedPayment: false,
}

describe('what stands in the way of a plan', () => {
  test.each(INVOICE_TYPES)('type %s', (type) => {
    const isPlannable = type === 'INVOICE' || type === 'MEMBERSHIP_FEE'
    expect(whyNoPlan({ ...facts, type })).toBe(isPlannable ? undefined : 'plan_not_available')
  })

  test.each(INVOICE_STATUSES)('status %s', (status) => {
    const expected = {
      ACTIVATED: undefined,
      PAUSED: undefined,
      DISPUTED: 'plan_not_available',
      PENDING_AUTHORIZATION: 'nothing_to_pay',
      CREATED: 'nothing_to_pay',
      PENDING: 'nothing_to_pay',
      CLOSED: 'nothing_to_pay',
      STOPPED: 'nothing_to_pay',
      ARCHIVED: 'nothing_to_pay',
    }[status]
    expect(whyNoPlan({ ...facts, status })).toBe(expected)
  })

  test.each<[Partial<OfferFacts>, string | undefined]>([
    [{ balanceMinor: 0 }, 'nothing_to_pay'],
    [{ balanceMinor: -1 }, 'nothing_to_pay'],
    [{ balanceMinor: 1 }, undefined],
    [{ isPartPayment: true }, 'already_part_payment'],
    [{ isPartPayment: true, hadPlan: true }, 'already_part_payment'],
    [{ hadPlan: true }, 'plan_not_available'],
    [{ inClaim: true }, 'plan_not_available'],
    [{ hasAuthorizedPayment: true }, 'payment_in_progress'],
  ])('%j: %s', (some, expected) => {
    expect(whyNoPlan({ ...facts, ...some })).toBe(expected)
  })
})

const setting: PlanSetting = {
  id: 'a',
  code: 'PLAN_6',
  variant: 'PART_PAYMENT',
  currency: 'SEK',
  months: 6,
  startFeeMinor: 0,
  monthlyFeeMinor: 0,
  percent: '0',
  interestFreeDays: 0,
  termsDays: 14,
  thresholdPercent: null,
  addToExisting: false,
  legalVisible: true,
  termsVisible: true,
  smallestBalanceMinor: 30_000,
}
const question = {
  balance: money(100_000, 'SEK'),
  country: 'SE',
  debtorKind: 'consumer',
  day: date('2026-11-20'),
} as const

const isOffered = (
  some: Partial<PlanSetting>,
  asked: Partial<Omit<OfferQuestion, 'isLive' | 'figures'>> = {},
) => offersFor([{ ...setting, ...some }], { ...question, ...asked }).length === 1

describe('what the law allows a consumer in Sweden', () => {
  // Reference rate 2.00 and 20 on top of it.
  test.each([
    ['22.00', true],
    ['22.01', false],
    ['0', true],
  ])('%s percent: %s', (percent, expected) => {
    expect(isOffered({ percent })).toBe(expected)
  })

  test.each([
    ['a cost of the whole credit', 100_000, true],
    ['an öre more', 100_001, false],
  ])('%s: %#', (_name, startFeeMinor, expected) => {
    expect(isOffered({ startFeeMinor })).toBe(expected)
    expect(isOffered({ startFeeMinor }, { debtorKind: 'business' })).toBe(true)
  })
})

test.each<[string, Partial<Parameters<typeof offersFor>[1]>]>([
  ['before the ceiling came', { day: date('2025-02-28') }],
  ['where no ceiling is known', { country: 'NO', balance: money(100_000, 'NOK') }],
  ['in a country without figures', { country: 'EU', balance: money(100_000, 'EUR') }],
])('nothing that costs is offered to a consumer %s', (_name, asked) => {
  const currency = asked.balance?.currency ?? 'SEK'
  expect(isOffered({ percent: '1.00', currency }, asked)).toBe(false)
  expect(isOffered({ percent: '0', startFeeMinor: 1, currency }, asked)).toBe(false)
  expect(isOffered({ percent: '0', monthlyFeeMinor: 1, currency }, asked)).toBe(false)
  expect(isOffered({ percent: '0', startFeeMinor: 0, monthlyFeeMinor: 0, currency }, asked)).toBe(true)
  const company = { ...asked, debtorKind: 'business' } as const
  expect(isOffered({ percent: '1.00', startFeeMinor: 5000, currency }, company)).toBe(true)
})

test('the smallest balance, the currency and an öre a month are limits', () => {
  expect(isOffered({}, { balance: money(30_000, 'SEK') })).toBe(true)
  expect(isOffered({}, { balance: money(29_999, 'SEK') })).toBe(false)
  expect(isOffered({}, { balance: money(100_000, 'NOK') })).toBe(false)
  expect(isOffered({ smallestBalanceMinor: 1 }, { balance: money(5, 'SEK') })).toBe(false)
})

test('shortest first, then cheapest, then by code, accounts last', () => {
  const settings: PlanSetting[] = [
    {
      ...setting,
      id: '1',
      code: 'ACCOUNT',
      variant: 'PART_PAYMENT_ACCOUNT',
      months: null,
      thresholdPercent: '10',
    },
    { ...setting, id: '2', code: 'LONG', months: 12 },
    { ...setting, id: '3', code: 'DEAR', monthlyFeeMinor: 2900 },
    { ...setting, id: '4', code: 'B' },
    { ...setting, id: '5', code: 'A', variant: 'ONGOING_PAYMENT' },
  ]
  const codes = offersFor(settings, question).map((offer) => offer.setting.code)
  expect(codes).toEqual(['A', 'B', 'DEAR', 'LONG', 'ACCOUNT'])
})

test('of two accounts the cheaper is offered: a debtor is shown one, and starts what was shown', () => {
  const account = {
    ...setting,
    variant: 'PART_PAYMENT_ACCOUNT',
    months: null,
    thresholdPercent: '10',
  } as const
  const two = [
    { ...account, id: '8', code: 'A_DEAR', monthlyFeeMinor: 4900 },
    { ...account, id: '9', code: 'B_CHEAP', monthlyFeeMinor: 900 },
  ]
  expect(offersFor([...two, setting], question).map(({ setting: { code } }) => code)).toEqual([
    setting.code,
    'B_CHEAP',
  ])
})
