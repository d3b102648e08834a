import { expect, test } from 'vitest'
import { priceCreditedRows, type WantedRow } from './credit-rows.ts'

const written = {
  rows: [
    { line: '1', quantity: '3', amountMinor: 30_002, unitPrice: '100.005', vatPercent: '25' },
    { line: '2', quantity: '1', amountMinor: 1000, unitPrice: '10', vatPercent: '0' },
  ],
  taxes: [{ percent: '25' }],
  currency: 'SEK',
} as const

const imported = {
  rows: [{ line: '1', quantity: '4', amountMinor: 10_000 }],
  taxes: [{ percent: '25' }],
  currency: 'SEK',
} as const

test('so many of a row, with its tax', () => {
  // 1 × 100.005 = 100.01 half up; 25 % of it is 25.0025 -> 25.00.
  expect(priceCreditedRows([{ line: '1', quantity: 1 }], written)).toBe(12_501)
  // All of a row is what it cost: 300.02 and 75.01.
  expect(
    priceCreditedRows(
      [
        { line: 1, quantity: '3' },
        { line: '2', quantity: 1 },
      ],
      written,
    ),
  ).toBe(38_503)
  // A quarter of 100.00, and the document's only rate.
  expect(priceCreditedRows([{ line: '1', quantity: '1' }], imported)).toBe(3125)
})

test('an amount of a row stands with its tax', () => {
  expect(
    priceCreditedRows(
      [
        { line: '1', amount: '50.00' },
        { line: '2', quantity: 1 },
      ],
      written,
    ),
  ).toBe(6000)
})

test.each<[WantedRow[], string]>([
  [[{ line: '9', quantity: 1 }], 'rows.0.line'],
  [
    [
      { line: '1', quantity: 1 },
      { line: '1', quantity: 1 },
    ],
    'rows.1.line',
  ],
  [[{ line: '1', quantity: 4 }], 'rows.0.quantity'],
  [[{ line: '1', quantity: 0 }], 'rows.0.quantity'],
  [[{ line: '1', quantity: -1 }], 'rows.0.quantity'],
  [[{ line: '1', quantity: 1, amount: 1 }], 'rows.0.amount'],
  [[{ line: '1' }], 'rows.0.amount'],
  [[{ line: '2', amount: '10.01' }], 'rows.0.amount'],
])('%j is refused at %s', (wanted, field) => {
  expect(priceCreditedRows(wanted, written)).toEqual({ field })
})

test('where a document has several rates and the row says none, only an amount can be credited', () => {
  const mixed = { ...imported, taxes: [{ percent: '25' }, { percent: '12' }] }
  expect(priceCreditedRows([{ line: '1', quantity: 1 }], mixed)).toEqual({ field: 'rows.0.quantity' })
  expect(priceCreditedRows([{ line: '1', amount: 20 }], mixed)).toBe(2000)
})
