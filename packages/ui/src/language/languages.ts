/** The languages of the portals and the countries that choose them (specification sections 1 and 9). */

export const LANGUAGES = ['sv', 'en', 'nb', 'da', 'fi'] as const
export type Language = (typeof LANGUAGES)[number]

export type Country = {
  readonly code: 'SE' | 'NO' | 'EU' | 'DK' | 'FI'
  readonly language: Language
  /** The language in its own words. */
  readonly name: string
}

export const COUNTRIES: readonly Country[] = [
  { code: 'SE', language: 'sv', name: 'Svenska' },
  { code: 'NO', language: 'nb', name: 'Norsk' },
  { code: 'EU', language: 'en', name: 'English' },
  { code: 'DK', language: 'da', name: 'Dansk' },
  { code: 'FI', language: 'fi', name: 'Suomi' },
]

export function isLanguage(text: string | undefined | null): text is Language {
  return (LANGUAGES as readonly (string | undefined | null)[]).includes(text)
}

const SELECTED = 'selectedLocale'

/** The language that was chosen on this device, else `fallback` when we have it, else Swedish. */
export function preferredLanguage(fallback: string): Language {
  const stored = localStorage.getItem(SELECTED)
  if (isLanguage(stored)) return stored
  return isLanguage(fallback) ? fallback : 'sv'
}

export function rememberLanguage(language: Language): void {
  localStorage.setItem(SELECTED, language)
}
