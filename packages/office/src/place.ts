/**
 * Where one is in a portal of staff: `#/{view}`, `#/{view}/{id}` or `#/{view}/{id}/{subview}`, each with an optional `lng` in
 * its query, and what a view keeps there of its own. `#/{language}/{view}`, as other portals write it, is understood as well.
 */
import { isLanguage, type Language } from '@kvitt/ui/language/languages.ts'
import { useHash } from '@kvitt/ui/routes.ts'

export type Place = {
  /** Empty where the address names none: home. */
  readonly view: string
  readonly id: string
  readonly subview: string
  /** What the address says besides; without the language. */
  readonly query: Readonly<Record<string, string>>
  /** The language that the address asks for; undefined when it asks for none of ours. */
  readonly language: Language | undefined
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

/** Reads a hash, with or without its `#`. Never throws. */
export function readPlace(hash: string): Place {
  const [path = '', ...rest] = hash.replace(/^#?\/?/, '').split('?')
  const parts = path.split('/').filter(Boolean).map(decoded)
  const { lng, ...query } = Object.fromEntries(new URLSearchParams(rest.join('?')))
  const first = isLanguage(parts[0]) ? parts.shift() : undefined
  const [view = '', id = '', subview = ''] = parts
  const asked = lng ?? first
  return { view, id, subview, query, language: isLanguage(asked) ? asked : undefined }
}

/** The hash of a place; empty parts and values are left out. */
export function hashOf(
  { view, id = '', subview = '' }: Partial<Pick<Place, 'id' | 'subview'>> & Pick<Place, 'view'>,
  query: Readonly<Record<string, string | undefined>> = {},
): string {
  const path = [view, id, subview].filter(Boolean).map(encodeURIComponent).join('/')
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) if (value) search.set(name, value)
  const text = search.toString()
  return `#/${path}${text ? `?${text}` : ''}`
}

/** Where one is; renders again when that changes, and when the portal goes to the same place once more. */
export function usePlace(): Place {
  return readPlace(useHash())
}
