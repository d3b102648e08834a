import { describe, expect, test } from 'vitest'
import { date } from '../calendar.ts'
import { type FieldContext, type FieldType, checkField, readNumber } from './field-rules.ts'

const ALPHA = 'Following characters are allowed: A-Ö, a-ö, 0-9 _/+-'
const PASSWORD = 'At least 6 characters, one uppercase letter and one digit'
const WHOLE = 'Value should be an integer type'
const RANGE = 'Value should be between 0 and 100'
const DATE = 'Following date formate are allowed: YYYY-MM-DD'
const COUNTRY = 'Not a valid two letter country code.'

/** Type, value, and the message or undefined. */
const CASES: [FieldType, string, string | undefined][] = [
  ['alpha', 'Åsa Öberg-Ek_/+', undefined],
  ['alpha', 'Søren Æbelø', undefined],
  ['alpha', 'Asa1', ALPHA],
  ['alpha', 'Asa!', ALPHA],
  ['alphanumeric', 'Väg 12 B/2', undefined],
  ['alphanumeric', 'Väg 12, B', ALPHA],
  ['password', 'Abcde1', undefined],
  ['password', 'Abcd1', PASSWORD],
  ['password', 'abcdef1', PASSWORD],
  ['password', 'ABCDEF1', PASSWORD],
  ['password', 'Abcdefg', PASSWORD],
  ['password', 'Ådåd1!', undefined],
  ['vat', '0', undefined],
  ['vat', '100', undefined],
  ['vat', '25', undefined],
  ['vat', '-1', RANGE],
  ['vat', '101', RANGE],
  ['vat', '100.5', WHOLE],
  ['vat', '12,5', WHOLE],
  ['vat', 'x', WHOLE],
  ['vat', '1e1', WHOLE],
  ['country', 'SE', undefined],
  ['country', 'GB', undefined],
  ['country', 'EU', COUNTRY],
  ['country', 'XX', COUNTRY],
  ['country', 'se', COUNTRY],
  ['country', 'SWE', COUNTRY],
  ['date', '2026-02-28', undefined],
  ['date', '2024-02-29', undefined],
  ['date', '2026-02-30', DATE],
  ['date', '2026-2-28', DATE],
  ['date', '28.02.2026', DATE],
]

test.each(CASES)('%s "%s": %s', (type, value, message) => {
  expect(checkField(type, value)?.message).toBe(message)
})

describe('e-mail', () => {
  test.each([
    'a@b.se',
    'alva.provlund+invoice@example.com',
    'åsa@exämple.se',
    "o'neill@sub.domain.example",
    'a@xn--bcher-kva.xn--p1ai',
  ])('%s', (value) => {
    expect(checkField('email', value)).toBeUndefined()
  })

  test.each([
    'a',
    'a@b',
    '@b.se',
    'a@',
    'a@b.',
    'a@.se',
    'a@b..se',
    'a..b@c.se',
    '.a@b.se',
    'a.@b.se',
    'a b@c.se',
    'a@b@c.se',
    'a@-b.se',
    'a@b-.se',
    'a@b.1',
    'a@b.se\nBcc: c@d.se',
    'a@b.se,c@d.se',
    '<a@b.se>',
    `${'a'.repeat(65)}@b.se`,
  ])('not %s', (value) => {
    expect(checkField('email', value)).toEqual({ key: 'emailValidError', message: 'Not a valid e-mail.' })
  })
})

describe('phone', () => {
  test.each(['08-465 004 10', '+47 00 00 00 10', '(031) 390 06 10', '0046701740605', '112 233'])(
    '%s',
    (value) => {
      expect(checkField('phone', value)).toBeUndefined()
    },
  )

  test.each(['1234', '+', '08-465 x', '++46 70 174 06 05', '1234567890123456', '0701740605 ext 2'])(
    'not %s',
    (value) => {
      expect(checkField('phone', value)?.message).toBe('Not a valid phone number.')
    },
  )
})

test.each([
  ['1 234,5', '1234.5'],
  ['1234.50', '1234.50'],
  ['-0,5', '-0.5'],
  ['\u22125', '-5'],
  ['1\u00a0234\u202f567', '1234567'],
  ['1.234,5', undefined],
  ['1,2,3', undefined],
  ['5.', undefined],
  [',5', undefined],
  ['1e3', undefined],
  ['', undefined],
  ['٣', undefined],
])('"%s" is read as %s', (text, expected) => {
  expect(readNumber(text)).toBe(expected)
  expect(text === '' || (checkField('float', text) === undefined) === (expected !== undefined)).toBe(true)
})

test('numeric is digits only, spaces are dropped', () => {
  expect(checkField('numeric', '2600 0983 7725')).toBeUndefined()
  expect(checkField('numeric', '12,5')?.key).toBe('numericValidError')
  expect(checkField('numeric', '-1')?.key).toBe('numericValidError')
})

test('zip and identification number go by the country, and name it', () => {
  expect(checkField('zip', '114 18', { country: 'SE' })).toBeUndefined()
  expect(checkField('zip', '12345-6789', { country: 'SE' })).toBeUndefined()
  expect(checkField('zip', '0150', { country: 'SE' })).toMatchObject({
    key: 'zipValidError',
    params: { country: 'SE' },
  })
  expect(checkField('zip', '0150', { country: 'NO' })).toBeUndefined()
  expect(checkField('identificationNumber', '198803200016', { country: 'SE' })).toBeUndefined()
  expect(checkField('identificationNumber', '198803200017', { country: 'SE' })).toMatchObject({
    key: 'identificationNumberValidError',
    params: { country: 'SE' },
  })
  expect(checkField('zip', 'D02AF30')).toBeUndefined()
  const unborn = { country: 'DK', today: date('2026-11-20') }
  expect(checkField('identificationNumber', '2110525629', unborn)?.key).toBe('identificationNumberValidError')
  expect(checkField('identificationNumber', '2110525629', { country: 'DK' })).toBeUndefined()
})

const TYPES: FieldType[] = [
  'alpha',
  'alphanumeric',
  'password',
  'numeric',
  'vat',
  'zip',
  'country',
  'email',
  'phone',
  'float',
  'date',
  'identificationNumber',
  'text',
]

test.each(TYPES)('%s: empty is skipped unless mandatory, and not before the field was left once', (type) => {
  const missing = { key: 'mandatoryValidError', message: 'Following field must be provided.' }
  const ask = (value: string, context: FieldContext) => checkField(type, value, { country: 'SE', ...context })
  expect(ask('', {})).toBeUndefined()
  expect(ask('', { mandatory: true })).toEqual(missing)
  expect(ask(' \t', { mandatory: true })).toEqual(missing)
  expect(ask('', { mandatory: true, isInitialBlur: true })).toBeUndefined()
})

/** Texts that make a pattern with nested repeats try every split. */
const LONG = ['1', 'a', 'a.', 'a@', ' 1', '-', '1,', '(', 'é', 'aA1'].map((part) =>
  part.repeat(100_000 / part.length),
)

test.each(TYPES)('%s: a hundred thousand characters are answered like any others', (type) => {
  for (const text of LONG) {
    for (const value of [text, `${text}!`, `!${text}`]) {
      const error = checkField(type, value, { country: 'SE', mandatory: true })
      expect(error === undefined).toBe(type === 'text' && value.trim() !== '')
    }
  }
})

test('an initial blur changes nothing for a field that is filled in', () => {
  expect(checkField('email', 'a', { isInitialBlur: true })?.message).toBe('Not a valid e-mail.')
})
