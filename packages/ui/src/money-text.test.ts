import { expect, test } from 'vitest'
import { minorOf } from './minor-of.ts'
import { formatMoney, groupThousands, splitMoney } from './money-text.ts'

const plain = (text: string) => text.replaceAll('\u00a0', ' ')

test('value then symbol, grouped by the language', () => {
  expect(plain(formatMoney(84200, 'SEK', 'sv'))).toBe('842,00 kr')
  expect(plain(formatMoney(180000, 'SEK', 'en'))).toBe('1 800,00 kr')
  expect(plain(formatMoney(123456789, 'DKK', 'da'))).toBe('1.234.567,89 kr')
  expect(plain(formatMoney(12900, 'EUR', 'fi'))).toBe('129,00 €')
  expect(plain(formatMoney(100, 'GBP', 'en'))).toBe('1,00 GBP')
})

test('kr is one currency in each language, and another country’s crown goes by its code', () => {
  const krona = (['sv', 'en', 'nb', 'da', 'fi'] as const).map((language) =>
    ['SEK', 'NOK', 'DKK'].map((currency) => plain(formatMoney(100, currency, language)).slice(5)).join(),
  )
  expect(krona).toEqual(['kr,NOK,DKK', 'kr,NOK,DKK', 'SEK,kr,DKK', 'SEK,NOK,kr', 'kr,NOK,DKK'])
})

test('small, zero and negative amounts', () => {
  expect(plain(formatMoney(5, 'SEK', 'sv'))).toBe('0,05 kr')
  expect(plain(formatMoney(0, 'SEK', 'en'))).toBe('0,00 kr')
  expect(plain(formatMoney(-10050, 'NOK', 'nb'))).toBe('\u2212100,50 kr')
})

test('an amount never breaks over two lines', () => {
  expect(formatMoney(123456789, 'SEK', 'sv')).not.toContain(' ')
})

test('the split halves read as the whole', () => {
  const { whole, rest } = splitMoney(900000, 'SEK', 'en')
  expect(whole + rest).toBe(formatMoney(900000, 'SEK', 'en'))
})

test('minor units are read from the digits', () => {
  expect(minorOf(842)).toBe(84200)
  expect(minorOf(1.1)).toBe(110)
  expect(minorOf(1234567890123.45)).toBe(123456789012345)
  expect(() => minorOf(0.001)).toThrow(RangeError)
})

test('digits are grouped from a thousand on', () => {
  expect(groupThousands('999', 'sv')).toBe('999')
  expect(plain(groupThousands('4000', 'fi'))).toBe('4 000')
  expect(groupThousands('1234567', 'da')).toBe('1.234.567')
})
