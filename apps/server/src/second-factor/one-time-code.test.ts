/** RFC 6238, appendix B (SHA-1): the last six of its eight digits; and what is taken for a code. */
import { Secret } from 'otpauth'
import { expect, test } from 'vitest'
import { digitsOf, makeSecret, stepOf, uriOf } from './one-time-code.ts'
import { makeRecoveryCodes, recoveryHashOf } from './recovery-code.ts'

const SECRET = Secret.fromUTF8('12345678901234567890').base32

test.each([
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
])('at %d seconds the code is %s, and one step before and after as well', (seconds, code) => {
  const step = Math.floor(seconds / 30)
  for (const drift of [-30, 0, 30]) expect(stepOf(SECRET, code, (seconds + drift) * 1000)).toBe(step)
  for (const drift of [-60, 60]) expect(stepOf(SECRET, code, (seconds + drift) * 1000)).toBeUndefined()
})

test('an app is told issuer, account and secret; each secret is another', () => {
  const uri = new URL(uriOf(SECRET, { issuer: 'Nordklar & Söner: AB', account: 'anna@example.com' }))
  expect(uri.protocol + uri.host).toBe('otpauth:totp')
  expect(decodeURIComponent(uri.pathname)).toBe('/Nordklar & Söner: AB:anna@example.com')
  expect(Object.fromEntries(uri.searchParams)).toMatchObject({ secret: SECRET, digits: '6', period: '30' })
  expect(makeSecret()).toMatch(/^[A-Z2-7]{32}$/)
  expect(makeSecret()).not.toBe(makeSecret())
})

test.each([
  ['123456', '123456'],
  [' 123 456 ', '123456'],
  ['12345', undefined],
  ['1234567', undefined],
  ['١٢٣٤٥٦', undefined],
  ['12345a', undefined],
])('%j are the digits %s', (typed, digits) => {
  expect(digitsOf(typed)).toBe(digits)
})

test('ten recovery codes, each another, known however they are written', () => {
  const codes = makeRecoveryCodes()
  expect(new Set(codes).size).toBe(10)
  for (const code of codes) {
    expect(code).toMatch(/^([0-9a-hjkmnp-tv-z]{4}-){3}[0-9a-hjkmnp-tv-z]{4}$/)
    const spelled = code.toUpperCase().replaceAll('-', ' ').replaceAll('0', 'O').replaceAll('1', 'l')
    expect(recoveryHashOf(spelled)).toEqual(recoveryHashOf(code))
    expect(digitsOf(code)).toBeUndefined()
  }
  for (const wrong of ['', '123456', 'abcd-efgh-jkmn', `${codes[0]}x`])
    expect(recoveryHashOf(wrong)).toBeUndefined()
})
