import { expect, test } from 'vitest'
import { countryOf, draftBody, emptyRow, netOf, priceRows } from './draft-form.ts'

const row = (wishes: object) => ({
  ...emptyRow(1, '25'),
  description: 'Electricity',
  unitPrice: '100',
  ...wishes,
})

test('typed numbers have spaces and commas', () => {
  const priced = priceRows([row({ quantity: '2', unitPrice: '1 000,50' })], 'SEK')
  // 2 x 1000.50 = 2001.00 and a quarter of it.
  expect(priced).toMatchObject({ totalMinor: 250_125 })
})

test('tax is taken once on what a rate comes to', () => {
  const priced = priceRows(
    [row({ unitPrice: '0,10' }), row({ unitPrice: '0,10' }), row({ unitPrice: '0,10' })],
    'SEK',
  )
  // A quarter of 30 is 7.5: 8; a quarter of 10, three times, would be 9.
  expect(priced).toMatchObject({ totalMinor: 38 })
})

test.each([
  [{ description: ' ' }, 'rows.0.description'],
  [{ quantity: 'x' }, 'rows.0.quantity'],
  [{ unitPrice: '' }, 'rows.0.unitPrice'],
  [{ vatPercent: '101' }, 'rows.0.vatPercent'],
  [{ vatPercent: '0' }, 'rows.0.vatReason'],
])('%j is wrong at %s', (wishes, field) => {
  expect(priceRows([row(wishes)], 'SEK')).toEqual({ field })
})

test('a row is priced while others are typed', () => {
  expect(netOf(row({ unitPrice: '12,3456', quantity: '10' }), 'SEK')).toBe(12_346)
  expect(netOf(row({ unitPrice: '12,' }), 'SEK')).toBeUndefined()
})

test('what is empty is left out of the call', () => {
  const typed = {
    type: 'PERSON',
    name: ' Alva ',
    email: '',
    zip: '111 22',
    countryCode: 'SE',
    invoiceDate: '2026-11-20',
    expireDate: '2026-12-20',
    currency: 'SEK',
    invoiceNumber: ' ',
  }
  expect(draftBody(typed, [row({ unitPrice: '1 000,50' })])).toEqual({
    debtor: { type: 'PERSON', name: 'Alva', zip: '111 22', countryCode: 'SE' },
    invoiceDate: '2026-11-20',
    expireDate: '2026-12-20',
    currency: 'SEK',
    rows: [{ description: 'Electricity', quantity: '1', unitPrice: '1000.50', vatPercent: '25' }],
  })
})

test('a currency has a country', () => {
  expect(['SEK', 'NOK', 'DKK', 'EUR', 'USD'].map(countryOf)).toEqual(['SE', 'NO', 'DK', 'FI', 'SE'])
})
