/** The messages of everything but the first screen: a chunk of their own, fetched with the first page that needs it. */
import { i18n, type Messages } from '@lingui/core'
import type { Language } from '@kvitt/ui/language/languages.ts'

const WORDS: Readonly<Record<Language, () => Promise<{ default: Messages }>>> = {
  sv: () => import('virtual:words/sv'),
  en: () => import('virtual:words/en'),
  nb: () => import('virtual:words/nb'),
  da: () => import('virtual:words/da'),
  fi: () => import('virtual:words/fi'),
}

let loading: Promise<void> | undefined

let language: Language = 'sv'

/** The language of this page, before anything is asked for. */
export function chooseWords(chosen: Language): void {
  language = chosen
}

async function load(): Promise<void> {
  const words = await WORDS[language]()
  i18n.load(language, words.default)
}

/** Fetches `part` and its words together; the words once. A failure of either is thrown, and may be tried again. */
export async function withWords<Part>(part: Promise<Part>): Promise<Part> {
  loading ??= load().catch((error: unknown) => {
    loading = undefined
    throw error
  })
  const [loaded] = await Promise.all([part, loading])
  return loaded
}
