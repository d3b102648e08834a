import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { LANGUAGES } from './article.ts'
import { checkAll, EXAMPLE, type Files, type Surroundings, type TopicList } from './check-articles.ts'
import type { PortalTexts } from './check-words.ts'
import { amountsIn, countWords, datesIn, percentagesIn, sentencesOf } from './written.ts'

const FOLDER = join(import.meta.dirname, '../../apps/support/articles')
const TODAY = new Date().toISOString().slice(0, 10)

const PORTAL = join(import.meta.dirname, '../../apps/debtor/src/language')
/** A hyphen that only shows where a line ends is no part of a word. */
const portal = Object.fromEntries(
  LANGUAGES.map((language) => {
    const texts = JSON.parse(readFileSync(join(PORTAL, `${language}.json`), 'utf8')) as Record<string, string>
    return [language, new Set(Object.values(texts).map((text) => text.replaceAll('\u00AD', '')))]
  }),
) as unknown as PortalTexts
const HERE: Surroundings = { today: TODAY, portal }

const files: Files = new Map(
  readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
    .filter((path) => statSync(join(FOLDER, path)).isFile())
    .map((path) => [path, readFileSync(join(FOLDER, path), 'utf8')]),
)
const list = JSON.parse(files.get('topics.json') ?? '') as TopicList

test('the articles are whole, in five languages, and say what the product does', () => {
  expect(checkAll(files, HERE)).toEqual([])
})

test('each topic of the help panel has its article', () => {
  const answered = list.topics.flatMap(({ help }) => help ?? [])
  expect(answered.sort()).toEqual(
    ['address', 'content', 'delivery', 'dispute', 'other', 'respite', 'why'].sort(),
  )
})

const CASES = Array.from({ length: 5 }, () => ({ question: 'the reciept', topic: 'receipt' }))

/** A small folder without a fault; a test breaks one thing in it. */
function folder(change: Readonly<Record<string, string | null>> = {}): Files {
  const topics = {
    groups: [{ name: 'one', title: {} as Record<string, string> }],
    topics: [{ topic: 'receipt', group: 'one' }],
  }
  const small = new Map<string, string>()
  for (const language of LANGUAGES) {
    const [group] = topics.groups
    if (group) group.title[language] = 'Group'
    small.set(`receipt/${language}.md`, article({ example: EXAMPLE[language] }))
  }
  small.set('topics.json', JSON.stringify(topics))
  small.set(
    'search-cases.json',
    JSON.stringify(Object.fromEntries(LANGUAGES.map((language) => [language, CASES]))),
  )
  for (const [path, text] of Object.entries(change)) {
    if (text === null) small.delete(path)
    else small.set(path, text)
  }
  return small
}

function article({
  fields = {},
  body,
  example = 'Example',
}: {
  fields?: Readonly<Record<string, string>>
  body?: string
  example?: string
} = {}): string {
  const all = {
    title: 'Receipt',
    question: 'Where is it?',
    words: 'receipt, proof, paper, bill',
    summary: 'It is here.',
    law: 'all',
    checked: '2026-11-24',
    action: 'log-in',
    'action-text': 'Log in',
    ...fields,
  }
  const lines = Object.entries(all).flatMap(([name, value]) => (value === '' ? [] : [`${name}: ${value}`]))
  return `---\n${lines.join('\n')}\n---\n\n${body ?? `It is here.\n\n## ${example}\n\nSee number 7.`}\n`
}

test('an act that is none, or stands twice, is named', () => {
  const acts = (names: readonly string[]): Files => {
    const small = new Map(folder())
    const topics = JSON.parse(small.get('topics.json') ?? '') as TopicList
    const [topic] = topics.topics
    return small.set('topics.json', JSON.stringify({ ...topics, topics: [{ ...topic, acts: names }] }))
  }
  expect(checkAll(acts(['SE-interest', 'SE-costs']), HERE)).toEqual(NONE)
  for (const names of [['SE-nothing'], ['toString'], ['SE-costs', 'SE-costs']])
    expect(checkAll(acts(names), HERE)).toEqual([
      `topics.json:1 receipt names the act ${names.at(-1)}, which stands there already or is none`,
    ])
})

const withExample = (text: string) => `${text}\n\n## Example\n\nSee number 7.`
const NONE: string[] = []

