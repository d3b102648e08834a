import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { epcPayload, usingQrPayload } from './payment-codes.ts'

describe('the code of a SEPA transfer', () => {
  const payment = {
    name: 'Laskuttaja Oy',
    bic: 'NDEAFIHH',
    iban: 'FI21 1234 5600 0007 85',
    amountMinor: 12_345,
  }

  test('with a reference, and with a message', () => {
    expect(epcPayload({ ...payment, reference: 'RF341234561' })).toBe(
      'BCD\n002\n1\nSCT\nNDEAFIHH\nLaskuttaja Oy\nFI2112345600000785\nEUR123.45\n\nRF341234561\n',
    )
    expect(
      epcPayload({
        version: '001',
        name: 'Ada Lovelace',
        bic: 'BIC12345678',
        iban: 'DE07123412341234123412',
        amountMinor: 314,
        message: 'Verwendungszweck',
      }),
    ).toBe(
      'BCD\n001\n1\nSCT\nBIC12345678\nAda Lovelace\nDE07123412341234123412\nEUR3.14\n\n\nVerwendungszweck',
    )
  })

  test.each([
    [{ ...payment, amountMinor: 0 }],
    [{ ...payment, amountMinor: 100_000_000_000 }],
    [{ ...payment, version: '001' as const, bic: null }],
    [{ ...payment, reference: 'RF34', message: 'both' }],
    [{ ...payment, name: '€'.repeat(70), message: '€'.repeat(140) }],
  ])('none for %j', (impossible) => {
    expect(epcPayload(impossible)).toBeUndefined()
  })

  test('has eleven lines whatever the texts hold', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string(), (name, message) => {
        const payload = epcPayload({ ...payment, name, message })
        expect(payload === undefined || payload.split('\n').length === 11).toBe(true)
      }),
    )
  })
})

test('the code of a Nordic invoice', () => {
  const payload = usingQrPayload({
    name: 'Din Leverandør',
    countryCode: 'NO',
    companyNumber: '997912345 MVA',
    reference: '12300001',
    invoiceDate: '2015-10-22',
    dueDate: '2015-11-05',
    amountMinor: 250_000,
    currency: 'NOK',
    scheme: 'BBAN',
    account: '17202612345',
    bic: 'BIENNOK1',
    address: '0313 OSLO',
    vatMinor: { high: 50_000, medium: 0, low: 0 },
  })
  expect(payload).toContain('"due":2500.00,')
  expect(JSON.parse(payload)).toEqual({
    uqr: 1, tp: 1, nme: 'Din Leverandør', cc: 'NO', cid: '997912345 MVA', iref: '12300001', idt: '20151022',
    ddt: '20151105', due: 2500, cur: 'NOK', pt: 'BBAN', acc: '17202612345', bc: 'BIENNOK1', adr: '0313 OSLO',
    vh: 500, vm: 0, vl: 0,
  }) // biome-ignore format: a record
})
