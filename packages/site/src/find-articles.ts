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
  /** Words that say something only where no other word does, as in "it does not work". */
  readonly faintWords: string
  /** What a word of the language may end with: "settlement" and "settlements" are one. */
  readonly endings: string
  readonly entries: readonly SearchEntry[]
}

export type Found = { readonly entry: SearchEntry; readonly score: number }

/** How much a word counts, by where it stands. */
const WEIGHTS = { title: 3, question: 2.5, words: 2.5, summary: 1 } as const
const FIELDS = Object.keys(WEIGHTS) as (keyof typeof WEIGHTS)[]
export const LONGEST_QUESTION = 200
const MOST_WORDS = 12
/** A word out of one of its phrases: "Kronofogden" is asked for, not "help with Kronofogden". */
const IN_PHRASE = 2.2
/** More than any words by themselves. */
const SAID_WHOLE = 6
/** The frame of a question, such as "how do … work", beside what is asked about. */
const FRAME = 0.2
/** A word with another ending. */
const INFLECTED = 0.95
const NOT_ASKED_FOR = 0.3

/** Without marks on the letters: "Påminnelse" and "paminnelse" are one. */
function plain(text: string): string {
  return text.toLowerCase().replaceAll('ø', 'o').replaceAll('æ', 'ae').normalize('NFD').replace(/\p{M}/gu, '')
}

export function wordsIn(text: string): string[] {
  return plain(text)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length > 1)
}

/** What two words have in common has so many letters at least, where one of them is that part and where both have an ending. */
const SHORTEST_WORD = 3
const SHORTEST_STEM = 4

type Endings = ReadonlySet<string>

/** Whether two words differ in nothing but what a word of the language may end with. */
function isInflected(one: string, other: string, endings: Endings): boolean {
  if (one.slice(0, SHORTEST_WORD) !== other.slice(0, SHORTEST_WORD)) return false
  let length = SHORTEST_WORD
  while (length < one.length && one[length] === other[length]) length += 1
  for (; length >= SHORTEST_WORD; length -= 1) {
    const [rest, otherRest] = [one.slice(length), other.slice(length)]
    const isWord = rest === '' || otherRest === ''
    if (!isWord && length < SHORTEST_STEM) return false
    if ((rest === '' || endings.has(rest)) && (otherRest === '' || endings.has(otherRest))) return true
  }
  return false
}

/** How well a word of the question fits a word of an article, 0 to 1. */
function likeness(asked: string, word: string, endings: Endings): number {
  if (asked === word) return 1
  if (isInflected(asked, word, endings)) return INFLECTED
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
  /** What each of its words counts, at its best place. */
  readonly worth: ReadonlyMap<string, number>
}

function prepare(entry: SearchEntry): Prepared {
  const others = entry.words.split(',').map(wordsIn)
  const fields = {
    title: wordsIn(entry.title),
    question: wordsIn(entry.question),
    words: others.flat(),
    summary: wordsIn(entry.summary),
  }
  const worth = new Map<string, number>()
  const count = (words: readonly string[], weight: number): void => {
    for (const word of words) worth.set(word, Math.max(weight, worth.get(word) ?? 0))
  }
  for (const field of FIELDS) if (field !== 'words') count(fields[field], WEIGHTS[field])
  for (const words of others) count(words, words.length > 1 ? IN_PHRASE : WEIGHTS.words)
  return { entry, phrases: others.filter((phrase) => phrase.length > 1), fields, worth }
}

/** What was found; `isTooLittle` where nothing was asked about yet, such as with "what is it". */
export type SearchAnswer = { readonly found: readonly Found[]; readonly isTooLittle: boolean }

/** What is asked: all of its words, and those of them that say what it is about. */
type Asked = { readonly words: readonly string[]; readonly telling: readonly string[] }

/** What is known of the language's words. */
type Lexicon = {
  readonly small: ReadonlySet<string>
  readonly faint: ReadonlySet<string>
  readonly endings: Endings
  /** From 0 to 1: a word that stands in every article tells them apart no more. */
  readonly rarity: (word: string) => number
}

/** A search over these articles. The best come first; those that fit hardly at all are left out. */
export function openSearch(index: SearchIndex): (question: string) => SearchAnswer {
  const prepared = index.entries.map(prepare)
  const lexicon: Lexicon = {
    small: new Set(wordsIn(index.smallWords)),
    faint: new Set(wordsIn(index.faintWords)),
    endings: new Set(plain(index.endings).split(' ')),
    rarity: rarityIn(prepared),
  }
  return (question) => {
    const asked = readQuestion(question, lexicon)
    const scored = prepared
      .map((one) => ({ ...one, said: saidOf(one, asked, lexicon) }))
      .filter(
        ({ fields, said }) =>
          said !== undefined || isAsked(fields.title, asked.words) || isAbout(asked, fields, lexicon),
      )
    // Who asks as a debtor, maybe in distress, is not led to how companies send invoices.
    const isDebtors = scored.some(({ entry, said }) => said !== undefined && !entry.isForCreditors)
    const ofDebtors = new Set(
      scored.flatMap(({ entry, fields }) => (entry.isForCreditors ? [] : namesIn(asked, fields, lexicon))),
    )
    /** By a word that no article for debtors has, or by the whole question. */
    const isAskedFor = ({ fields, said }: (typeof scored)[number]): boolean =>
      said !== undefined ||
      isAsked(fields.question, asked.words) ||
      namesIn(asked, fields, lexicon).some((word) => !ofDebtors.has(word))
    const found = scored
      .filter(({ entry, said }) => said !== undefined || !isDebtors || !entry.isForCreditors)
      .map((one) => {
        const part = one.entry.isForCreditors && !isAskedFor(one) ? NOT_ASKED_FOR : 1
        const byWords = scoreOf(asked, one.worth, lexicon) * part
        return { ...one, byWords, score: byWords + SAID_WHOLE * (one.said ?? 0) }
      })
    // One that is said whole comes first, and leaves the others that fit below it.
    const best = Math.max(0, ...found.map(({ byWords }) => byWords))
    return {
      found: found
        .filter(({ said, byWords }) => said || (byWords > 0.6 && byWords >= best * 0.35))
        .sort((a, b) => b.score - a.score)
        .map(({ entry, score }) => ({ entry, score })),
      isTooLittle: asked.telling.length === 0 && found.length === 0,
    }
  }
}

