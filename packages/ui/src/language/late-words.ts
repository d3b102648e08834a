/** Messages that come after those of the first screen, in chunks of their own. Which stands where is decided in vite.config.ts. */
import { i18n, type Messages } from '@lingui/core'
import type { Language } from './languages.ts'

type Fetch = () => Promise<{ default: Messages }>

let language: Language = 'sv'

/** The language of this page, before anything is asked for. */
export function chooseWords(chosen: Language): void {
  language = chosen
}

/** Chromium remembers while the page is open that a file could not be fetched: under another name it asks anew. */
export async function fetchAnew<Part>(failure: unknown): Promise<Part> {
  const [url] = /https?:[^\s#]+\.js$/.exec(String(failure)) ?? []
  if (!url) throw failure
  return (await import(/* @vite-ignore */ `${url}#${performance.now()}`)) as Part
}

/** Loads a chunk once; a failure is thrown, and may be tried again. */
export function openWords(chunk: Readonly<Record<Language, Fetch>>): () => Promise<void> {
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
