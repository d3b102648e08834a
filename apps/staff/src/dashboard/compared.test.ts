import { i18n } from '@lingui/core'
import { compileMessage } from '@lingui/message-utils/compileMessage'
import { beforeAll, expect, test } from 'vitest'
import english from '../language/en.json' with { type: 'json' }
import { comparedText, currenciesOwed, wasText } from './compared.ts'

beforeAll(() => {
  const texts = Object.entries(english).filter(([id]) => id.startsWith('dashboard.'))
  i18n.load('en', Object.fromEntries(texts.map(([id, text]) => [id, compileMessage(text)])))
  i18n.activate('en')
})

const of = (from: string, today: string) =>
  ({ from, today, before: { from: '2026-11-01', to: '2026-11-05' } }) as Parameters<typeof comparedText>[2]
const NOW = of('2026-11-06', '2026-11-10')

test('what rounds to nothing is the same; what can be seen is told', () => {
  const same = comparedText(100_000, 100_000, NOW)
  expect(comparedText(100_040, 100_000, NOW)).toBe(same)
  expect(comparedText(99_960, 100_000, NOW)).toBe(same)
  expect(comparedText(100_060, 100_000, NOW)).not.toBe(same)
  expect(comparedText(99_940, 100_000, NOW)).not.toBe(same)
})

test('days that are all to come are compared with nothing', () => {
  const toCome = of('2026-11-11', '2026-11-10')
  expect([comparedText(0, 5, toCome), wasText('5', toCome)]).toEqual([undefined, undefined])
  expect(comparedText(0, 5, of('2026-11-10', '2026-11-10'))).not.toBeUndefined()
})

test('a currency that is owed on claims alone is shown too, that of most debts first', () => {
  const ageing = [{ bucket: 'NOT_DUE', currency: 'SEK', count: 2, balance: 10 } as const]
  const openClaims = [
    { currency: 'EUR', count: 1, balance: 900 },
    { currency: 'NOK', count: 3, balance: 5 },
  ]
  expect(currenciesOwed({ ageing, openClaims })).toEqual(['NOK', 'SEK', 'EUR'])
  expect(currenciesOwed({ ageing: [], openClaims: [] })).toEqual([])
})
