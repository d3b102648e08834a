/** All articles, read by the build. */
import type { Language } from '@kvitt/ui/language/languages.ts'
import { type Article, readArticle } from './article.ts'

const FILES = import.meta.glob<string>('../articles/*/*.md', {
  query: '?raw',
  import: 'default',
  eager: true,
})

type Topics = {
  readonly groups: readonly { readonly name: string; readonly title: Readonly<Record<Language, string>> }[]
  readonly topics: readonly {
    readonly topic: string
    readonly group: string
    /** What it stands on, by its names in ACTS. */
    readonly acts?: readonly string[]
  }[]
}

/** The order of groups and topics. */
const ORDERS = import.meta.glob<Topics>('../articles/topics.json', { import: 'default', eager: true })

/** What the search knows of each language; `calculator-words`: other words for the page of what waiting costs. */
const LISTS = import.meta.glob<Readonly<Record<Language, string>>>(
  '../articles/{small-words,faint-words,endings,calculator-words}.json',
  { import: 'default', eager: true },
)

/** What an editor has written in one of these lists, for one language. */
export function wordList(
  name: 'small-words' | 'faint-words' | 'endings' | 'calculator-words',
  language: Language,
): string {
  return LISTS[`../articles/${name}.json`]?.[language] ?? ''
}

const ARTICLES: readonly Article[] = Object.entries(FILES).map(([path, text]) => readArticle(path, text))

export type Group = { readonly name: string; readonly title: string; readonly articles: readonly Article[] }

/** The groups that have an article in this language, and those, in the order of topics.json. */
export function groupsIn(language: Language): Group[] {
  const { groups = [], topics = [] } = Object.values(ORDERS)[0] ?? {}
  return groups
    .map(({ name, title }) => ({
      name,
      title: title[language],
      articles: topics
        .filter(({ group }) => group === name)
        .flatMap(
          ({ topic }) => ARTICLES.find((one) => one.topic === topic && one.language === language) ?? [],
        ),
    }))
    .filter(({ articles }) => articles.length > 0)
}

/** Of one language, in their order. */
export function articlesIn(language: Language): Article[] {
  return groupsIn(language).flatMap(({ articles }) => articles)
}

/** The acts that the figures and rights of a topic stand on, by their names in ACTS. */
export function actsOf(topic: string): readonly string[] {
  const { topics = [] } = Object.values(ORDERS)[0] ?? {}
  return topics.find((one) => one.topic === topic)?.acts ?? []
}
