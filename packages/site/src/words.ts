/** The texts of the homepage and the support site, and how they write days. */
import type { Language } from '@kvitt/ui/language/languages.ts'
import da from './language/da.json' with { type: 'json' }
import en from './language/en.json' with { type: 'json' }
import fi from './language/fi.json' with { type: 'json' }
import nb from './language/nb.json' with { type: 'json' }
import sv from './language/sv.json' with { type: 'json' }

export type WordKey = keyof typeof sv
type Values = Readonly<Record<string, string>>
/** The text of a key, with its values filled in. */
export type Words = (key: WordKey, values?: Values) => string

const BOOKS: Readonly<Record<Language, Readonly<Record<WordKey, string>>>> = { sv, en, nb, da, fi }

/** The texts of a book; the browser has a part of one. */
export function wordsFrom(book: Readonly<Partial<Record<WordKey, string>>>): Words {
  return (key, values = {}) =>
    (book[key] ?? key).replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole)
}

export function wordsOf(language: Language): Words {
  return wordsFrom(BOOKS[language])
}

/** The part of a language's texts that a script needs. */
export function bookOf(language: Language, keys: readonly WordKey[]): Readonly<Record<string, string>> {
  return Object.fromEntries(keys.map((key) => [key, BOOKS[language][key]]))
}

/** All keys that begin so. */
export function keysFrom(beginning: string): WordKey[] {
  return (Object.keys(sv) as WordKey[]).filter((key) => key.startsWith(beginning))
}

/** "2 October 2026", from YYYY-MM-DD. */
export function dayText(t: Words, day: string): string {
  const [year = '', month, date] = day.split('-')
  const name = t('day.months').split(' ')[Number(month) - 1] ?? ''
  return t('day.long', { day: String(Number(date)), month: name, year }).replaceAll(' ', '\u00a0')
}
