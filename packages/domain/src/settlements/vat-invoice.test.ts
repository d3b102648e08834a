import { describe, expect, test } from 'vitest'
import { isReverseCharge, vatInvoiceOf, vatNumberOf, type FeeLine } from './vat-invoice.ts'

const line = (
  kind: FeeLine['kind'],
  minor: number,
  baseMinor: number | null = null,
  rateBp: number | null = null,
) => ({
  kind,
  minor,
  baseMinor,
  rateBp,
})

describe('what an invoice charges', () => {
  test('two commissions and a price with VAT of 25 %, and money that is no fee', () => {
    const lines = [
      line('COMMISSION', 12_500, 100_000, 1_250),
      line('COMMISSION', 500, 4_000, 1_250),
      line('PAYMENT_PRICE', 200),
      line('COURT_OUTLAY', 90_000),
      line('CARRIED_IN', 7_000),
      line('VAT', 3_300, 13_200, 2_500),
    ]
    expect(vatInvoiceOf(lines)).toEqual({
      kind: 'INVOICE',
      fees: [
        { kind: 'COMMISSION', minor: 13_000 },
        { kind: 'PAYMENT_PRICE', minor: 200 },
      ],
      rates: [{ rateBp: 2_500, baseMinor: 13_200, vatMinor: 3_300 }],
      netMinor: 13_200,
      vatMinor: 3_300,
      totalMinor: 16_500,
      unpaidMinor: 0,
    })
  })

  test('each rate by itself, and what bears none', () => {
    const lines = [
      line('COMMISSION', 10_000, 100_000, 1_000),
      line('DEBTOR_FEE', 6_000, null, 2_500),
      line('CASE_PRICE', 1_000),
      line('VAT', 600, 5_000, 1_200),
      line('VAT', 1_500, 6_000, 2_500),
    ]
    const { rates, netMinor, vatMinor, totalMinor } = vatInvoiceOf(lines)
    expect(rates).toEqual([
      { rateBp: 2_500, baseMinor: 6_000, vatMinor: 1_500 },
      { rateBp: 1_200, baseMinor: 5_000, vatMinor: 600 },
      { rateBp: 0, baseMinor: 6_000, vatMinor: 0 },
    ])
    expect([netMinor, vatMinor, totalMinor]).toEqual([17_000, 2_100, 19_100])
  })

  test('what there was too little for is not paid', () => {
    const lines = [
      line('COMMISSION_ON_DIRECT', 125_000),
      line('VAT', 31_250, 125_000, 2_500),
      line('CARRIED_OUT', -156_250),
    ]
    expect(vatInvoiceOf(lines)).toMatchObject({ totalMinor: 156_250, unpaidMinor: 156_250 })
    expect(vatInvoiceOf([...lines.slice(0, 2), line('CARRIED_OUT', 50)]).unpaidMinor).toBe(0)
  })

  test('more goes back than is taken: a credit note', () => {
    const lines = [
      line('COMMISSION', 100),
      line('DEBTOR_FEE', -6_000, null, 2_500),
      line('VAT', -1_475, -5_900, 2_500),
    ]
    expect(vatInvoiceOf(lines)).toMatchObject({ kind: 'CREDIT_NOTE', netMinor: -5_900, totalMinor: -7_375 })
  })
})

test.each([
  ['SE', '559999-0024', 'SE559999002401'],
  ['SE', 'SE559999002401', 'SE559999002401'],
  ['SE', '16559999-0024', 'SE559999002401'],
  ['NO', '999 990 029', '999990029 MVA'],
  ['NO', 'NO999990029MVA', '999990029 MVA'],
  ['DK', '99 99 00 29', 'DK99990029'],
  ['FI', '9999002-9', 'FI99990029'],
  ['SE', '12345', undefined],
  ['SE', null, undefined],
  ['DE', 'DE123456789', undefined],
])('the VAT number of %s %s is %s', (country, number, vatNumber) => {
  expect(vatNumberOf({ country, number })).toBe(vatNumber)
})

test.each([
  ['SE', 'SE', 0, false],
  ['SE', 'FI', 0, true],
  ['SE', 'NO', 0, true],
  ['SE', 'FI', 2_500, false],
])('sold from %s to %s at a rate of %d: the buyer accounts for it: %s', (from, to, rateBp, is) => {
  const rates = [{ rateBp, baseMinor: 1, vatMinor: 0 }]
  expect(isReverseCharge({ rates }, { seller: { country: from }, buyer: { country: to } })).toBe(is)
})
