import { expect, test } from 'vitest'
import { labelOf } from './message-label.ts'

test.each([
  ['OCR-nummer: 2601 0131', 'reference', '2601 0131'],
  ['Ref.nr: 2601', 'reference', '2601'],
  ['Ref. nr. 2601', 'reference', '2601'],
  ['OCR - 2601', 'reference', '2601'],
  ['Referens nr 2601', 'reference', '2601'],
  ['Betalningsreferens 2601', 'reference', '2601'],
  ['Payment reference: 2601', 'reference', '2601'],
  ['RF-viite: RF81 1234 53', 'reference', 'RF81 1234 53'],
  ['KID 2601', 'reference', '2601'],
  ['Bankgironummer 5050-1055', 'account', '5050-1055'],
  ['BG-nr 5050-1055', 'account', '5050-1055'],
  ['Kontonr. 1234 56 78903', 'account', '1234 56 78903'],
  ['Tili FI05 1234', 'account', 'FI05 1234'],
  ['Tilinumero FI05 1234', 'account', 'FI05 1234'],
  ['Telefon 031-390 06 10', 'phone', '031-390 06 10'],
  ['Tlf. 21 00 00 00', 'phone', '21 00 00 00'],
  ['Puhelin 09 1234', 'phone', '09 1234'],
  ['Organisationsnummer 559999-0016', 'company', '559999-0016'],
  ['Org.nr 559999-0016', 'company', '559999-0016'],
  ['Org. nr 559999-0016', 'company', '559999-0016'],
  ['Y-tunnus 1234567-1', 'company', '1234567-1'],
  ['CVR-nr. 12345678', 'company', '12345678'],
  ['Ärendenummer 702369', 'case', '702369'],
  ['Saksnummer 702369', 'case', '702369'],
  ['Asianumero 702369', 'case', '702369'],
  ['Fakturanr: 2601', 'invoice', '2601'],
  ['Laskun numero 1234561', 'invoice', '1234561'],
] as const)('%s', (text, kind, rest) => {
  expect(labelOf(text)).toEqual({ kind, rest })
})

test.each([
  '2601 0131',
  'Tele2',
  'Konto',
  'Sakura 123',
  'Nordklar 2601',
  'konto@alvklar.example',
  'Kidde 12',
  'Kid Interiør 1234567',
  'BG Bygg 2026',
  '',
])('%j has no label', (text) => expect(labelOf(text)).toBeUndefined())
