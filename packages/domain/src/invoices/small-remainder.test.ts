import { expect, test } from 'vitest'
import { money } from '../money.ts'
import { isSmallRemainder, smallRemainder, stopsFees } from './small-remainder.ts'

test.each([
  ['SEK', 2500, true],
  ['SEK', 2501, false],
  ['NOK', 1, true],
  ['DKK', 0, false],
  ['EUR', 250, true],
  ['EUR', 251, false],
  ['GBP', 1, false],
] as const)('%s %i is written off: %s', (currency, minor, expected) => {
  expect(isSmallRemainder(money(minor, currency))).toBe(expected)
})

test('a currency without a limit writes nothing off', () => {
  expect(smallRemainder('USD')).toEqual(money(0, 'USD'))
})

test('no fees on a rest of at most two reminder fees', () => {
  expect(stopsFees(money(12_000, 'SEK'), 6000)).toBe(true)
  expect(stopsFees(money(12_001, 'SEK'), 6000)).toBe(false)
  expect(stopsFees(money(2500, 'SEK'), 0)).toBe(true)
  expect(stopsFees(money(2501, 'SEK'), 0)).toBe(false)
})
