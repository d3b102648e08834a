import { expect, test } from 'vitest'
import { formatMoney, splitMoney } from './money-text.ts'

test('staff read a decimal point in English, and a comma elsewhere', () => {
  const texts = (['sv', 'en', 'nb', 'da', 'fi'] as const).map((language) =>
    formatMoney(-123_456_789, 'EUR', language).replaceAll('\u00a0', ' '),
  )
  expect(texts).toEqual([
    '\u22121 234 567,89 €',
    '\u22121 234 567.89 €',
    '\u22121 234 567,89 €',
    '\u22121.234.567,89 €',
    '\u22121 234 567,89 €',
  ])
  expect(splitMoney(9500, 'SEK', 'en')).toEqual({ whole: '95', rest: '.00\u00a0kr' })
})
