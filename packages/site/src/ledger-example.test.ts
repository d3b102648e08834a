import { expect, test } from 'vitest'
import { htmlOf } from './element.ts'
import { ledgerExample } from './ledger-example.ts'
import { wordsOf } from './words.ts'

/** Reminder and demand as the countries' own rules name them, counted by hand; interest is what is left of the sum. */
test.each([
  // inkassolagen's ordinance (1981:1057): 60 and 180.
  ['sv', ['60,00', '180,00'], 'kr'],
  // inkassoforskriften: a twentieth, a twentieth and eight twentieths of 700.
  ['nb', ['35,00', '35,00', '280,00'], 'kr'],
  // renteloven 9 b: three reminders of 100, and 100 for collection.
  ['da', ['100,00', '100,00', '100,00', '100,00'], 'kr'],
  // saatavien perinnästä annettu laki 10 a: 5 and 50, of a debt above 1,000.
  ['fi', ['5,00', '50,00'], '€'],
] as const)('the example in %s is of its country and adds up', (language, fees, symbol) => {
  const html = htmlOf([ledgerExample(language, wordsOf(language))])
  const amounts = [...html.matchAll(/<dd>(?:<b>)?([^<]+)/g)].map(([, text = '']) =>
    text.replace(/\u00a0|&nbsp;/g, ' '),
  )
  expect(amounts.slice(1, -3)).toEqual(fees.map((fee) => `${fee} ${symbol}`))
  const minor = amounts.map((text) => Number(text.replace(/\D/g, '')) * (text.includes('\u2212') ? -1 : 1))
  expect(minor.reduce((sum, one) => sum + one, 0)).toBe(0)
  expect(html).not.toContain('undefined')
  // In words that everybody sees: it is nobody's debt.
  expect(html).toMatch(/<figcaption[^>]*>(?:Exempel|Eksempel|Esimerkki): /)
})