function readQuestion(question: string, { small, faint }: Lexicon): Asked {
  const words = [...new Set(wordsIn(question.slice(0, LONGEST_QUESTION)))].slice(0, MOST_WORDS)
  const notSmall = words.filter((word) => !small.has(word))
  const strong = notSmall.filter((word) => !faint.has(word))
  return { words, telling: strong.length > 0 ? strong : notSmall }
}

const isSame = (one: readonly string[], other: readonly string[]): boolean =>
  one.every((word) => other.includes(word)) && other.every((word) => one.includes(word))

/**
 * Whether one of the phrases is said with all of its words, in any order, also with a letter wrong: undefined when not, else 0 to 1,
 * the part of what is asked about that it says. Nothing but its address, title or question is said whole.
 */
function saidOf({ entry, phrases, fields }: Prepared, asked: Asked, lexicon: Lexicon): number | undefined {
  const { words, telling } = asked
  if ([wordsIn(entry.topic), fields.title, fields.question].some((own) => isSame(own, words))) return 1
  const weight = (of: readonly string[]): number => of.reduce((sum, word) => sum + lexicon.rarity(word), 0)
  const all = weight(telling)
  const parts = phrases
    .filter((phrase) => phrase.every((word) => words.some((one) => isMeant(one, word, lexicon))))
    .map((phrase) => {
      const said = telling.filter((one) => phrase.some((word) => isMeant(one, word, lexicon)))
      return all === 0 ? 1 : weight(said) / all
    })
  return parts.length > 0 ? Math.max(...parts) : undefined
}

/** From so many letters on, one that is wrong makes no other word. */
const LEAST_MISSPELT = 5

function isMeant(asked: string, word: string, { small, endings }: Lexicon): boolean {
  // "That" is not "this".
  if (asked === word || small.has(asked) || small.has(word)) return asked === word
  if (isInflected(asked, word, endings)) return true
  return Math.min(asked.length, word.length) >= LEAST_MISSPELT && lettersApart(asked, word, 1) <= 1
}

/** The words that say something and are the article's own, whatever their endings. */
function namesIn({ telling }: Asked, { title, words }: Prepared['fields'], { endings }: Lexicon): string[] {
  return telling.filter((word) =>
    [...title, ...words].some((own) => word === own || isInflected(word, own, endings)),
  )
}

/** "Why did I get this?" is a title, although each of its words is a small one. */
function isAsked(title: readonly string[], asked: readonly string[]): boolean {
  return title.every((word) => asked.includes(word))
}

/** Whether any word of the question that says something is like one of the article that says something. */
function isAbout({ telling }: Asked, fields: Prepared['fields'], { small, endings }: Lexicon): boolean {
  return FIELDS.some((field) =>
    fields[field].some((word) => !small.has(word) && telling.some((one) => likeness(one, word, endings) > 0)),
  )
}

/** A word that stands in every article tells them apart no more, and one that stands in none says nothing. */
function rarityIn(prepared: readonly Prepared[]): (word: string) => number {
  const counts = new Map<string, number>()
  for (const { fields } of prepared) {
    for (const word of new Set(FIELDS.flatMap((field) => fields[field]))) {
      counts.set(word, (counts.get(word) ?? 0) + 1)
    }
  }
  return (word) => {
    const count = counts.get(word)
    return count === undefined ? 0 : Math.log(1 + prepared.length / count) / Math.log(1 + prepared.length)
  }
}

function scoreOf({ words, telling }: Asked, worth: Prepared['worth'], { rarity, endings }: Lexicon): number {
  let sum = 0
  for (const one of words) {
    let best = 0
    for (const [word, weight] of worth) {
      const fit = likeness(one, word, endings)
      if (fit > 0) best = Math.max(best, fit * weight * rarity(word))
    }
    // A question of small words alone, such as "why did I get this", is about them.
    sum += telling.length === 0 || telling.includes(one) ? best : best * FRAME
  }
  return sum / Math.max(1, Math.sqrt(words.length))
}

const NO_ENDINGS: Endings = new Set()

/** The parts of a title, those that the question names marked. */
export function markedParts(title: string, question: string): { text: string; isMatch: boolean }[] {
  const asked = wordsIn(question.slice(0, LONGEST_QUESTION)).slice(0, MOST_WORDS)
  return title.split(/(\s+)/).map((text) => ({
    text,
    isMatch: wordsIn(text).some((word) => asked.some((one) => likeness(one, word, NO_ENDINGS) >= 0.5)),
  }))
}
