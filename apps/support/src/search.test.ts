/** What people ask, with their typing errors, leads to the article that answers it. */
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { lettersApart } from '@kvitt/domain/letters-apart.ts'
import { markedParts, openSearch } from '@kvitt/site/find-articles.ts'
import { LANGUAGES, type Language } from '@kvitt/ui/language/languages.ts'
import { searchIndex } from './pages.ts'

type Case = { readonly language: Language; readonly question: string; readonly topic: string }

const CASES = readCases()

function readCases(): Case[] {
  const file = new URL('../articles/search-cases.json', import.meta.url)
  const read = JSON.parse(readFileSync(file, 'utf8')) as Record<
    Language,
    { question: string; topic: string }[]
  >
  return LANGUAGES.flatMap((language) => read[language].map((one) => ({ language, ...one })))
}

/** Questions of which nothing has been typed yet but their beginning. */
const LITTLE: Readonly<Record<Language, readonly string[]>> = {
  sv: ['hur kan jag', 'vad är det', 'varför har jag', 'Vad?', 'när får jag', 'hjälp'],
  en: ['what is it', 'how can I', 'why have I', 'What?', 'when do I get', 'is this'],
  nb: ['hva er det', 'hvordan kan jeg', 'hvorfor har jeg', 'når får jeg', 'hjelp'],
  da: ['hvad er det', 'hvordan kan jeg', 'hvorfor har jeg', 'hvornår får jeg', 'hjælp'],
  fi: ['mikä se on', 'miten voin', 'mitä tämä on', 'milloin saan', 'apua'],
}

test.each(CASES)('$language: "$question" leads to $topic', ({ language, question, topic }) => {
  const [first] = openSearch(searchIndex(language))(question).found
  expect(first?.entry.topic).toBe(topic)
})

describe.each(LANGUAGES)('%s', (language) => {
  const index = searchIndex(language)
  const answer = openSearch(index)
  const search = (question: string) => answer(question).found

  test('each article is found by its own question and its title', () => {
    expect(index.entries.length).toBeGreaterThan(25)
    for (const { topic, question, title } of index.entries) {
      expect(
        search(question)
          .slice(0, 3)
          .map(({ entry }) => entry.topic),
        question,
      ).toContain(topic)
      expect(
        search(title)
          .slice(0, 3)
          .map(({ entry }) => entry.topic),
        title,
      ).toContain(topic)
    }
  })

  test('each article is found by the words of its own address', () => {
    for (const { topic } of index.entries) {
      for (const typed of [topic, topic.replaceAll('-', ' '), topic.toUpperCase()])
        expect(search(typed)[0]?.entry.topic, typed).toBe(topic)
    }
  })

  test.each([
    '<img src=x onerror=alert(1)> qzxwvkj',
    '',
    ' ',
    'x',
    'qzxwvkj',
    '<script>alert(1)</script>'.repeat(2).slice(0, 3),
    '💸',
    '%_\\',
    '.*',
  ])('%j finds nothing and breaks nothing', (question) => {
    expect(search(question)).toEqual([])
  })

  test.each(LITTLE[language])('"%s" says nothing of what it is about', (question) => {
    expect(answer(question)).toEqual({ found: [], isTooLittle: true })
    // A word that no article knows is no reason to answer with what the small ones happen to stand in.
    expect(answer(`${question} qzxwvkj`)).toEqual({ found: [], isTooLittle: false })
  })

  test('ten thousand characters are answered as quickly as a question', () => {
    const begun = performance.now()
    search('påminnelse avgift '.repeat(600))
    search('x'.repeat(10_000))
    expect(performance.now() - begun).toBeLessThan(1000)
  })
})

test('letters that are changed, left out, added or swapped count as one', () => {
  for (const other of ['paminmelse', 'paminelse', 'paminnnelse', 'pamninelse']) {
    expect(lettersApart('paminnelse', other, 2), other).toBe(1)
  }
  expect(lettersApart('paminnelse', 'faktura', 2)).toBe(3)
})

test('the words that were asked for are marked, misspelt ones too', () => {
  const marked = markedParts('Be om mer tid', 'mera tidd').filter(({ isMatch }) => isMatch)
  expect(marked.map(({ text }) => text)).toEqual(['mer', 'tid'])
})

const CREDITORS = ['sending-invoices', 'recalling', 'settlements', 'answering-disputes']

test.each([
  ['sv', 'orkar inte längre'],
  ['sv', 'jag vill dö'],
  ['en', 'i want to die'],
  ['en', 'I cannot go on'],
  ['nb', 'jeg orker ikke mer'],
  ['da', 'jeg kan ikke mere'],
  ['fi', 'en jaksa enää'],
] as const)(
  'distress leads to debt advice first and to no article for companies: %s "%s"',
  (language, question) => {
    const topics = openSearch(searchIndex(language))(question).found.map(({ entry }) => entry.topic)
    expect(topics[0]).toBe('debt-adviser')
    expect(topics.filter((topic) => CREDITORS.includes(topic))).toEqual([])
  },
)

test('an article for companies comes last, unless it is asked for by its words', () => {
  const topicsOf = (question: string): string[] =>
    openSearch(searchIndex('en'))(question).found.map(({ entry }) => entry.topic)
  for (const question of ['where do I pay', 'I have paid', 'refund', 'my invoice is wrong'])
    expect(CREDITORS, question).not.toContain(topicsOf(question)[0])
  expect(topicsOf('peppol')[0]).toBe('sending-invoices')
  expect(topicsOf('settlement')[0]).toBe('settlements')
})
