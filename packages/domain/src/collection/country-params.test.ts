import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addDays, date } from '../calendar.ts'
import {
  COUNTRY_PARAMS,
  type DebtorKind,
  type FeeQuestion,
  feeOn,
  firstUnknownRate,
  rateOn,
  ratesBetween,
} from './country-params.ts'
import { interestOn } from './interest-posting.ts'

const KINDS: DebtorKind[] = ['consumer', 'business']

describe('rates', () => {
  test.each([
    ['SE', 'consumer', '2024-03-01', '12.00', false],
    ['SE', 'business', '2026-06-30', '10.00', false],
    ['SE', 'consumer', '2026-11-20', '10.00', true],
    ['NO', 'consumer', '2026-03-01', '12.00', false],
    ['DK', 'business', '2026-11-20', '9.75', true],
    ['FI', 'consumer', '2026-02-01', '9.50', false],
    ['FI', 'business', '2026-02-01', '10.50', false],
    ['SE', 'consumer', '2013-01-01', '9.00', false],
    ['SE', 'business', '2019-06-30', '7.50', false],
    ['NO', 'consumer', '2016-07-01', '8.50', false],
    ['DK', 'consumer', '2021-12-31', '7.65', false],
    ['FI', 'business', '2013-07-01', '8.50', false],
    ['FI', 'consumer', '2023-12-31', '11.00', false],
    ['DE', 'consumer', '2026-11-20', '0', false],
    ['constructor', 'consumer', '2026-11-20', '0', false],
  ] as const)('%s %s on %s', (country, kind, day, percent, assumed) => {
    expect(rateOn(country, kind, date(day))).toEqual({ percent, assumed })
  })

  test('an assumed rate holds until a later row, also years on', () => {
    expect(rateOn('SE', 'consumer', date('2031-01-01'))).toEqual({ percent: '10.00', assumed: true })
  })

  test.each([
    ['before the first row', 'SE', '2012-12-31'],
    ['before the first row', 'DK', '2012-12-31'],
    ['before the first row', 'FI', '2012-12-31'],
    ['a half-year that nobody gave', 'NO', '2024-12-31'],
  ])('unknown: %s', (_name, country, day) => {
    expect(rateOn(country, 'consumer', date(day))).toBeUndefined()
  })

  test('a span has the rate of each day, or none when one day has none', () => {
    const span = { from: date('2025-12-30'), to: date('2026-07-02') }
    expect(ratesBetween('NO', 'consumer', span)).toEqual([
      { from: '2025-12-30', percent: '12.25', assumed: true },
      { from: '2026-01-01', percent: '12.00', assumed: false },
      { from: '2026-07-01', percent: '12.00', assumed: true },
    ])
    expect(
      ratesBetween('NO', 'consumer', { from: date('2024-06-30'), to: date('2025-01-01') }),
    ).toBeUndefined()
    expect(ratesBetween('NO', 'consumer', { from: date('2024-06-30'), to: date('2024-06-30') })).toHaveLength(
      1,
    )
    expect(ratesBetween('IE', 'consumer', span)).toEqual([{ from: span.from, percent: '0', assumed: false }])
  })

  test('a span is known exactly when all its days are', () => {
    const first = date('2012-06-01')
    fc.assert(
      fc.property(
        fc.constantFrom('SE', 'NO', 'DK', 'FI'),
        fc.constantFrom(...KINDS),
        fc.tuple(fc.nat(5200), fc.nat(500)),
        (country, kind, [start, length]) => {
          const span = { from: addDays(first, start), to: addDays(first, start + length) }
          const fellDueOn = addDays(first, start)
          const rates = ratesBetween(country, kind, { ...span, fellDueOn })
          let isKnown = true
          for (let day = span.from; day <= span.to; day = addDays(day, 1)) {
            const rate = rateOn(country, kind, day, { fellDueOn })
            isKnown &&= rate !== undefined
            if (rates) expect(rates.findLast(({ from }) => from <= day)?.percent).toBe(rate?.percent)
          }
          expect(rates !== undefined).toBe(isKnown)
        },
      ),
      { numRuns: 25 },
    )
  })
})

