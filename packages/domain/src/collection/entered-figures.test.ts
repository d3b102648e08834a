/**
 * Which figure holds when people have entered some. What a rate comes to is the law's sum: räntelagen 6 § and renteloven § 5 add 8
 * points to what is published, korkolaki 4 and 4 a § 7 for a consumer and 8, and in Norway the rate itself is published.
 */
import { describe, expect, test } from 'vitest'
import { date } from '../calendar.ts'
import { COUNTRY_PARAMS, creditCapOn, feeOn, rateOn, ratesBetween } from './country-params.ts'
import {
  figuresOf,
  figuresWith,
  rowOn,
  rowsOf,
  whyNotFigure,
  type EnteredFigure,
  type FigureValue,
} from './entered-figures.ts'
import { figureAsked, isFigureKnown, missingCeiling, missingName } from './missing-figure.ts'
import { halfYearOf } from './half-years.ts'
import { interestToPost } from './interest-posting.ts'
import { readFigure } from './read-figure.ts'

const D = date
const TODAY = D('2026-11-27')

const rate = (country: string, from: string, percent: string): EnteredFigure => ({
  country,
  figure: 'reference_rate',
  from,
  value: { percent },
  source: 'The publication of the half-year',
})
const entered = (figure: string, from: string, value: FigureValue, country = 'NO'): EnteredFigure => ({
  country,
  figure,
  from,
  value,
  source: 'The printed amount',
})
const one = (amount: string): FigureValue => ({ bands: [{ upTo: null, amount }] })

const lateOn = (country: string, day: string, rows: readonly EnteredFigure[], isLive = true) => {
  const law = { isLive, figures: figuresWith(rows) }
  return (['consumer', 'business'] as const).map((kind) => rateOn(country, kind, D(day), law)?.percent)
}

describe('a published rate with what the law adds', () => {
  test.each([
    ['SE', '2.00', ['10.00', '10.00']],
    ['SE', '2.25', ['10.25', '10.25']],
    ['SE', '-0.50', ['7.50', '7.50']],
    ['DK', '3.25', ['11.25', '11.25']],
    ['FI', '2.50', ['9.50', '10.50']],
    ['NO', '11.75', ['11.75', '11.75']],
  ] as const)('%s %s', (country, percent, late) => {
    expect(lateOn(country, '2026-07-01', [rate(country, '2026-07-01', percent)])).toEqual(late)
  })

  // Riksbanken, Nationalbanken and Suomen Pankki for 2024 H1: 4.00, 3.75 and 4.50; Norway 2024 H1 12.50.
  test.each([
    ['SE', '4.00'],
    ['DK', '3.75'],
    ['FI', '4.50'],
    ['NO', '12.50'],
  ])('what the product knows of %s is read back as it was published: %s', (country, percent) => {
    const row = rowOn(country, 'reference_rate', { day: D('2024-05-05'), figures: COUNTRY_PARAMS })
    expect(row?.value).toEqual({ percent })
  })
})

describe('where debts are real', () => {
  test('an assumed rate is none, an entered one holds for its half-year and no other day', () => {
    const rows = [rate('SE', '2026-07-01', '2.25')]
    expect(lateOn('SE', '2026-11-27', [])).toEqual([undefined, undefined])
    expect(lateOn('SE', '2026-06-30', rows)).toEqual(['10.00', '10.00'])
    expect(lateOn('SE', '2026-07-01', rows)).toEqual(['10.25', '10.25'])
    expect(lateOn('SE', '2026-12-31', rows)).toEqual(['10.25', '10.25'])
    expect(lateOn('SE', '2027-01-01', rows)).toEqual([undefined, undefined])
    // Of another country nothing is known by it.
    expect(lateOn('DK', '2026-11-27', rows)).toEqual([undefined, undefined])
  })

  test('what the product has confirmed stays, whatever is entered for the same day', () => {
    expect(lateOn('SE', '2026-03-01', [rate('SE', '2026-01-01', '9.00')])).toEqual(['10.00', '10.00'])
  })

  test('of two for one day the later entry corrects the other', () => {
    const rows = [rate('SE', '2026-07-01', '22.50'), rate('SE', '2026-07-01', '2.25')]
    expect(lateOn('SE', '2026-08-01', rows)).toEqual(['10.25', '10.25'])
  })

  test('a half-year that nobody gave is filled, and those around it stay', () => {
    const rows = [rate('NO', '2024-07-01', '12.50')]
    expect(lateOn('NO', '2024-12-31', rows)).toEqual(['12.50', '12.50'])
    expect(lateOn('NO', '2025-01-01', rows)).toEqual(['12.50', '12.50'])
    expect(lateOn('NO', '2025-07-01', rows)).toEqual([undefined, undefined])
  })

  test('older debts bear what their own law says, also by an entered rate', () => {
    const law = { isLive: true, figures: figuresWith([rate('DK', '2026-07-01', '2.00')]) }
    const on = (fellDueOn: string) =>
      rateOn('DK', 'consumer', D('2026-08-01'), { ...law, fellDueOn: D(fellDueOn) })?.percent
    expect([on('2013-02-28'), on('2013-03-01')]).toEqual(['9.00', '10.00'])
  })

  test('interest of days on both sides is the sum of both rates, rounded once', () => {
    const law = { isLive: true, figures: figuresWith([rate('SE', '2026-07-01', '2.25')]) }
    const debt = { country: 'SE', debtorKind: 'consumer', fellDueOn: D('2026-06-01'), ...law } as const
    const owed = [{ principalMinor: 1_000_000, from: D('2026-06-21'), to: D('2026-07-10') }]
    // 10 days at 10 % and 10 at 10.25 % of 10 000.00: 27.397 + 28.082.
    expect(interestToPost({ ...debt, owed })?.amountMinor).toBe(5548)
  })
})

