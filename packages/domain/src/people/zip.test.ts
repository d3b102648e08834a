import { expect, test } from 'vitest'
import { groupZip, isZipValid } from './zip.ts'

// Specification section 5 for SE and NO; python-stdnum's Swedish examples; national post offices for the rest.
test.each([
  ['SE', '11418', true],
  ['SE', '114 18', true],
  ['SE', ' 11418 ', true],
  ['SE', '12345-6789', true],
  ['SE', '12345 6789', true],
  ['SE', '123456789', true],
  ['SE', '1234', false],
  ['SE', '1145 18', false],
  ['SE', '12345-678', false],
  ['SE', 'abcde', false],
  ['SE', '', false],
  ['NO', '1642', true],
  ['NO', '123', false],
  ['NO', '16 42', false],
  ['DK', '1050', true],
  ['FI', '00100', true],
  ['FI', '1000', false],
  ['AX', '22100', true],
  ['AX', '00100', false],
  ['GB', 'sw1a 1aa', true],
  ['GB', 'M1 1AE', true],
  ['GB', '12345', false],
  ['NL', '1234 ab', true],
  ['NL', '0234 AB', false],
  ['PL', '00-950', true],
  ['IE', 'D02 X285', true],
  ['IE', 'D6W AB12', true],
  ['LV', 'lv-1010', true],
  ['PT', '1000-205', true],
])('%s "%s": %s', (country, text, valid) => {
  expect(isZipValid(country, text)).toBe(valid)
})

test('a country without a rule takes any text but none', () => {
  expect(isZipValid('JP', '100-0001')).toBe(true)
  expect(isZipValid('EU', 'A1B2')).toBe(true)
  expect(isZipValid('JP', '  ')).toBe(false)
})

test('the name of a property that every object has is no country', () => {
  expect(isZipValid('constructor', '12345')).toBe(true)
})

test('what is longer than any code is none, in a country without a rule, too', () => {
  expect(isZipValid('JP', '1'.repeat(40))).toBe(true)
  expect(isZipValid('JP', '1'.repeat(41))).toBe(false)
  expect(isZipValid('SE', `11418${' '.repeat(40)}`)).toBe(false)
})

test.each([
  ['SE', '41105', '411 05'],
  ['SE', '411 05', '411 05'],
  ['SE', '12345-6789', '12345-6789'],
  ['NO', '0150', '0150'],
  ['FI', '33100', '33100'],
  ['NL', '1012ab', '1012 AB'],
  ['GB', 'SW1A1AA', 'SW1A 1AA'],
  ['IE', 'D02AF30', 'D02 AF30'],
  ['PL', '00950', '00-950'],
  ['PT', '1000205', '1000-205'],
  ['JP', '1000001', '1000001'],
  ['SE', 'box 5', 'box 5'],
])('in %s "%s" is written "%s"', (country, zip, written) => {
  expect(groupZip(country, zip)).toBe(written)
  expect(groupZip(country, written)).toBe(written)
})
