import { expect, test } from 'vitest'
import { priceDraft, type DraftRow } from './draft.ts'

const row = (
  quantity: DraftRow['quantity'],
  unitPrice: DraftRow['unitPrice'],
  vatPercent: DraftRow['vatPercent'] = '25',
) => ({
  quantity,
  unitPrice,
  vatPercent,
  vatReason: 'Undantaget från moms',
})

test('a row is quantity times price, half up; the tax is taken once on the sum of its rate', () => {
  // 3 × 0.0150 = 0.045 -> 0.05 each; 25 % of 0.10 is 0.025 -> 0.03, where row by row it would be 0.02.
  expect(priceDraft([row(3, '0.0150'), row(3, 0.015)], 'SEK')).toEqual({
    rows: [
      { quantity: '3', unitPrice: '0.015', vatPercent: '25', netMinor: 5 },
      { quantity: '3', unitPrice: '0.015', vatPercent: '25', netMinor: 5 },
    ],
    taxes: [{ percent: '25', baseMinor: 10, taxMinor: 3 }],
    totalMinor: 13,
  })
})

test('several rates, one with a decimal, and one of nothing', () => {
  const priced = priceDraft(
    [row('2', '100.00', 25.5), row(1, 50, '25.50'), row('1', '10', 0), row(1, 20, '14.0')],
    'EUR',
  )
  // 250.00 at 25.5 % is 63.75; 10.00 at 0; 20.00 at 14 % is 2.80.
  expect(priced).toMatchObject({
    taxes: [
      { percent: '25.5', baseMinor: 25_000, taxMinor: 6375 },
      { percent: '0', baseMinor: 1000, taxMinor: 0 },
      { percent: '14', baseMinor: 2000, taxMinor: 280 },
    ],
    totalMinor: 34_655,
  })
})

test('a discount is a row below zero, rounded away from it', () => {
  expect(priceDraft([row(1, 100), row(-1, '0.125')], 'SEK')).toMatchObject({
    rows: [{ netMinor: 10_000 }, { netMinor: -13 }],
    totalMinor: 12_484,
  })
})

test.each<[DraftRow[], string]>([
  [[row('1,5', 10)], 'rows.0.quantity'],
  [[row(1, 10), row(0, 10)], 'rows.1.quantity'],
  [[row('1e3', 10)], 'rows.0.quantity'],
  [[row(1, '0.12345')], 'rows.0.unitPrice'],
  [[row(1, 10, '25.55')], 'rows.0.vatPercent'],
  [[row(1, 10, '101')], 'rows.0.vatPercent'],
  [[row(1, 10, '-25')], 'rows.0.vatPercent'],
  [[{ ...row(1, 10, 0), vatReason: ' ' }], 'rows.0.vatReason'],
  [[row(-1, 10)], 'rows'],
  [[row(1, 0)], 'rows'],
  [[row(999_999_999, 999_999_999)], 'rows.0.unitPrice'],
])('%j is refused at %s', (rows, field) => {
  expect(priceDraft(rows, 'SEK')).toEqual({ field })
})