test('the small folder has no fault', () => {
  expect(checkAll(folder(), HERE)).toEqual(NONE)
})

test.each([
  ['a language is missing', { 'receipt/fi.md': null }, 'receipt/fi.md:1 is missing'],
  ['a folder that no list names', { 'other/en.md': article() }, 'other:1 the folder is not in topics.json'],
  [
    'a name that is no language',
    { 'receipt/no.md': article() },
    'receipt/no.md:1 articles are called {topic}/{language}.md, with sv, en, nb, da, fi',
  ],
  [
    'no fields',
    { 'receipt/en.md': 'Text' },
    'receipt/en.md:1 begin with the fields, between two lines of ---',
  ],
  [
    'a field is missing',
    { 'receipt/en.md': article({ fields: { summary: '' } }) },
    'receipt/en.md:1 summary is missing',
  ],
  [
    'an unknown field',
    { 'receipt/en.md': article({ fields: { topic: 'x' } }) },
    'receipt/en.md:10 "topic: x" is none of the fields title, question, words, summary, law, checked, action, action-text',
  ],
  [
    'an unknown action',
    { 'receipt/en.md': article({ fields: { action: 'sue' } }) },
    'receipt/en.md:8 "sue" is none of log-in, pay, dispute, respite, plan, contact, creditor-portal, check-message, calculator, none',
  ],
  [
    'an unknown law',
    { 'receipt/en.md': article({ fields: { law: 'SE,IS' } }) },
    'receipt/en.md:6 "SE,IS" is neither all nor some of SE,NO,DK,FI',
  ],
  [
    'few other words',
    { 'receipt/en.md': article({ fields: { words: 'bill, paper' } }) },
    'receipt/en.md:4 2 words, at least 4 are wanted, with commas between',
  ],
  [
    'a question without its mark',
    { 'receipt/en.md': article({ fields: { question: 'Where' } }) },
    'receipt/en.md:3 the question ends without a question mark',
  ],
  [
    'a day in another form',
    { 'receipt/en.md': article({ fields: { checked: '24.11.2026' } }) },
    'receipt/en.md:7 this is no day as YYYY-MM-DD',
  ],
  [
    'no example',
    { 'receipt/en.md': article({ body: 'It is here.' }) },
    'receipt/en.md:1 one part has to be a worked example, with the heading "## Example"',
  ],
  [
    'an example without a figure',
    { 'receipt/en.md': article({ body: 'It is here.\n\n## Example\n\nLook.' }) },
    'receipt/en.md:14 the example has no figure',
  ],
  [
    'a link to nowhere',
    { 'receipt/en.md': article({ body: withExample('See [that](topic:nothing).') }) },
    'receipt/en.md:12 there is no topic nothing',
  ],
  [
    'a link out',
    { 'receipt/en.md': article({ body: withExample('See [that](https://example.com).') }) },
    'receipt/en.md:12 "https://example.com" is no link to a topic; write [text](topic:NAME)',
  ],
  [
    'a link to itself',
    { 'receipt/en.md': article({ body: withExample('See [that](topic:receipt).') }) },
    'receipt/en.md:12 the article links to itself',
  ],
  [
    'an amount in another language’s way',
    { 'receipt/en.md': article({ body: withExample('Pay SEK 1 250.') }) },
    'receipt/en.md:12 "SEK 1 250" is not how en writes an amount',
  ],
  [
    'an amount that the others do not have',
    { 'receipt/fi.md': article({ body: 'Maksa 60 €.\n\n## Esimerkki\n\nNumero 7.' }) },
    'receipt/fi.md:1 amounts: this has 60.00, receipt/sv.md has not',
  ],
  [
    'a day that the others do not have',
    { 'receipt/sv.md': article({ body: 'Betala den 1 december 2026.\n\n## Exempel\n\nNummer 7.' }) },
    'receipt/fi.md:1 days: receipt/sv.md has 2026-12-01, this has not',
  ],
  [
    'a button that the portal does not have',
    {
      'receipt/en.md': article({
        body: withExample('Press **Download** or **Log out**. **Then:** **7** is there.'),
      }),
    },
    'receipt/en.md:12 the portal says "Download" nowhere',
  ],
  [
    'few cases for the search',
    { 'search-cases.json': '{}' },
    'search-cases.json:1 fi has 0 cases with a typing error, 5 are wanted',
  ],
  [
    'a case without a typing error',
    { 'search-cases.json': JSON.stringify({ da: [{ question: 'Where is the receipt', topic: 'receipt' }] }) },
    'search-cases.json:1 da has 0 cases with a typing error, 5 are wanted',
  ],
  [
    'a case of no topic',
    { 'search-cases.json': JSON.stringify({ da: [{ question: 'reciept', topic: 'nothing' }] }) },
    'search-cases.json:1 there is no topic nothing',
  ],
  [
    'another action than the others',
    { 'receipt/da.md': article({ fields: { action: 'pay' }, example: 'Eksempel' }) },
    'receipt/da.md:1 action: this has pay, receipt/sv.md has not',
  ],
])('found: %s', (_, change, problem) => {
  expect(checkAll(folder(change), HERE)).toContain(problem)
})

