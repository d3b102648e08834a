import { expect, test } from 'vitest'
import { phoneOf, senderName } from './sms.ts'

test.each([
  ['070-123 45 67', 'SE', '+46701234567'],
  ['+46 (0)70 123 45 67', 'SE', '+46701234567'],
  ['0046701234567', 'SE', '+46701234567'],
  ['41 23 45 67', 'NO', '+4741234567'],
  ['20 12 34 56', 'DK', '+4520123456'],
  ['040 1234567', 'FI', '+358401234567'],
  ['+4915112345678', 'DE', '+4915112345678'],
  ['015112345678', 'DE', undefined],
  ['ring mig', 'SE', undefined],
  ['', 'SE', undefined],
  ['12', 'SE', undefined],
])('%j in %s is %s', (text, country, phone) => {
  expect(phoneOf(text, country)).toBe(phone)
})

test.each([
  ['Nordklar Demo Inkasso AB', 'NordklarDem'],
  ['Åkes Älg', 'AkesAlg'],
  ['7-Eleven', 'Message'],
  ['株式会社', 'Message'],
])('%s appears as %s', (name, sender) => expect(senderName(name)).toBe(sender))
