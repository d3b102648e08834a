/**
 * The messages of everything but the first screen, in two chunks: the words of the pages come with the first of them,
 * more words with what is opened there. Which message stands where is decided in vite.config.ts.
 */
import { i18n, type Messages } from '@lingui/core'
import type { Language } from '@kvitt/ui/language/languages.ts'

type Fetch = () => Promise<{ default: Messages }>

const WORDS: Readonly<Record<Language, Fetch>> = {
  sv: () => import('virtual:words/sv'),
  en: () => import('virtual:words/en'),
  nb: () => import('virtual:words/nb'),
  da: () => import('virtual:words/da'),
  fi: () => import('virtual:words/fi'),
}
const MORE: Readonly<Record<Language, Fetch>> = {
  sv: () => import('virtual:more/sv'),
  en: () => import('virtual:more/en'),
  nb: () => import('virtual:more/nb'),
  da: () => import('virtual:more/da'),
  fi: () => import('virtual:more/fi'),
}

let language: Language = 'sv'

/** The language of this page, before anything is asked for. */
export function chooseWords(chosen: Language): void {
  language = chosen
}

/** Chromium remembers while the page is open that a file could not be fetched: under another name it asks anew. */
async function fetchAnew<Part>(failure: unknown): Promise<Part> {
  const [url] = /https?:[^\s#]+\.js$/.exec(String(failure)) ?? []
  if (!url) throw failure
  return (await import(/* @vite-ignore */ `${url}#${performance.now()}`)) as Part
}

/** Loads a chunk once; a failure is thrown, and may be tried again. */
function once(chunk: Readonly<Record<Language, Fetch>>): () => Promise<void> {
  let loading: Promise<void> | undefined
  const load = async (): Promise<void> =>
    i18n.load(language, (await chunk[language]().catch(fetchAnew<{ default: Messages }>)).default)
  return () => {
    loading ??= load().catch((error: unknown) => {
      loading = undefined
      throw error
    })
    return loading
  }
}

const loadWords = once(WORDS)
const loadMore = once(MORE)

/** Fetches `part` and the words of the pages together. A failure of either is thrown. */
export async function withWords<Part>(part: Promise<Part>): Promise<Part> {
  const [loaded] = await Promise.all([part.catch(fetchAnew<Part>), loadWords()])
  return loaded
}

/** As `withWords`, for what is opened on a page and has words of its own. */
export async function withMoreWords<Part>(part: Promise<Part>): Promise<Part> {
  const [loaded] = await Promise.all([part.catch(fetchAnew<Part>), loadWords(), loadMore()])
  return loaded
}
