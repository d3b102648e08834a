import type { Language } from '@kvitt/ui/language/languages.ts'
import { whenIdle } from '@kvitt/ui/start/idle.ts'
import { lazy, useEffect, type ComponentType } from 'react'
import { withWords } from './words.ts'

type Prepared = {
  /** Does while its data are awaited what would take long when it is shown for the first time. */
  readonly prepare?: (language: Language) => void
}

/** A page, or a part of one, with a chunk of its own; `load` fetches it and its words ahead. */
export type LatePage<Props> = ComponentType<Props> & { readonly load: () => Promise<{ default: Prepared }> }

/**
 * As React's `lazy`, but a page that has been loaded ahead is shown at once: React keeps a fallback on the screen
 * for 300 ms, which is long for a page that is already there.
 */
export function latePage<Props extends object>(
  fetchPage: () => Promise<{ default: ComponentType<Props> & Prepared }>,
): LatePage<Props> {
  let loaded: ComponentType<Props> | undefined
  const load = async () => {
    const page = await withWords(fetchPage())
    loaded = page.default
    return page
  }
  const Lazy = lazy(load) as unknown as ComponentType<Props>
  function Page(props: Props) {
    const Shown = loaded ?? Lazy
    return <Shown {...props} />
  }
  return Object.assign(Page, { load })
}

/** Fetches what a press may open when there is nothing else to do: then it opens at once, and without a connection. */
export function useAhead(parts: readonly Pick<LatePage<never>, 'load'>[]): void {
  useEffect(() => {
    whenIdle(() => {
      for (const part of parts) void part.load().catch(() => {})
    })
  }, [parts])
}
