/** How an article is written out. */
import { expect, test } from 'vitest'
import { readArticle } from './article.ts'

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