/**
 * Two laws of 2013 raised the rate, and left the old one to what had fallen due before them.
 *
 * DK: renteloven § 5 had Nationalbanken's lending rate + 7 from 1 August 2002, and has + 8 of what fell due from 1 March 2013 (lov
 * 1244/2012; PAV 36.7.2 and 36.7.3 of the state's employer: "krav, der er forfaldet fra og med"). The lending rate was 0.20 in 2013,
 * 3.75 on 1 January 2024.
 *
 * FI: korkolaki 4 § has the reference rate + 7, 4 a § + 8 between companies (act 32/2013). "På fordringar som har förfallit till
 * betalning före ikraftträdandet", 16 March 2013, "tillämpas de bestämmelser som gällde vid ikraftträdandet". The reference rate was
 * 1.0 in the first half of 2013, 4.5 in that of 2024.
 *
 * NO: the ministry sets one rate for a half-year, whenever the debt fell due (forskrift om renter ved forsinket betaling § 1). SE: +
 * 8 since 1984 (prop. 1983/84:138); SFS 2013:55 left that alone.
 */
describe('a debt that fell due before a law raised the rate', () => {
  test.each([
    ['DK', 'consumer', '2013-02-28', '2013-03-01', '7.20'],
    ['DK', 'consumer', '2013-02-28', '2024-05-01', '10.75'],
    ['DK', 'business', '2013-02-28', '2024-05-01', '10.75'],
    ['DK', 'consumer', '2013-01-31', '2013-02-28', '7.20'],
    ['DK', 'consumer', '2002-08-01', '2024-05-01', '10.75'],
    ['DK', 'consumer', '2013-03-01', '2013-03-02', '8.20'],
    ['DK', 'business', '2013-03-01', '2024-05-01', '11.75'],
    ['DK', 'consumer', '2024-04-30', '2024-05-01', '11.75'],
    ['FI', 'business', '2013-03-15', '2013-03-16', '8.00'],
    ['FI', 'business', '2013-03-15', '2024-05-01', '11.50'],
    ['FI', 'business', '2013-03-16', '2013-03-17', '9.00'],
    ['FI', 'business', '2013-03-16', '2024-05-01', '12.50'],
    ['FI', 'consumer', '2013-03-15', '2024-05-01', '11.50'],
    ['FI', 'consumer', '2013-03-16', '2024-05-01', '11.50'],
    ['NO', 'business', '2013-03-15', '2024-05-01', '12.50'],
    ['SE', 'business', '2013-03-15', '2024-05-01', '12.00'],
  ] as const)('%s %s, due on %s, bears on %s', (country, kind, dueOn, day, percent) => {
    const fellDueOn = date(dueOn)
    expect(rateOn(country, kind, date(day), { fellDueOn })?.percent).toBe(percent)
    const span = { from: date(day), to: addDays(date(day), 20), fellDueOn }
    expect(ratesBetween(country, kind, span)?.map((rate) => rate.percent)).toEqual([percent])
    const owed = [{ principalMinor: 36_500_000, from: date(day), to: date(day) }]
    const sum = interestOn({ owed, country, debtorKind: kind, fellDueOn })
    expect(sum?.amountMinor).toBe(Math.round(Number(percent) * 1000))
  })

  test.each([
    ['DK', '2002-07-31'],
    ['FI', '2002-06-30'],
  ] as const)('%s: what fell due on %s goes by a law that is not here', (country, dueOn) => {
    const fellDueOn = date(dueOn)
    expect(rateOn(country, 'consumer', date('2024-05-01'), { fellDueOn })).toBeUndefined()
    const half = { from: date('2024-05-01'), to: date('2024-05-02'), fellDueOn }
    expect(firstUnknownRate(country, 'consumer', half)?.name).toBe('2024 H1')
  })

  // Directive 2011/7 article 6, as each country brought it in: not for what was late before.
  test.each([
    ['SE', '2013-03-15', '2013-03-16', 45_000],
    ['NO', '2013-06-30', '2013-07-01', 46_000],
    ['DK', '2013-02-28', '2013-03-01', 31_000],
    ['FI', '2013-03-15', '2013-03-16', 4000],
  ] as const)(
    '%s: no compensation for being late when it fell due on %s, on %s the whole',
    (country, before, from, minor) => {
      const on = (day: string) =>
        ask(country, 'DELAYED_PENALTY_FEE', { debtorKind: 'business', fellDueOn: date(day) })
      expect([on(before), on(from)]).toEqual([0, minor])
    },
  )
})

