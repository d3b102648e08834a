import { expect, test } from 'vitest'
import { Amount } from '@kvitt/domain/money.ts'
import { JsonText, writeJson } from './http/json.ts'
import { LANGUAGES, languageFrom, textOf } from './texts.ts'

test.each(LANGUAGES)('%s: a text with its values filled in', (language) => {
  const text = textOf(language, 'error.amount_changed', { amount: '842,00 SEK' })
  expect(text).toContain('842,00 SEK')
  expect(text).not.toMatch(/[{}]/)
})

test('the first language that we have, by quality', () => {
  expect(languageFrom('de, en-GB;q=0.8, fi;q=0.9', 'sv')).toBe('fi')
  expect(languageFrom('no', 'sv')).toBe('nb')
  expect(languageFrom(undefined, 'da')).toBe('da')
  expect(languageFrom('*;q=0', 'sv')).toBe('sv')
})

test('amounts keep their two decimals, and the rest is JSON', () => {
  const value = {
    a: new Amount(84_200),
    b: [new Amount(-5), null],
    c: 'x"y',
    d: undefined,
    e: new JsonText('{"f":1.50}'),
  }
  expect(writeJson(value)).toBe('{"a":842.00,"b":[-0.05,null],"c":"x\\"y","e":{"f":1.50}}')
})
