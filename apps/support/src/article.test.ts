/** How an article is written out. */
import { expect, test } from 'vitest'
import { LANGUAGES } from '@kvitt/ui/language/languages.ts'
import { wordsOf } from '@kvitt/site/words.ts'
import { readArticle } from './article.ts'
import { articlesIn } from './articles.ts'

const FRONT = `---
title: a
question: a?
words: a, b
summary: a.
law: all
checked: 2026-11-28
action: none
---
`
const bodyOf = (markdown: string): string => readArticle('one/sv.md', FRONT + markdown).body

test('an amount and a percentage are not broken over two lines, and a reference is what was written', () => {
  for (const [written, shown] of [
    ['10 % om året', '10\u00a0% om året'],
    ['en avgift på 1 250 kr senast', 'en avgift på 1\u00a0250\u00a0kr senast'],
    ['**sammen 1 497,53 kroner**', '1\u00a0497,53\u00a0kroner'],
    ['SEK 16,230.21', 'SEK\u00a016,230.21'],
    ['460 NOK, 40 €', '460\u00a0NOK, 40\u00a0€'],
    ['2601 0131 4920 och 411 05', '2601 0131 4920 och 411 05'],
    ['den 24 september', 'den 24 september'],
  ] as const)
    expect(bodyOf(written)).toContain(shown)
})

/** How each language says that a rate is the newest one known, and that one is set. */
const NEWEST = { sv: /senaste/, en: /newest/, nb: /siste/, da: /seneste/, fi: /uusimmalla/ } as const
const SET = {
  sv: /best[äa]m/,
  en: /\bset\b/,
  nb: /fasts[ae]tt/,
  da: /fastsæt|fastsat/,
  fi: /vahviste/,
} as const

test.each(LANGUAGES)(
  'of a rate the articles say what the calculator says: the newest one known, %s',
  (language) => {
    const t = wordsOf(language)
    for (const key of ['waiting.rate_unseen', 'waiting.rate_unset'] as const) {
      expect(t(key)).toMatch(NEWEST[language])
      expect(t(key)).toMatch(SET[language])
    }
    const told = articlesIn(language).filter(({ topic }) => topic.startsWith('cost-'))
    expect(told.length).toBe(4)
    for (const { topic, body } of told) {
      expect(body, topic).toMatch(NEWEST[language])
      expect(body, topic).toMatch(SET[language])
    }
    const company = articlesIn(language).find(({ topic }) => topic === 'company')
    expect(company?.body).toMatch(NEWEST[language])
  },
)
