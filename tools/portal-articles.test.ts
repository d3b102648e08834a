/** The portal's links to the support site lead to articles that are there. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const LANGUAGES = ['da', 'en', 'fi', 'nb', 'sv']
const SOURCES = fileURLToPath(new URL('../apps/debtor/src', import.meta.url))
const ARTICLES = fileURLToPath(new URL('../apps/support/articles', import.meta.url))
const LINK = join('shell', 'answer-link.tsx')

const sources = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.tsx?$/.test(file) && !file.includes('.test.'))
  .map((file) => ({ file, text: readFileSync(join(SOURCES, file), 'utf8') }))

/** Whatever stands in quotes in the type that says which articles there are: any name, with a hyphen or without. */
const [, union = ''] =
  /type ArticleName =([^\n]*(?:\n +\|[^\n]*)*)/.exec(sources.find(({ file }) => file === LINK)?.text ?? '') ??
  []
const named = [...union.matchAll(/'([^']+)'/g)].map(([, name = '']) => name)

test('every article that the portal may lead to is there, and some page leads to it', () => {
  expect(named.length).toBeGreaterThan(4)
  const uses = sources
    .flatMap(({ text }) => text.match(/<AnswerLink[^>]*>|article: '[^']+'/g) ?? [])
    .join('\n')
  for (const name of named) {
    expect(uses).toContain(name)
    for (const language of LANGUAGES)
      expect(existsSync(join(ARTICLES, name, `${language}.md`)), `${name} ${language}`).toBe(true)
  }
})

test('no page writes an address of the support site by hand', () => {
  const byHand = sources.filter(({ file, text }) => file !== LINK && text.includes('/support/'))
  expect(byHand.map(({ file }) => file)).toEqual([])
})
