/** The figures of articles: written right, the same in all languages, and those of the product. */
import { type Article, COUNTRIES, fieldOf, type Problem } from './article.ts'
import { type Figures, hasFigures } from './figures.ts'
import { amountsIn, datesIn, percentagesIn } from './written.ts'

/** Amounts are written as the language writes them. */
export function checkAmounts(article: Article): Problem[] {
  return [...article.fields.values(), ...article.body].flatMap(({ text, number }) =>
    amountsIn(text, article.language)
      .filter(({ amount }) => amount === undefined)
      .map(
        ({ text: written }) =>
          `${article.path}:${number} "${written}" is not how ${article.language} writes an amount`,
      ),
  )
}

/** The text of fields and body, for what is counted in both. */
function wholeText(article: Article): string {
  return [fieldOf(article, 'summary'), ...article.body.map(({ text }) => text)].join('\n')
}

/** The amounts of an article, each once, as "SEK 60.00". */
function amountsOf(article: Article): Set<string> {
  return new Set(amountsIn(wholeText(article), article.language).flatMap(({ amount }) => amount ?? []))
}

function percentagesOf(article: Article): Set<string> {
  return new Set(percentagesIn(wholeText(article), article.language))
}

/** The languages of a topic say the same: the same figures and days, the same law and action. */
export function checkSameInAll(articles: readonly Article[]): Problem[] {
  const first = articles.find(({ language }) => language === 'sv')
  if (!first) return []
  // An example that no country's law decides may reckon in each language's own money.
  const ownMoney = !hasFigures(first.topic) && !COUNTRIES.includes(fieldOf(first, 'law'))
  const facts = (article: Article): [string, ReadonlySet<string>][] => [
    [
      'amounts',
      ownMoney ? new Set([...amountsOf(article)].map((amount) => amount.slice(4))) : amountsOf(article),
    ],
    ['percentages', percentagesOf(article)],
    ['days', new Set(datesIn(wholeText(article), article.language))],
    ['law', new Set([fieldOf(article, 'law')])],
    ['checked', new Set([fieldOf(article, 'checked')])],
    ['action', new Set([fieldOf(article, 'action')])],
  ]
  const wanted = facts(first)
  return articles.flatMap((article) =>
    facts(article).flatMap(([what, found], index) => {
      const others = wanted[index]?.[1] ?? new Set<string>()
      const less = [...others].filter((one) => !found.has(one))
      const more = [...found].filter((one) => !others.has(one))
      const missing =
        less.length > 0
          ? [`${article.path}:1 ${what}: ${first.path} has ${less.join(', ')}, this has not`]
          : []
      const added =
        more.length > 0
          ? [`${article.path}:1 ${what}: this has ${more.join(', ')}, ${first.path} has not`]
          : []
      return [...missing, ...added]
    }),
  )
}

/** Does the body have this number by itself? */
function names(article: Article, number: number): boolean {
  return article.body.some(({ text }) => new RegExp(`(?<![\\d.,])${number}(?![\\d,])`).test(text))
}

/** An article whose figures the domain knows names all of them, and no other where it says so. */
export function checkFigures(article: Article, wanted: Figures): Problem[] {
  const [amounts, percentages] = [amountsOf(article), percentagesOf(article)]
  const missing = [
    ...wanted.amounts.filter((amount) => !amounts.has(amount)),
    ...wanted.percentages.filter((percent) => !percentages.has(percent)).map((percent) => `${percent} %`),
    ...(wanted.days ?? []).filter((day) => !names(article, day)).map((day) => `day ${day}`),
  ]
  const others = wanted.mayHaveMore
    ? []
    : [
        ...[...amounts].filter((amount) => !wanted.amounts.includes(amount)),
        ...[...percentages]
          .filter((percent) => !wanted.percentages.includes(percent))
          .map((percent) => `${percent} %`),
      ]
  return [
    ...missing.map((figure) => `${article.path}:1 ${figure} is not named, but the product says so`),
    ...others.map((figure) => `${article.path}:1 ${figure} is not what the product says`),
  ]
}
