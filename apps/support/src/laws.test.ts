/** An article that tells a country's figures leads to the acts that they stand on, where the country publishes them. */
import { expect, test } from 'vitest'
import { htmlOf } from '@kvitt/site/element.ts'
import { LANGUAGES } from '@kvitt/ui/language/languages.ts'
import { articlePage } from './article-page.ts'
import { articlesIn } from './articles.ts'

const REGISTERS = {
  SE: /^https:\/\/(?:www|data)\.riksdagen\.se\//,
  NO: /^https:\/\/lovdata\.no\//,
  DK: /^https:\/\/www\.retsinformation\.dk\//,
  FI: /^https:\/\/www\.finlex\.fi\//,
} as const
const COSTS = {
  'cost-sweden': 'SE',
  'cost-norway': 'NO',
  'cost-denmark': 'DK',
  'cost-finland': 'FI',
} as const

const lawsOf = (language: (typeof LANGUAGES)[number], topic: string): string[] => {
  const article = articlesIn(language).find((one) => one.topic === topic)
  const html = article ? htmlOf([articlePage(article).main]) : ''
  return [...html.matchAll(/<a href="(https:[^"]*)"/g)].map(([, href = '']) => href)
}

test.each(LANGUAGES)('what waiting costs leads to the law of its country: %s', (language) => {
  for (const [topic, country] of Object.entries(COSTS)) {
    const laws = lawsOf(language, topic)
    expect(laws.length, topic).toBeGreaterThan(0)
    for (const href of laws) expect(href).toMatch(REGISTERS[country])
  }
  const ofCompanies = lawsOf(language, 'company')
  for (const register of Object.values(REGISTERS)) {
    expect(ofCompanies.some((href) => register.test(href))).toBe(true)
  }
  expect(lawsOf(language, 'personal-data')).toEqual(['https://eur-lex.europa.eu/eli/reg/2016/679/oj'])
  expect(lawsOf(language, 'receipt')).toEqual([])
})