describe('in a demo', () => {
  test('an entry takes the place of what was assumed, and is itself assumed to go on', () => {
    const rows = [rate('SE', '2026-07-01', '2.50')]
    const law = { figures: figuresWith(rows) }
    expect(rateOn('SE', 'consumer', D('2026-12-31'), law)).toEqual({ percent: '10.50', assumed: false })
    expect(rateOn('SE', 'consumer', D('2028-02-01'), law)).toEqual({ percent: '10.50', assumed: true })
    const span = { from: D('2026-12-30'), to: D('2027-01-02'), ...law }
    expect(ratesBetween('SE', 'consumer', span)?.map(({ from }) => from)).toEqual([
      '2026-12-30',
      '2027-01-01',
    ])
  })

  test('a later entry ends what was assumed', () => {
    const law = { figures: figuresWith([rate('SE', '2027-01-01', '2.50')]) }
    expect(rateOn('SE', 'consumer', D('2026-12-31'), law)).toEqual({ percent: '10.00', assumed: true })
    expect(rateOn('SE', 'consumer', D('2027-01-01'), law)).toEqual({ percent: '10.50', assumed: false })
  })
})

describe('fees and ceilings', () => {
  const reminder = (day: string, rows: readonly EnteredFigure[]) =>
    feeOn({
      country: 'NO',
      step: 'REMINDER',
      debtorKind: 'consumer',
      principalMinor: 100_000,
      date: D(day),
      isLive: true,
      figures: figuresWith(rows),
    })?.amountMinor

  test('a fee holds from its day until the next one', () => {
    const rows = [entered('fee.consumer.REMINDER', '2026-01-01', one('37.50'))]
    expect(reminder('2025-12-31', rows)).toBe(3500)
    expect(reminder('2026-01-01', [])).toBeUndefined()
    expect(reminder('2026-01-01', rows)).toBe(3750)
    expect(reminder('2029-01-01', rows)).toBe(3750)
  })

  test('a court’s cost that the product does not know is known by its entry', () => {
    const rows = [entered('fee.consumer.BAILIFF_PAYMENT_INJUCTION', '2026-02-01', one('1314.00'))]
    const on = (day: string) =>
      feeOn({
        country: 'NO',
        step: 'BAILIFF_PAYMENT_INJUCTION',
        debtorKind: 'consumer',
        principalMinor: 1,
        date: D(day),
        isLive: true,
        figures: figuresWith(rows),
      })?.amountMinor
    expect([on('2026-01-31'), on('2026-02-01')]).toEqual([undefined, 131_400])
  })

  test('the Finnish ceiling of all costs, whose middle step nobody has confirmed', () => {
    const bands = {
      bands: [
        { upTo: '100.00', amount: '60.00' },
        { upTo: '1000.00', amount: '120.00' },
        { upTo: null, amount: '210.00' },
      ],
    }
    const fee = (rows: readonly EnteredFigure[]) =>
      feeOn({
        country: 'FI',
        step: 'COLLECTION_CLAIM',
        debtorKind: 'consumer',
        principalMinor: 50_000,
        date: D('2026-12-01'),
        chargedMinor: 5_000,
        isLive: true,
        figures: figuresWith(rows),
      })?.amountMinor
    // 24 euro (perintälaki 10 a §), where 10 are left of 60 and 70 of 120.
    expect([fee([]), fee([entered('cost_cap.consumer', '2026-12-01', bands, 'FI')])]).toEqual([1000, 2400])
  })

  const cap = (percent: string, isOverReference: boolean): FigureValue => ({
    percent,
    isOverReference,
    costAtMostCredit: true,
  })
  test('a ceiling over the reference rate moves with it, one of its own does not', () => {
    const law = {
      isLive: true,
      figures: figuresWith([
        rate('FI', '2026-07-01', '2.00'),
        entered('credit_cap', '2026-01-01', cap('15', true), 'FI'),
        entered('credit_cap', '2026-01-01', cap('35', false), 'DK'),
      ]),
    }
    expect(creditCapOn('FI', D('2026-08-01'), law)?.percent).toBe('17.00')
    expect(creditCapOn('FI', D('2027-01-01'), law)).toBeUndefined()
    expect(creditCapOn('DK', D('2027-01-01'), law)?.percent).toBe('35')
    expect(creditCapOn('DK', D('2025-12-31'), law)).toBeUndefined()
  })

  test('the Swedish ceiling is known again with the reference rate', () => {
    const law = { isLive: true, figures: figuresWith([rate('SE', '2026-07-01', '2.00')]) }
    expect(creditCapOn('SE', D('2026-08-01'), { isLive: true, figures: COUNTRY_PARAMS })).toBeUndefined()
    // Prop. 2024/25:17: the reference rate and 20 points.
    expect(creditCapOn('SE', D('2026-08-01'), law)?.percent).toBe('22.00')
  })
})

