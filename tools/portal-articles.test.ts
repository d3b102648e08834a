/** The portal's links to the support site lead to articles that are there. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const LANGUAGES = ['da', 'en', 'fi', 'nb', 'sv']
const SOURCES = fileURLToPath(new URL('../apps/debtor/src', import.meta.url))
const ARTICLES = fileURLToPath(new URL('../apps/support/articles', import.meta.url))

/** Each article that a page of the portal names, by the page. */
const named = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.tsx'))
  .flatMap((file) => {
    const text = readFileSync(join(SOURCES, file), 'utf8')
    const links =
      text.match(/<AnswerLink[^>]*>|\/support\/\$\{currentLanguage\(\)\}\/[^`]*`|article\??: '[^\n]*/g) ?? []
    return links.flatMap((link) =>
      [...link.matchAll(/['"/]([a-z]+(?:-[a-z]+)+)(?=['"/])/g)].map(([, article = '']) => ({
        file,
        article,
      })),
    )
  })

test('the portal leads to articles, and no link to the start of the support site stands alone', () => {
  expect(new Set(named.map(({ article }) => article))).toEqual(
    new Set([
      'lost-letter',
      'bankid-trouble',
      'other-question',
      'ways-to-pay',
      'already-paid',
      'swish-trouble',
    ]),
  )
  for (const { file, article } of named)
    for (const language of LANGUAGES)
      expect(existsSync(join(ARTICLES, article, `${language}.md`)), `${file}: ${article} ${language}`).toBe(
        true,
      )
})
