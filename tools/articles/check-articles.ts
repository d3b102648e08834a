/** What has to be true of the articles of the support site; what is not, with its file and line. */
import { parseDate } from '@kvitt/domain/calendar.ts'
import { ACTS } from '@kvitt/site/laws.ts'
import {
  ACTIONS,
  type Article,
  blocksOf,
  COUNTRIES,
  type Field,
  fieldOf,
  FIELDS,
  isLanguage,
  type Language,
  LANGUAGES,
  type Problem,
  readArticle,
} from './article.ts'
import { checkAmounts, checkFigures, checkSameInAll } from './check-figures.ts'
import { checkPortalWords, checkSearchCases, type PortalTexts } from './check-words.ts'
import { dayOfFigures, figuresOf } from './figures.ts'
import { countWords, sentencesOf } from './written.ts'

const MOST_WORDS = 250
const MOST_IN_SENTENCE = 28
const MOST_ON_AVERAGE = 20
const LONGEST_TITLE = 60
const FEWEST_OTHER_WORDS = 4
export const EXAMPLE: Readonly<Record<Language, string>> = {
  sv: 'Exempel',
  en: 'Example',
  nb: 'Eksempel',
  da: 'Eksempel',
  fi: 'Esimerkki',
}

/** `topics.json`: the order of groups and topics, and what each group is called. */
export type TopicList = {
  readonly groups: readonly { readonly name: string; readonly title: Readonly<Record<string, string>> }[]
  readonly topics: readonly {
    readonly topic: string
    readonly group: string
    /** The topic of the debtor portal's help panel that it answers. */
    readonly help?: string
    /** The acts that it stands on. */
    readonly acts?: readonly string[]
  }[]
}

/** Files by their path below the articles' folder. */
export type Files = ReadonlyMap<string, string>

/** All articles among the files, and what is wrong with where they lie. */
export function readArticles(files: Files): { articles: Article[]; problems: Problem[] } {
  const problems: Problem[] = []
  const articles = [...files].flatMap(([path, text]) => {
    if (!path.endsWith('.md') || path === 'README.md') return []
    const [, topic = '', language = ''] = /^([a-z0-9-]+)\/([a-z]{2})\.md$/.exec(path) ?? []
    if (!isLanguage(language)) {
      problems.push(`${path}:1 articles are called {topic}/{language}.md, with ${LANGUAGES.join(', ')}`)
      return []
    }
    return [readArticle(path, topic, language, text)]
  })
  return { articles, problems }
}

/** The list and the folders name the same topics, each in five languages. */
export function checkTopics(list: TopicList, articles: readonly Article[]): Problem[] {
  const listed = list.topics.map(({ topic }) => topic)
  const groups = new Set(list.groups.map(({ name }) => name))
  const paths = new Set(articles.map(({ path }) => path))
  const file = 'topics.json:1'
  return [
    ...listed
      .filter((topic, index) => listed.indexOf(topic) < index)
      .map((topic) => `${file} ${topic} stands twice`),
    ...list.topics
      .filter(({ group }) => !groups.has(group))
      .map(({ topic, group }) => `${file} ${topic} is in the group ${group}, which is not there`),
    ...list.groups
      .filter(({ name }) => !list.topics.some(({ group }) => group === name))
      .map(({ name }) => `${file} the group ${name} has no topic`),
    ...list.groups.flatMap(({ name, title }) =>
      LANGUAGES.filter((language) => !title[language]?.trim()).map(
        (language) => `${file} the group ${name} has no name in ${language}`,
      ),
    ),
    ...[...new Set(articles.map(({ topic }) => topic))]
      .filter((topic) => !listed.includes(topic))
      .map((topic) => `${topic}:1 the folder is not in topics.json`),
    ...list.topics.flatMap(({ topic, acts = [] }) =>
      acts
        .filter((act, index) => !Object.hasOwn(ACTS, act) || acts.indexOf(act) < index)
        .map((act) => `${file} ${topic} names the act ${act}, which stands there already or is none`),
    ),
    ...listed.flatMap((topic) =>
      LANGUAGES.map((language) => `${topic}/${language}.md`)
        .filter((path) => !paths.has(path))
        .map((path) => `${path}:1 is missing`),
    ),
  ]
}

/** One article alone: its fields, its length, its sentences, its example and its links. */
export function checkArticle(article: Article, topics: readonly string[]): Problem[] {
  return [
    ...article.problems,
    ...checkFields(article),
    ...checkLength(article),
    ...checkExample(article),
    ...checkLinks(article, topics),
    ...checkAmounts(article),
  ]
}

