/** The words of articles: those of the portal where they name what stands there, and those that people search with. */
import { type Article, type Field, fieldOf, type Language, LANGUAGES, type Problem } from './article.ts'

/** The texts of the debtor portal, by language. */
export type PortalTexts = Readonly<Record<Language, ReadonlySet<string>>>

/**
 * What is bold and neither begins a line of thought (then it ends with a full stop or a colon) nor is a sum names a button or
 * a heading of the portal: it has to be called there as it is called here.
 */
export function checkPortalWords(article: Article, portal: PortalTexts): Problem[] {
  return article.body.flatMap(({ text, number }) =>
    [...text.matchAll(/\*\*(.+?)\*\*/g)]
      .map(([, words = '']) => words)
      .filter((words) => !/[.:]$|\d/.test(words) && !portal[article.language].has(words))
      .map((words) => `${article.path}:${number} the portal says "${words}" nowhere`),
  )
}

/** `search-cases.json`: what people type, with the topic that has to come first. */
type SearchCases = Readonly<Record<string, readonly { readonly question: string; readonly topic: string }[]>>

const CASES = 'search-cases.json'
const CASES_OF_A_LANGUAGE = 5
/** No article, but found as one. */
const CALCULATOR = 'waiting'
const SEARCHED: readonly Field[] = ['title', 'question', 'words', 'summary']

const wordsIn = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []

/** Each case has its topic, and five of a language have a typing error: a word that the article does not have. */
export function checkSearchCases(text: string, articles: readonly Article[]): Problem[] {
  const cases = JSON.parse(text) as SearchCases
  return LANGUAGES.flatMap((language) => {
    const own = (cases[language] ?? []).map(({ question, topic }) => ({
      question,
      topic,
      article: articles.find((one) => one.topic === topic && one.language === language),
    }))
    const misspelt = own.filter(({ question, article }) => {
      const known = new Set(SEARCHED.flatMap((field) => (article ? wordsIn(fieldOf(article, field)) : [])))
      return wordsIn(question).some((word) => word.length >= 4 && !known.has(word))
    })
    const few =
      misspelt.length < CASES_OF_A_LANGUAGE
        ? [
            `${CASES}:1 ${language} has ${misspelt.length} cases with a typing error, ${CASES_OF_A_LANGUAGE} are wanted`,
          ]
        : []
    const wrong = own.filter(({ topic, article }) => article === undefined && topic !== CALCULATOR)
    return [...few, ...wrong.map(({ topic }) => `${CASES}:1 there is no topic ${topic}`)]
  })
}