const ask = (country: string, step: string, over: Partial<Omit<FeeQuestion, 'isLive' | 'figures'>> = {}) =>
  feeOn({
    country,
    step,
    debtorKind: 'consumer',
    principalMinor: 100_000,
    date: date('2026-11-20'),
    reminderFeeAgreed: true,
    ...over,
  })?.amountMinor

describe('fees', () => {
  test.each([
    ['SE', 'REMINDER', {}, 6000],
    ['SE', 'REMINDER', { reminderFeeAgreed: false }, 0],
    ['SE', 'COLLECTION_CLAIM', {}, 18_000],
    ['SE', 'COLLECTION_CLAIM', { number: 2 }, 0],
    ['SE', 'BAILIFF_PAYMENT_INJUCTION', {}, 68_000],
    ['SE', 'EXPIRED', {}, 0],
    ['SE', 'DELAYED_PENALTY_FEE', {}, 0],
    ['SE', 'DELAYED_PENALTY_FEE', { debtorKind: 'business' }, 45_000],
    ['SE', 'REMINDER', { debtorKind: 'business' }, 0],
    ['SE', 'COLLECTION_CLAIM', { debtorKind: 'business' }, 0],
    ['NO', 'REMINDER', { reminderFeeAgreed: false }, 3500],
    ['NO', 'COLLECTION_NOTIFICATION', {}, 3500],
    ['NO', 'COLLECTION_CLAIM', { principalMinor: 50_000 }, 17_500],
    ['NO', 'COLLECTION_CLAIM', { principalMinor: 50_001 }, 24_500],
    ['NO', 'COLLECTION_CLAIM', { principalMinor: 99_999_999 }, 504_000],
    ['NO', 'COLLECTION_CLAIM', { principalMinor: 50_001, number: 2 }, 24_500],
    ['NO', 'DELAYED_PENALTY_FEE', { debtorKind: 'business' }, 46_000],
    ['NO', 'DELAYED_PENALTY_FEE', { debtorKind: 'business', date: date('2025-02-01') }, 47_000],
    ['DK', 'REMINDER', { number: 3 }, 10_000],
    ['DK', 'REMINDER', { number: 4 }, 0],
    ['SE', 'REMINDER', { number: 2 }, 0],
    ['FI', 'REMINDER', { number: 2 }, 0],
    ['NO', 'COLLECTION_CLAIM', { number: 3 }, 0],
    ['DK', 'COLLECTION_CLAIM', {}, 10_000],
    ['DK', 'DELAYED_PENALTY_FEE', { debtorKind: 'business' }, 31_000],
    ['FI', 'REMINDER', {}, 500],
    ['FI', 'COLLECTION_CLAIM', { principalMinor: 10_000 }, 1400],
    ['FI', 'COLLECTION_CLAIM', { principalMinor: 78_000 }, 2400],
    ['FI', 'COLLECTION_CLAIM', { principalMinor: 78_000, number: 2 }, 1200],
    ['FI', 'COLLECTION_CLAIM', { principalMinor: 100_001 }, 5000],
    ['FI', 'DELAYED_PENALTY_FEE', { debtorKind: 'business' }, 4000],
    ['FI', 'COLLECTION_CLAIM', { debtorKind: 'business', principalMinor: 1_000_001 }, 11_000],
    ['DE', 'REMINDER', {}, 0],
    ['DE', 'DELAYED_PENALTY_FEE', { debtorKind: 'business' }, 0],
    ['constructor', 'toString', {}, 0],
    ['SE', 'toString', {}, 0],
  ] as const)('%s %s %o', (country, step, over, expected) => {
    expect(ask(country, step, over)).toBe(expected)
  })

  test.each([
    ['NO', 'REMINDER', { date: date('2020-09-30') }],
    ['NO', 'COLLECTION_CLAIM', { date: date('2020-09-30') }],
    ['NO', 'DELAYED_PENALTY_FEE', { debtorKind: 'business', date: date('2024-01-01') }],
    ['FI', 'COLLECTION_CLAIM', { debtorKind: 'business', date: date('2022-04-30') }],
    ['NO', 'BAILIFF_PAYMENT_INJUCTION', {}],
    ['DK', 'BAILIFF_PAYMENT_INJUCTION', {}],
  ] as const)('not known: %s %s %o', (country, step, over) => {
    expect(ask(country, step, over)).toBeUndefined()
  })

  test('an amount that nobody has confirmed says so, and each names its ground', () => {
    const reminder = (day: string) =>
      feeOn({
        country: 'NO',
        step: 'REMINDER',
        debtorKind: 'consumer',
        principalMinor: 1,
        date: date(day),
      })
    expect(reminder('2025-12-31')?.assumed).toBe(false)
    expect(reminder('2026-01-01')?.assumed).toBe(true)
    expect(reminder('2026-01-01')?.source).toContain('1/20')
  })

  test('late payment compensation is taken off the fees of the claim', () => {
    const business = { debtorKind: 'business', principalMinor: 899_000 } as const
    expect(ask('NO', 'COLLECTION_CLAIM', { ...business, chargedMinor: 46_000 })).toBe(10_000)
    expect(ask('NO', 'COLLECTION_CLAIM', { ...business, chargedMinor: 56_000, number: 2 })).toBe(56_000)
    expect(ask('FI', 'COLLECTION_CLAIM', { ...business, chargedMinor: 4000 })).toBe(5000)
    expect(ask('DK', 'COLLECTION_CLAIM', { ...business, chargedMinor: 31_000 })).toBe(0)
  })

  test('Finnish consumers pay no costs above the ceiling', () => {
    expect(ask('FI', 'COLLECTION_CLAIM', { principalMinor: 10_000, chargedMinor: 5500 })).toBe(500)
    expect(ask('FI', 'REMINDER', { principalMinor: 10_000, chargedMinor: 6000 })).toBe(0)
    expect(ask('FI', 'REMINDER', { principalMinor: 10_001, chargedMinor: 6000 })).toBe(500)
  })

  test('a small rest is charged nothing, also where the fee is unknown', () => {
    expect(ask('SE', 'REMINDER', { stopsFees: true })).toBe(0)
    expect(ask('NO', 'BAILIFF_PAYMENT_INJUCTION', { stopsFees: true })).toBe(0)
  })
})