function checkFields(article: Article): Problem[] {
  const at = (field: Field) => `${article.path}:${article.fields.get(field)?.number ?? 1}`
  const missing = FIELDS.filter((field) => !fieldOf(article, field))
    .filter((field) => field !== 'action-text' || fieldOf(article, 'action') !== 'none')
    .map((field) => `${at(field)} ${field} is missing`)
  if (missing.length > 0) return missing
  const law = fieldOf(article, 'law')
  const words = fieldOf(article, 'words')
    .split(',')
    .map((word) => word.trim())
    .filter(Boolean)
  const title = fieldOf(article, 'title')
  const action = fieldOf(article, 'action')
  const rules: [boolean, Field, string][] = [
    [
      title.length <= LONGEST_TITLE,
      'title',
      `the title has ${title.length} characters, ${LONGEST_TITLE} are the most`,
    ],
    [fieldOf(article, 'question').endsWith('?'), 'question', 'the question ends without a question mark'],
    [
      words.length >= FEWEST_OTHER_WORDS,
      'words',
      `${words.length} words, at least ${FEWEST_OTHER_WORDS} are wanted, with commas between`,
    ],
    [new Set(words).size === words.length, 'words', 'a word stands twice'],
    [sentencesOf(fieldOf(article, 'summary')).length === 1, 'summary', 'the summary is not one sentence'],
    [
      countWords(fieldOf(article, 'summary')) <= MOST_IN_SENTENCE,
      'summary',
      `the summary has more than ${MOST_IN_SENTENCE} words`,
    ],
    [
      law === 'all' || law.split(',').every((country) => COUNTRIES.includes(country)),
      'law',
      `"${law}" is neither all nor some of ${COUNTRIES.join(',')}`,
    ],
    [parseDate(fieldOf(article, 'checked')) !== undefined, 'checked', 'this is no day as YYYY-MM-DD'],
    [ACTIONS.includes(action), 'action', `"${action}" is none of ${ACTIONS.join(', ')}`],
  ]
  return rules.flatMap(([holds, field, why]) => (holds ? [] : [`${at(field)} ${why}`]))
}

function checkLength(article: Article): Problem[] {
  const blocks = blocksOf(article)
  const words = blocks.reduce((sum, { text }) => sum + countWords(text), 0)
  const sentences = blocks
    .filter(({ isHeading }) => !isHeading)
    .flatMap(({ text, number }) =>
      sentencesOf(text).map((sentence) => ({ sentence, number, count: countWords(sentence) })),
    )
  const average = sentences.reduce((sum, { count }) => sum + count, 0) / Math.max(1, sentences.length)
  return [
    ...(words > MOST_WORDS
      ? [`${article.path}:1 the text has ${words} words, ${MOST_WORDS} are the most`]
      : []),
    ...(sentences.length === 0 ? [`${article.path}:1 there is no text below the fields`] : []),
    ...(average > MOST_ON_AVERAGE
      ? [
          `${article.path}:1 a sentence has ${average.toFixed(1)} words on average, ${MOST_ON_AVERAGE} are the most`,
        ]
      : []),
    ...sentences
      .filter(({ count }) => count > MOST_IN_SENTENCE)
      .map(
        ({ sentence, number, count }) =>
          `${article.path}:${number} a sentence of ${count} words, ${MOST_IN_SENTENCE} are the most: "${sentence.slice(0, 60)}…"`,
      ),
  ]
}

/** One part is a worked example: its heading says so, and there are figures below it. */
function checkExample(article: Article): Problem[] {
  const blocks = blocksOf(article)
  const word = EXAMPLE[article.language]
  const starts = blocks.flatMap(({ text, isHeading }, index) =>
    isHeading && text.startsWith(word) ? [index] : [],
  )
  const [start] = starts
  if (start === undefined || starts.length > 1) {
    return [`${article.path}:1 one part has to be a worked example, with the heading "## ${word}"`]
  }
  const next = blocks.findIndex(({ isHeading }, index) => isHeading && index > start)
  const example = blocks.slice(start + 1, next < 0 ? undefined : next)
  const hasFigure = example.some(({ text }) => /\d/.test(text))
  return hasFigure ? [] : [`${article.path}:${blocks[start]?.number ?? 1} the example has no figure`]
}

/** Where people are helped for nothing, and by whom: nowhere else does an article lead away from the site. */
const ADVICE = ['www.konsumentverket.se', 'www.nav.no', 'www.borger.dk', 'www.takuusaatio.fi']

function checkLinks(article: Article, topics: readonly string[]): Problem[] {
  return article.body.flatMap(({ text, number }) =>
    [...text.matchAll(/\[([^\]]*)\]\(([^)]*)\)/g)].flatMap(([, , target = '']) => {
      const topic = /^topic:(.+)$/.exec(target)?.[1]
      const at = `${article.path}:${number}`
      if (ADVICE.some((host) => target === `https://${host}/`)) return []
      if (topic === undefined) return [`${at} "${target}" is no link to a topic; write [text](topic:NAME)`]
      if (topic === article.topic) return [`${at} the article links to itself`]
      return topics.includes(topic) ? [] : [`${at} there is no topic ${topic}`]
    }),
  )
}

/** What articles are compared with. `today` is written as YYYY-MM-DD. */
export type Surroundings = { readonly today: string; readonly portal: PortalTexts }

/** Everything that is wrong with the articles, by file. */
export function checkAll(files: Files, { today, portal }: Surroundings): Problem[] {
  const { articles, problems } = readArticles(files)
  const list = JSON.parse(files.get('topics.json') ?? '{"groups":[],"topics":[]}') as TopicList
  const topics = list.topics.map(({ topic }) => topic)
  return [
    ...problems,
    ...checkTopics(list, articles),
    ...articles.flatMap((article) => {
      const checked = parseDate(fieldOf(article, 'checked'))
      const figures = checked && figuresOf(article.topic, dayOfFigures(checked, today))
      return [
        ...checkArticle(article, topics),
        ...checkPortalWords(article, portal),
        ...(figures ? checkFigures(article, figures) : []),
      ]
    }),
    ...checkSearchCases(files.get('search-cases.json') ?? '{}', articles),
    ...topics.flatMap((topic) => checkSameInAll(articles.filter((article) => article.topic === topic))),
  ].sort()
}