test('a long sentence and a long text are found, at their line', () => {
  const sentence = `Long${' word'.repeat(28)}.`
  const long = article({ body: withExample(`Short one. ${sentence}`) })
  expect(checkAll(folder({ 'receipt/en.md': long }), HERE).join('\n')).toMatch(
    /receipt\/en\.md:12 a sentence of 29 words, 28 are the most/,
  )
  const text = Array.from({ length: 65 }, () => 'These are four words.').join('\n\n')
  expect(checkAll(folder({ 'receipt/en.md': article({ body: withExample(text) }) }), HERE)).toContain(
    'receipt/en.md:1 the text has 264 words, 250 are the most',
  )
})

test.each([
  [
    'sv',
    'cost-sweden',
    '180 kr',
    '190 kr',
    ['SEK 180.00 is not named, but the product says so', 'SEK 190.00 is not what the product says'],
  ],
  [
    'en',
    'cost-finland',
    '9.5%',
    '10.5%',
    ['9.5 % is not named, but the product says so', '10.5 % is not what the product says'],
  ],
  ['nb', 'cost-norway', '49', '48', ['day 49 is not named, but the product says so']],
  ['da', 'company', '310 kr.', '300 kr.', ['DKK 310.00 is not named, but the product says so']],
  [
    'fi',
    'part-payment',
    '957,17 SEK',
    '975,17 SEK',
    ['SEK 957.17 is not named, but the product says so', 'SEK 975.17 is not what the product says'],
  ],
] as const)('found: a wrong figure in %s about %s', (language, topic, right, wrong, problems) => {
  const path = `${topic}/${language}.md`
  const text = files.get(path) ?? ''
  expect(text).toContain(right)
  const found = checkAll(
    new Map(
      [...files].filter(([name]) => name === 'topics.json').concat([[path, text.replaceAll(right, wrong)]]),
    ),
    HERE,
  )
  for (const problem of problems) expect(found).toContain(`${path}:1 ${problem}`)
})

test('amounts, percentages and days are read in each language’s own way', () => {
  expect(amountsIn('1 250 kr, 7,53 kr och 35 NOK', 'sv').map(({ amount }) => amount)).toEqual([
    'SEK 1250.00',
    'SEK 7.53',
    'NOK 35.00',
  ])
  expect(amountsIn('1.917,63 kr. og 40 €', 'da').map(({ amount }) => amount)).toEqual([
    'DKK 1917.63',
    'EUR 40.00',
  ])
  expect(amountsIn('SEK 1,497.53 and €5.', 'en').map(({ amount }) => amount)).toEqual([
    'SEK 1497.53',
    'EUR 5.00',
  ])
  expect(amountsIn('7,5 kr, 1250 kr', 'nb').map(({ amount }) => amount)).toEqual([undefined, undefined])
  expect(percentagesIn('9,75 % og 12 %', 'da')).toEqual(['9.75', '12'])
  expect(datesIn('senast den 2 september 2026', 'sv')).toEqual(['2026-09-02'])
  expect(datesIn('innen 2. september 2026', 'nb')).toEqual(['2026-09-02'])
  expect(datesIn('viimeistään 2.9.2026.', 'fi')).toEqual(['2026-09-02'])
})

test('a sentence ends where a reader takes a breath', () => {
  expect(sentencesOf('Den 1. december betaler du 100 kr. mere. Så er det slut.')).toHaveLength(2)
  expect(countWords('Fakturan på 1 250,00 kr')).toBe(4)
})