describe('what may be entered', () => {
  const ask = (
    [country, figure, from, value]: readonly [string, string, string, FigureValue],
    rows: readonly EnteredFigure[] = [],
  ) => whyNotFigure({ country, figure, from, value }, { today: TODAY, figures: figuresWith(rows) })
  const TWO = { percent: '2.00' }
  const CAP = { percent: '20.00', isOverReference: true, costAtMostCredit: true }

  test.each([
    ['SE', 'reference_rate', '2026-07-01', TWO, undefined],
    ['SE', 'reference_rate', '2027-01-01', TWO, undefined],
    ['NO', 'reference_rate', '2024-07-01', TWO, undefined],
    ['SE', 'reference_rate', '2026-01-01', TWO, 'figure_confirmed'],
    ['SE', 'reference_rate', '2026-10-01', TWO, 'figure_day_wrong'],
    ['SE', 'reference_rate', '2026-02-30', TWO, 'figure_day_wrong'],
    ['SE', 'reference_rate', '2028-01-01', TWO, 'figure_day_wrong'],
    ['SE', 'reference_rate', '', TWO, 'figure_day_wrong'],
    ['DE', 'reference_rate', '2026-07-01', TWO, 'figure_unknown'],
    ['constructor', 'reference_rate', '2026-07-01', TWO, 'figure_unknown'],
    ['SE', 'toString', '2026-07-01', TWO, 'figure_unknown'],
    ['SE', 'fee.consumer.toString', '2026-07-01', TWO, 'figure_unknown'],
    ['SE', 'fee.consumer.REMINDER', '2026-11-26', one('65.00'), 'figure_confirmed'],
    ['SE', 'fee.consumer.REMINDER', '2027-01-01', one('65.00'), undefined],
    ['SE', 'fee.consumer.REMINDER', '2027-01-01', one('60.00'), 'figure_same'],
    ['NO', 'fee.consumer.REMINDER', '2026-01-01', one('37.50'), undefined],
    // Confirming what was assumed is news, not the same again.
    ['NO', 'fee.consumer.REMINDER', '2026-01-01', one('35.00'), undefined],
    ['NO', 'fee.business.DELAYED_PENALTY_FEE', '2026-08-01', one('470.00'), 'figure_day_wrong'],
    // What was charged today was measured by the ceiling that was known.
    ['FI', 'cost_cap.consumer', '2026-11-26', one('60.00'), 'figure_day_wrong'],
    ['FI', 'cost_cap.consumer', '2026-11-27', one('60.00'), 'figure_day_wrong'],
    ['FI', 'cost_cap.consumer', '2026-11-28', one('60.00'), undefined],
    // Finland limits other costs by the day and the year beside the rate, and Denmark the yearly cost in all: no row says that.
    ['FI', 'credit_cap', '2027-01-01', CAP, 'figure_closed'],
    ['DK', 'credit_cap', '2027-01-01', CAP, 'figure_closed'],
    ['NO', 'credit_cap', '2027-01-01', CAP, undefined],
  ] as const)('%s %s from %s: %j is %s', (country, figure, from, value, code) => {
    expect(ask([country, figure, from, value])).toBe(code)
  })

  test('the same twice is once, another one corrects it', () => {
    const rows = [rate('SE', '2026-07-01', '2.00')]
    expect(ask(['SE', 'reference_rate', '2026-07-01', TWO], rows)).toBe('figure_same')
    expect(ask(['SE', 'reference_rate', '2026-07-01', { percent: '2.25' }], rows)).toBeUndefined()
  })
})

