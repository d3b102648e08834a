import { expect, test } from 'vitest'
import { giroOfPayer, ibanOfPayer, nationalOfPayer } from './payer-account.ts'

// The IBANs are the examples of the SWIFT registry.
test.each([
  ['SE45 5000 0000 0583 9825 7466', { scheme: 'IBAN', number: 'SE4550000000058398257466' }],
  ['SE4550000000058398257467', undefined],
  ['', undefined],
  [undefined, undefined],
])('%s as an IBAN', (text, account) => expect(ibanOfPayer(text)).toEqual(account))

test('a Norwegian or Danish account is the IBAN of the registry, and one whose check digit is wrong is none', () => {
  expect(nationalOfPayer('NO', '8601 11 17947')).toEqual({ scheme: 'IBAN', number: 'NO9386011117947' })
  expect(nationalOfPayer('NO', '86011117948')).toBeUndefined()
  expect(nationalOfPayer('NO', '00000000000')).toBeUndefined()
  expect(nationalOfPayer('DK', '00400440116243')).toEqual({ scheme: 'IBAN', number: 'DK5000400440116243' })
  expect(nationalOfPayer('DK', '440116243')).toBeUndefined()
})

test('a giro loses the zeros of its column, and one that fails its digit is no place to send money', () => {
  expect(giroOfPayer('BANKGIRO', '0055555551')).toEqual({ scheme: 'BANKGIRO', number: '55555551' })
  expect(giroOfPayer('BANKGIRO', '0055555552')).toBeUndefined()
  expect(giroOfPayer('BANKGIRO', '0000000000')).toBeUndefined()
  expect(giroOfPayer('PLUSGIRO', '4-2')).toEqual({ scheme: 'PLUSGIRO', number: '42' })
})
