import { expect, test } from 'vitest'
import { ibanOfPayer, nationalOfPayer } from './payer-account.ts'

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
