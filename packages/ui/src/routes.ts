/**
 * The address below the hash: `#/{language}/{segment}/{segment}?query`. Portals build their own list of views
 * on it; the language is always the first segment (specification section 2).
 */
import { useSyncExternalStore } from 'react'

export type HashAddress = {
  /** The first segment as it was written, or undefined when there is none. */
  readonly language: string | undefined
  readonly segments: readonly string[]
  readonly query: URLSearchParams
}

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

/** Reads a hash, with or without its `#`. Never throws: a broken escape is taken as it stands. */
export function readHash(hash: string): HashAddress {
  const [path = '', ...rest] = hash.replace(/^#?\/?/, '').split('?')
  const [language, ...segments] = path
    .split('/')
    .filter((s) => s !== '')
    .map(decodeSegment)
  return { language, segments, query: new URLSearchParams(rest.join('?')) }
}

/** The hash for these parts; empty ones, and empty query values, are left out. */
export function writeHash(
  language: string,
  segments: readonly string[],
  query: Readonly<Record<string, string | undefined>> = {},
): string {
  const path = [language, ...segments].filter(Boolean).map(encodeURIComponent).join('/')
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) if (value) search.set(name, value)
  const text = search.toString()
  return `#/${path}${segments.length === 0 ? '/' : ''}${text ? `?${text}` : ''}`
}

function subscribe(changed: () => void): () => void {
  addEventListener('hashchange', changed)
  return () => removeEventListener('hashchange', changed)
}

/** How often the portal itself has gone somewhere: to the place where it stands counts too. */
let visits = 0

/** The current hash; renders again when it changes, and when the portal goes to it once more. */
export function useHash(): string {
  useSyncExternalStore(subscribe, () => visits + location.hash)
  return location.hash
}

/** Goes to `hash`. With `replace` the page that is left cannot be reached with Back. */
export function goTo(hash: string, options: { replace?: boolean; state?: unknown } = {}): void {
  const { replace = false, state = null } = options
  history[replace ? 'replaceState' : 'pushState'](state, '', hash)
  visits += 1
  dispatchEvent(new HashChangeEvent('hashchange'))
}
