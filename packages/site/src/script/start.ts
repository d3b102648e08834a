/** What a page does once its script is there. Without it every form is a plain one. */
import type { Language } from '@kvitt/ui/language/languages.ts'
import type { WordKey } from '../words.ts'

/** As the build has written it into the page. */
export type PageData = {
  /** What stands before the site's paths. */
  readonly base: string
  /** What stands before the debtor portal's paths. */
  readonly portal?: string
  /** What the page can do; left out where it only says something. */
  readonly page?: 'front' | 'waiting' | 'topics' | 'article'
  readonly language: Language
  readonly book: Readonly<Partial<Record<WordKey, string>>>
  /** Where the search's index is. */
  readonly index?: string
}

export function readPageData(): PageData | undefined {
  const text = document.getElementById('data')?.textContent
  return text ? (JSON.parse(text) as PageData) : undefined
}
