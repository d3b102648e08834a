import { lazy, type ComponentType } from 'react'
import { withWords } from './words.ts'

/** A page with a chunk of its own; `load` fetches it and its words ahead. */
export type LatePage<Props> = ComponentType<Props> & { readonly load: () => Promise<unknown> }

/**
 * As React's `lazy`, but a page that has been loaded ahead is shown at once: React keeps a fallback on the screen
 * for 300 ms, which is long for a page that is already there.
 */
export function latePage<Props extends object>(
  fetchPage: () => Promise<{ default: ComponentType<Props> }>,
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