test('the data: rows in order, whole minor units, the widest band last', () => {
  for (const { rates, fees, costCap } of Object.values(COUNTRY_PARAMS)) {
    const starts = rates.rows.map(({ from }) => from)
    expect(starts).toEqual([...new Set(starts)].sort())
    expect(starts.every((from) => date(from).endsWith('-01'))).toBe(true)
    for (const row of rates.rows)
      expect([row.consumer, row.business].every((p) => /^\d+\.\d\d$/.test(p))).toBe(true)
    const tables = [
      ...KINDS.flatMap((kind) => Object.values(fees[kind]).map((fee) => fee?.rows ?? [])),
      ...Object.values(costCap ?? {}),
    ]
    for (const rows of tables) {
      const days = rows.map(({ from }) => (from === null ? '' : date(from)))
      expect(days).toEqual([...new Set(days)].sort())
      for (const { bands, source } of rows) {
        const limits = bands.map(({ upToMinor }) => upToMinor ?? Number.POSITIVE_INFINITY)
        expect(limits).toEqual([...new Set(limits)].sort((a, b) => a - b))
        expect(limits.at(-1)).toBe(Number.POSITIVE_INFINITY)
        expect(bands.every(({ feeMinor }) => Number.isSafeInteger(feeMinor) && feeMinor > 0)).toBe(true)
        expect(source).not.toBe('')
      }
    }
  }
})
