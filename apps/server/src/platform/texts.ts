/** Texts that the server writes itself, in five languages: refusals and documents. */
import { setupI18n, type I18n } from '@lingui/core'
import { compileMessage } from '@lingui/message-utils/compileMessage'
import da from '../language/da.json' with { type: 'json' }
import en from '../language/en.json' with { type: 'json' }
import fi from '../language/fi.json' with { type: 'json' }
import nb from '../language/nb.json' with { type: 'json' }
import sv from '../language/sv.json' with { type: 'json' }

export const LANGUAGES = ['sv', 'en', 'nb', 'da', 'fi'] as const
export type Language = (typeof LANGUAGES)[number]
export type TextKey = keyof typeof sv

const sources: Record<Language, Record<TextKey, string>> = { sv, en, nb, da, fi }
const books = new Map<Language, I18n>()

function bookOf(language: Language): I18n {
  let book = books.get(language)
  if (!book) {
    const messages = Object.fromEntries(
      Object.entries(sources[language]).map(([key, message]) => [key, compileMessage(message)]),
    )
    book = setupI18n({ locale: language, messages: { [language]: messages } })
    books.set(language, book)
  }
  return book
}

export function isLanguage(text: string): text is Language {
  return (LANGUAGES as readonly string[]).includes(text)
}

/** The text of `key` in `language`, with `params` filled in. */
export function textOf(
  language: Language,
  key: TextKey,
  params: Readonly<Record<string, string | number>> = {},
): string {
  return bookOf(language)._(key, params)
}

/** The best language of an Accept-Language header that we have, else `otherwise`. "no" and "nn" read nb. */
export function languageFrom(header: string | undefined, otherwise: Language): Language {
  const wanted = (header ?? '')
    .slice(0, 200)
    .split(',')
    .map((part, index) => {
      const [tag = '', ...params] = part.trim().toLowerCase().split(';')
      const quality = params
        .map((p) => /^\s*q=([01](?:\.\d{1,3})?)$/.exec(p)?.[1])
        .find((q) => q !== undefined)
      return {
        primary: tag.split('-', 1)[0] ?? '',
        quality: quality === undefined ? 1 : Number(quality),
        index,
      }
    })
    .filter((w) => w.quality > 0)
    .sort((a, b) => b.quality - a.quality || a.index - b.index)
  for (const { primary } of wanted) {
    const language = primary === 'no' || primary === 'nn' ? 'nb' : primary
    if (isLanguage(language)) return language
  }
  return otherwise
}