describe('what is written', () => {
  test.each([
    ['2.00', '2.00'],
    ['2', '2.00'],
    ['-0.5', '-0.50'],
    ['-8.01', undefined],
    ['31', undefined],
    ['2,25', undefined],
    ['2.255', undefined],
    ['1e1', undefined],
    ['NaN', undefined],
    [' 2', undefined],
    ['', undefined],
  ])('the rate "%s" is read as %s', (percent, read) => {
    const value = readFigure('SE', 'reference_rate', { percent })
    expect(value).toEqual(read === undefined ? { field: 'percent' } : { percent: read })
  })

  test.each([
    [[], 'bands'],
    [[{ upTo: null, amount: '' }], 'bands.0.amount'],
    [[{ upTo: null, amount: '-5.00' }], 'bands.0.amount'],
    [[{ upTo: null, amount: '9999999.00' }], 'bands.0.amount'],
    [[{ upTo: '500.00', amount: '5.00' }], 'bands.0.upTo'],
    [
      [
        { upTo: null, amount: '5.00' },
        { upTo: null, amount: '6.00' },
      ],
      'bands.0.upTo',
    ],
    [
      [
        { upTo: '500', amount: '5' },
        { upTo: '500.00', amount: '6' },
        { upTo: null, amount: '7' },
      ],
      'bands.1.upTo',
    ],
  ])('%j: %s is wrong', (bands, field) => {
    expect(readFigure('NO', 'fee.consumer.COLLECTION_CLAIM', { bands })).toEqual({ field })
  })

  test('a law may say that something costs nothing', () => {
    const bands = [
      { upTo: '500', amount: '0' },
      { upTo: null, amount: '5' },
    ]
    expect(readFigure('NO', 'fee.consumer.COLLECTION_CLAIM', { bands })).toEqual({
      bands: [
        { upTo: '500.00', amount: '0.00' },
        { upTo: null, amount: '5.00' },
      ],
    })
  })

  test('every row of the product could have been entered: nothing of it is lost on the way', () => {
    for (const country of ['SE', 'NO', 'DK', 'FI'])
      for (const figure of figuresOf(country))
        for (const { value } of rowsOf(country, figure))
          expect(readFigure(country, figure, value as object), `${country} ${figure}`).toEqual(value)
  })
})

describe('what a task asks for', () => {
  const half = halfYearOf(D('2026-11-01'))
  test.each([
    [missingName({ country: 'SE', debtorKind: 'business' }, undefined, half), 'reference_rate', '2026-07-01'],
    [
      missingName({ country: 'NO', debtorKind: 'consumer' }, 'REMINDER', half),
      'fee.consumer.REMINDER',
      '2026-07-01',
    ],
    [missingCeiling('FI'), 'credit_cap', undefined],
  ])('"%s" asks for %s from %s', (about, figure, from) => {
    expect(figureAsked(about)).toMatchObject({ figure, ...(from === undefined ? {} : { from }) })
    expect(figuresOf(about.slice(-2) === 'FI' ? 'FI' : about.slice(0, 2))).toContain(figure)
  })

  test('is known once it has been entered', () => {
    const about = missingName({ country: 'SE', debtorKind: 'business' }, undefined, half)
    const isKnown = (rows: readonly EnteredFigure[]) =>
      isFigureKnown(about, { isLive: true, figures: figuresWith(rows) }, TODAY)
    expect([isKnown([]), isKnown([rate('SE', '2026-07-01', '2.00')])]).toEqual([false, true])
    expect(isFigureKnown('x', { isLive: true, figures: COUNTRY_PARAMS }, TODAY)).toBe(false)
  })

  test('a fee is known when it is on every day from the one that needs it to the end of the half-year', () => {
    const about = missingName({ country: 'NO', debtorKind: 'consumer' }, 'REMINDER', half)
    const rows = [entered('fee.consumer.REMINDER', '2026-11-15', one('37.50'))]
    const isKnown = (neededOn: string, today: string) =>
      isFigureKnown(
        about,
        { isLive: true, figures: figuresWith(rows) },
        D(today),
        neededOn === '' ? undefined : D(neededOn),
      )
    // What needs it first waits until the day on which it begins.
    expect(isKnown('2026-11-10', '2026-11-01')).toBe(false)
    expect(isKnown('2026-11-10', '2026-11-14')).toBe(false)
    expect(isKnown('2026-11-10', '2026-11-15')).toBe(true)
    expect(isKnown('2026-11-20', '2026-11-01')).toBe(true)
    expect(isKnown('', '2026-11-01')).toBe(false)
    // The half-year is over: what waited for it is charged by the fee of today.
    expect(isKnown('2026-11-10', '2027-01-05')).toBe(true)
  })
})
