import { describe, expect, test } from 'vitest'
import { addressesOf, addressOf, ibanOfAccount, writtenAs } from './account-address.ts'

describe('one number, written in many ways, has one address', () => {
  test.each([
    ['BANKGIRO', '9990-0227', 'SE BANKGIRO 99900227'],
    ['BANKGIRO', '0 9990 0227', 'SE BANKGIRO 99900227'],
    ['PLUSGIRO', '28 65 43-4', 'SE PLUSGIRO 2865434'],
    ['IBAN', 'no97 9999 0000 111', 'NO IBAN NO9799990000111'],
    ['SWISH', '123 118 11 89', 'SE SWISH 1231181189'],
  ] as const)('%s %s', (kind, written, address) => {
    expect(addressOf(kind, written)).toBe(address)
  })

  test('a Norwegian number and its IBAN, and a Danish one with and without its zeros, are computed', () => {
    // The IBAN's digits after country and check digits are the national number (SWIFT IBAN registry).
    expect(addressOf('ACCOUNT', '9999 00 00111', 'NO')).toBe('NO IBAN NO9799990000111')
    expect(addressOf('ACCOUNT', '9999 0000000110', 'DK')).toBe('DK IBAN DK4499990000000110')
    expect(addressOf('ACCOUNT', '9999-110', 'DK')).toBe('DK IBAN DK4499990000000110')
    expect(ibanOfAccount('NO', '9999.00.00111')).toBe('NO9799990000111')
    expect(ibanOfAccount('SE', '99990000111')).toBeUndefined()
  })

  test('a Swedish or Finnish national number stands for itself', () => {
    expect(addressOf('ACCOUNT', '6000-123 456 789', 'SE')).toBe('SE ACCOUNT 6000123456789')
  })
})

test.each([
  ['BANKGIRO', '9990-0228'],
  ['PLUSGIRO', '4-3'],
  ['IBAN', 'NO9799990000112'],
  ['SWISH', '0701234567'],
] as const)('%s %s has a wrong digit or length, and is no address', (kind, written) => {
  expect(addressOf(kind, written)).toBeUndefined()
})

test('a Norwegian number with a wrong control digit is no address', () => {
  expect(addressOf('ACCOUNT', '99990000112', 'NO')).toBeUndefined()
})

test('a number without its kind is all that it may be', () => {
  expect(addressesOf({ scheme: 'LOCAL', account: '99990000111' })).toContain('NO IBAN NO9799990000111')
  expect(addressesOf({ scheme: 'LOCAL', account: '99900227' })).toContain('SE BANKGIRO 99900227')
  expect(addressesOf({ scheme: 'BANKGIRO', account: '99900227' })).toEqual(['SE BANKGIRO 99900227'])
})

test('what a payment to an address may be written as', () => {
  expect(writtenAs('NO IBAN NO9799990000111')).toEqual(['IBAN NO9799990000111', 'LOCAL 99990000111'])
  expect(writtenAs('SE BANKGIRO 99900227')).toEqual(['BANKGIRO 99900227'])
  expect(writtenAs('SE ACCOUNT 6000123456789')).toEqual(['LOCAL 6000123456789'])
})
