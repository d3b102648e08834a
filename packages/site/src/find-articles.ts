/** Finds the article that a question is about: by its words, also misspelt ones, and by other words for the same thing. */

import { lettersApart } from '@kvitt/domain/letters-apart.ts'

/** What is looked through of an article. */
export type SearchEntry = {
  readonly topic: string
  readonly title: string
  /** As a person asks it. */
  readonly question: string
  /** Other words for the same thing, with commas between. */
  readonly words: string
  readonly summary: string
  /** For companies that send invoices: last, unless it is asked for by its own words. */
  readonly isForCreditors?: boolean
}

/** What a search is opened with. */
export type SearchIndex = {
  /** Words that every question may have, with spaces between: they say nothing of what it is about. */
  readonly smallWords: string
  readonly entries: readonly SearchEntry[]
}

export type Found = { readonly entry: SearchEntry; readonly score: number }

/** How much a word counts, by where it stands. */
const WEIGHTS = { title: 3, question: 2.5, words: 2.5, summary: 1 } as const
const FIELDS = Object.keys(WEIGHTS) as (keyof typeof WEIGHTS)[]
export const LONGEST_QUESTION = 200
const MOST_WORDS = 12
/** More than any words by themselves. */
const SAID_WHOLE = 6
const NOT_ASKED_FOR = 0.3

/** Words without marks on their letters: "Påminnelse" and "paminnelse" are one. */
export function wordsIn(text: string): string[] {
  return text
    .toLowerCase()
    .replaceAll('ø', 'o')
    .replaceAll('æ', 'ae')
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length > 1)
}

/** How well a word of the question fits a word of an article, 0 to 1. */
function likeness(asked: string, word: string): number {
  if (asked === word) return 1
  if (asked.length >= 3 && word.startsWith(asked)) return 0.85
  if (word.length >= 4 && asked.startsWith(word)) return 0.7
  if (asked.length >= 5 && word.includes(asked)) return 0.6
  const most = asked.length >= 8 ? 2 : asked.length >= 4 ? 1 : 0
  if (most === 0) return 0
  // Somebody who has not written the whole word yet may already have misspelt it.
  const beginnings = [word, word.slice(0, asked.length + most)]
  // Two letters swapped at the end of the beginning; of a short word as much is like too many others.
  if (asked.length >= 6) beginnings.push(word.slice(0, asked.length))
  const apart = Math.min(...beginnings.map((one) => lettersApart(asked, one, most)))
  return apart <= most ? 0.75 - 0.1 * apart : 0
}

type Prepared = {
  readonly entry: SearchEntry
  /** Of its other words those that are more than one, as "where do I pay": said whole, they tell more than each. */
  readonly phrases: readonly (readonly string[])[]
  readonly fields: Readonly<Record<keyof typeof WEIGHTS, string[]>>
}

/** What was found; `isTooLittle` where nothing was asked about yet, such as with "what is it". */
export type SearchAnswer = { readonly found: readonly Found[]; readonly isTooLittle: boolean }

/** A search over these articles. The best come first; those that fit hardly at all are left out. */
export function openSearch({ smallWords, entries }: SearchIndex): (question: string) => SearchAnswer {
  const small = new Set(wordsIn(smallWords))
  const prepared = entries.map(
    (entry): Prepared => ({
      entry,
      phrases: entry.words
        .split(',')
        .map(wordsIn)
        .filter((phrase) => phrase.length > 1),
      fields: {
        title: wordsIn(entry.title),
        question: wordsIn(entry.question),
        words: wordsIn(entry.words),
        summary: wordsIn(entry.summary),
      },
    }),
  )
  const rarity = rarityIn(prepared)
  return (question) => {
    const asked = [...new Set(wordsIn(question.slice(0, LONGEST_QUESTION)))].slice(0, MOST_WORDS)
    const telling = asked.filter((word) => !small.has(word))
    const scored = prepared
      .map((one) => ({ ...one, isSaid: isSaid(one.phrases, asked) }))
      .filter(
        ({ fields, isSaid: isWhole }) =>
          isWhole || isAsked(fields.title, asked) || isAbout(telling, fields, small),
      )
    // Who asks as a debtor, maybe in distress, is not led to how companies send invoices.
    const isDebtors = scored.some(({ entry, isSaid: isWhole }) => isWhole && !entry.isForCreditors)
    const found = scored
      .filter(({ entry, isSaid: isWhole }) => isWhole || !isDebtors || !entry.isForCreditors)
      .map(({ entry, fields, isSaid: isWhole }) => ({
        entry,
        score:
          (scoreOf(asked, fields, rarity) + (isWhole ? SAID_WHOLE : 0)) *
          (entry.isForCreditors && !isWhole && !isNamed(asked, telling, fields) ? NOT_ASKED_FOR : 1),
      }))
    const best = Math.max(0, ...found.map(({ score }) => score))
    return {
      found: found
        .filter(({ score }) => score > 0.6 && score >= best * 0.35)
        .sort((a, b) => b.score - a.score),
      isTooLittle: telling.length === 0 && found.length === 0,
    }
  }
}

/** Whether one of the phrases is said with all of its words, in any order. */
function isSaid(phrases: Prepared['phrases'], asked: readonly string[]): boolean {
  return phrases.some((phrase) => phrase.every((word) => asked.includes(word)))
}

/** Whether a word that says something is one of the article's own, letter for letter, or its whole question is asked. */
function isNamed(
  asked: readonly string[],
  telling: readonly string[],
  { title, question, words }: Prepared['fields'],
): boolean {
  return isAsked(question, asked) || telling.some((word) => title.includes(word) || words.includes(word))
}

/** "Why did I get this?" is a title, although each of its words is a small one. */
function isAsked(title: readonly string[], asked: readonly string[]): boolean {
  return title.every((word) => asked.includes(word))
}

/** Whether any word of the question that says something is like one of the article that says something. */
function isAbout(
  telling: readonly string[],
  fields: Prepared['fields'],
  small: ReadonlySet<string>,
): boolean {
  return FIELDS.some((field) =>
    fields[field].some((word) => !small.has(word) && telling.some((one) => likeness(one, word) > 0)),
  )
}

/** A word that stands in every article tells them apart no more. */
function rarityIn(prepared: readonly Prepared[]): (word: string) => number {
  const counts = new Map<string, number>()
  for (const { fields } of prepared) {
    for (const word of new Set(FIELDS.flatMap((field) => fields[field]))) {
      counts.set(word, (counts.get(word) ?? 0) + 1)
    }
  }
  return (word) => Math.log(1 + prepared.length / (counts.get(word) ?? 1)) / Math.log(1 + prepared.length)
}

function scoreOf(
  asked: readonly string[],
  fields: Prepared['fields'],
  rarity: (word: string) => number,
): number {
  let sum = 0
  for (const one of asked) {
    let best = 0
    for (const field of FIELDS) {
      for (const word of fields[field]) {
        const fit = likeness(one, word)
        if (fit > 0) best = Math.max(best, fit * WEIGHTS[field] * rarity(word))
      }
    }
    sum += best
  }
  return sum / Math.max(1, Math.sqrt(asked.length))
}

/** The parts of a title, those that the question names marked. */
export function markedParts(title: string, question: string): { text: string; isMatch: boolean }[] {
  const asked = wordsIn(question.slice(0, LONGEST_QUESTION)).slice(0, MOST_WORDS)
  return title.split(/(\s+)/).map((text) => ({
    text,
    isMatch: wordsIn(text).some((word) => asked.some((one) => likeness(one, word) >= 0.5)),
  }))
}
