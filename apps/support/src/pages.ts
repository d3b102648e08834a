/** Every page of the support site and what its search looks through, as the build writes them. */
import { LANGUAGES, type Language } from '@kvitt/ui/language/languages.ts'
import type { Page } from '@kvitt/site/frame.ts'
import { sharedPages } from '@kvitt/site/shared-pages.ts'
import type { SearchIndex } from '@kvitt/site/find-articles.ts'
import { wordsOf } from '@kvitt/site/words.ts'
import { articlePage } from './article-page.ts'
import { articlesIn, groupsIn, wordList } from './articles.ts'
import { topicsPage } from './topics-page.ts'

export function listPages(): Page[] {
  return [
    ...LANGUAGES.flatMap((language) => [
      topicsPage(language),
      ...articlesIn(language).map((article) => articlePage(article)),
    ]),
    ...sharedPages('support'),
  ]
}

/** What is looked through in a language. */
export function searchIndex(language: Language): SearchIndex {
  const group = groupsIn(language).find(({ name }) => name === 'creditors')
  const creditors = group?.articles.map(({ topic }) => topic) ?? []
  const t = wordsOf(language)
  const calculator = {
    topic: 'waiting',
    title: t('waiting.title'),
    question: t('waiting.title'),
    words: wordList('calculator-words', language),
    summary: t('waiting.lead'),
  }
  const articles = articlesIn(language).map(({ topic, title, question, words, summary }) => ({
    topic,
    title,
    question,
    words: words.join(', '),
    summary,
    ...(creditors.includes(topic) && { isForCreditors: true }),
  }))
  return {
    smallWords: wordList('small-words', language),
    faintWords: wordList('faint-words', language),
    endings: wordList('endings', language),
    entries: [...articles, calculator],
  }
}

/** By their names, which get a hash of the content. */
export function listFiles(): Record<string, string> {
  return Object.fromEntries(
    LANGUAGES.map((language) => [`search-${language}.json`, JSON.stringify(searchIndex(language))]),
  )
}
