import { expect, test } from 'vitest'
import { readPayoutAccount, type WrittenAccount } from './payout-account.ts'

const IBAN: WrittenAccount = {
  currency: 'SEK',
  scheme: 'IBAN',
  number: 'SE45 5000 0000 0583 9825 7466',
  bic: 'ESSESESS ',
  receiverName: ' Demo  Energi AB ',
}

test('an account is kept in one way, however it is written', () => {
  expect(readPayoutAccount(IBAN)).toEqual({
    currency: 'SEK',
    scheme: 'IBAN',
    number: 'SE4550000000058398257466',
    bic: 'ESSESESS',
    receiverName: 'Demo Energi AB',
  })
  const giro = { currency: 'SEK', scheme: 'BANKGIRO', number: '5555-5551', receiverName: 'A' } as const
  expect(readPayoutAccount(giro)).toMatchObject({ number: '55555551', bic: null })
})

test.each<[string, Partial<WrittenAccount>]>([
  ['number', { number: 'SE45 5000 0000 0583 9825 7467' }],
  ['number', { number: '' }],
  ['number', { scheme: 'BANKGIRO', number: '5555-5552' }],
  ['currency', { currency: 'XXX' }],
  ['currency', { scheme: 'BANKGIRO', number: '5555-5551', currency: 'EUR' }],
  ['bic', { bic: 'NOBIC' }],
  ['receiverName', { receiverName: ' \n ' }],
  ['receiverName', { receiverName: 'x'.repeat(71) }],
])('what is wrong is named: %s in %j', (field, wrong) => {
  expect(readPayoutAccount({ ...IBAN, ...wrong })).toEqual({ field })
})
