import { describe, expect, test } from 'vitest'
import { priceCreditedRows, type CreditedRow, type WantedRow } from './credit-rows.ts'

type Invoice = Parameters<typeof priceCreditedRows>[1]

const written = {
  rows: [
    { line: '1', quantity: '3', amountMinor: 30_002, unitPrice: '100.005', vatPercent: '25' },
    { line: '2', quantity: '1', amountMinor: 1000, unitPrice: '10', vatPercent: '0' },
  ],
  taxes: [{ percent: '25' }],
  currency: 'SEK',
  totalMinor: 38_503,
  credited: [],
  leftMinor: 38_503,
} as const

const imported = {
  rows: [{ line: '1', quantity: '4', amountMinor: 10_000 }],
  taxes: [{ percent: '25' }],
  currency: 'SEK',
  totalMinor: 12_500,
  credited: [],
  leftMinor: 12_500,
} as const

test('so many of a row, with its tax', () => {
  // 1 × 100.005 = 100.01 half up; 25 % of it is 25.0025 -> 25.00.
  expect(priceCreditedRows([{ line: '1', quantity: 1 }], written)).toMatchObject({ minor: 12_501 })
  // All of a row is what it cost: 300.02 and 75.01.
  expect(
    priceCreditedRows(
      [
        { line: 1, quantity: '3' },
        { line: '2', quantity: 1 },
      ],
      written,
    ),
  ).toMatchObject({ minor: 38_503 })
  // A quarter of 100.00, and the document's only rate.
  expect(priceCreditedRows([{ line: '1', quantity: '1' }], imported)).toMatchObject({ minor: 3125 })
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
  ).toMatchObject({ minor: 6000 })
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
  [[{ line: '2', amount: '10.01' }], 'rows.0.amount'],
])('%j is refused at %s', (wanted, field) => {
  expect(priceCreditedRows(wanted, written)).toEqual({ field })
})

test('where a document has several rates and the row says none, only an amount can be credited', () => {
  const mixed = { ...imported, taxes: [{ percent: '25' }, { percent: '12' }] }
  expect(priceCreditedRows([{ line: '1', quantity: 1 }], mixed)).toEqual({ field: 'rows.0.quantity' })
  expect(priceCreditedRows([{ line: '1', amount: 20 }], mixed)).toMatchObject({ minor: 2000 })
})

describe('what is left of a row', () => {
  const price = (wanted: WantedRow, credited: CreditedRow[], invoice: Invoice = imported) =>
    priceCreditedRows([wanted], { ...invoice, credited })
  const some = (minor: number, quantity: string | null = null): CreditedRow => ({
    line: '1',
    minor,
    quantity,
  })

  test('an amount is held against what earlier notes have taken of it', () => {
    expect(price({ line: '1', amount: '25.00' }, [some(10_000)])).toMatchObject({ minor: 2500 })
    expect(price({ line: '1', amount: '25.01' }, [some(10_000)])).toEqual({ field: 'rows.0.amount' })
    expect(price({ line: '1', amount: '0.01' }, [some(12_500, '4')])).toEqual({ field: 'rows.0.amount' })
  })

  test('so is a quantity, by what is left of it and of its amount', () => {
    expect(price({ line: '1', quantity: 2 }, [some(6250, '2')])).toMatchObject({ minor: 6250 })
    expect(price({ line: '1', quantity: 3 }, [some(6250, '2')])).toEqual({ field: 'rows.0.quantity' })
    expect(price({ line: '1', quantity: 3 }, [some(6250)])).toEqual({ field: 'rows.0.quantity' })
    expect(price({ line: '1', quantity: 4 }, [some(6250)])).toMatchObject({ minor: 6250 })
  })

  test('thirds come to the whole row', () => {
    const thirds = {
      ...imported,
      rows: [{ line: '1', quantity: '3', amountMinor: 20_000 }],
      taxes: [],
      totalMinor: 20_000,
    }
    const first = price({ line: '1', quantity: 1 }, [], thirds)
    expect(first).toMatchObject({ minor: 6667 })
    expect(price({ line: '1', quantity: 1 }, [some(6667, '1'), some(6667, '1')], thirds)).toMatchObject({
      minor: 6666,
    })
  })

  test('a discount on the row, and one on the whole document, are credited with it', () => {
    const row = { line: '1', quantity: '10', amountMinor: 5000, unitPrice: '10' }
    const cheaper = { ...imported, rows: [row], taxes: [], totalMinor: 5000 }
    expect(price({ line: '1', quantity: 9 }, [], cheaper)).toMatchObject({ minor: 4500 })
    const half = { ...imported, rows: [row, { ...row, line: '2' }], taxes: [], totalMinor: 5000 }
    expect(price({ line: '1', quantity: 10 }, [], half)).toMatchObject({ minor: 2500 })
    expect(price({ line: '1', amount: '25.01' }, [], half)).toEqual({ field: 'rows.0.amount' })
  })
})

describe('rows one after the other come to the document', () => {
  const rowsOf = (net: number) => ['1', '2'].map((line) => ({ line, quantity: '1', amountMinor: net }))
  test.each([
    // 198.02 and 49.505 of tax, up to 49.51: 247.53. Each row alone: 99.01 and 24.7525: 123.76.
    ['less than it', 9901, 24_753, 12_376, 12_377],
    // 198.04 and 49.51: 247.55. Each row alone: 99.02 and 24.755, up to 24.76: 123.78.
    ['more than it', 9902, 24_755, 12_378, 12_377],
  ])('where each rounded by itself is %s', (_name, net, totalMinor, first, second) => {
    const document = { rows: rowsOf(net), taxes: [{ percent: '25' }], currency: 'SEK', totalMinor } as const
    const one = priceCreditedRows([{ line: '1', quantity: 1 }], {
      ...document,
      credited: [],
      leftMinor: totalMinor,
    })
    expect(one).toMatchObject({ minor: first })
    const credited = 'rows' in one ? one.rows : []
    const left = { ...document, credited, leftMinor: totalMinor - first }
    expect(priceCreditedRows([{ line: '2', quantity: 1 }], left)).toMatchObject({ minor: second })
  })
})

test('a row that says neither is credited with all that is left of it', () => {
  const row = { line: '1', quantity: null, amountMinor: 10_000 }
  const document = { rows: [row], taxes: [{ percent: '25' }], currency: 'SEK', totalMinor: 12_500 } as const
  const before = [{ line: '1', minor: 2500, quantity: null }]
  expect(
    priceCreditedRows([{ line: '1' }], { ...document, credited: before, leftMinor: 10_000 }),
  ).toMatchObject({
    minor: 10_000,
  })
})
