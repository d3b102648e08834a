import { describe, expect, test } from 'vitest'
import { type CashFlow, effectiveRate, rateText } from './apr.ts'

const monthly = (amount: number, count: number): CashFlow[] =>
  Array.from({ length: count }, (_, index) => ({ years: (index + 1) / 12, amount: -amount }))

// Examples of the European Commission (Markt/2014/107/H3/TA/LV) and of Directive 98/7/EC.
describe('official examples', () => {
  test.each([
    ['EC 1', [{ years: 0, amount: 196_000 }, ...monthly(1432.86, 240)], '6.434412'],
    ['EC 4', [{ years: 0, amount: 196_000 }, ...monthly(1599.53, 240)], '7.946625'],
    [
      'EC 7',
      [{ years: 0, amount: 196_000 }, ...monthly(1199.1, 180), { years: 15, amount: -142_097.69 }],
      '6.409523',
    ],
    [
      '98/7 B1',
      [
        { years: 0, amount: 1000 },
        { years: 1.5, amount: -1200 },
      ],
      '12.924323',
    ],
    [
      '98/7 A3',
      [
        { years: 0, amount: 1000 },
        { years: 1, amount: -600 },
        { years: 2, amount: -600 },
      ],
      '13.066239',
    ],
  ])('%s', (_name, flows, percent) => {
    expect(rateText(effectiveRate(flows) ?? Number.NaN, 6)).toBe(percent)
  })
})

test('a credit that costs nothing has the rate 0', () => {
  expect(effectiveRate([{ years: 0, amount: 1200 }, ...monthly(100, 12)])).toBe(0)
})

test('a dear and short credit has a rate in the thousands', () => {
  const percent =
    effectiveRate([
      { years: 0, amount: 200 },
      { years: 1 / 12, amount: -250 },
    ]) ?? 0
  expect(rateText(percent, 2)).toBe('1355.19')
})

test('paying back less than was received gives a negative rate', () => {
  const percent =
    effectiveRate([
      { years: 0, amount: 1000 },
      { years: 1, amount: -900 },
    ]) ?? 0
  expect(rateText(percent, 2)).toBe('-10.00')
})

test('without anything paid back, or with everything paid at once, there is no rate', () => {
  expect(effectiveRate([{ years: 0, amount: 1000 }])).toBeUndefined()
  expect(
    effectiveRate([
      { years: 0, amount: 1000 },
      { years: 0, amount: -1001 },
    ]),
  ).toBeUndefined()
})

test.each([
  [6.95, 1, '7.0'],
  [6.434412, 2, '6.43'],
  [0, 1, '0.0'],
  [0.04, 1, '0.0'],
  [-0.04, 1, '0.0'],
  [-1.26, 1, '-1.3'],
  [12.5, 0, '13'],
])('%d to %i places is %s', (percent, decimals, text) => {
  expect(rateText(percent, decimals)).toBe(text)
})
