/** The search that every resource has: what of it is the same everywhere. */
import { Refusal } from '@kvitt/domain/errors.ts'
import { matchesSearch, readSearch, type Search, type Searchable } from '@kvitt/domain/search.ts'
import { pageOf, readDirection, readPage, type Listed, type Page } from './paging.ts'

export type SearchBody = Readonly<Record<string, unknown>> | undefined

const LONGEST_FILTER = 400

export type SearchQuery = {
  readonly invoiceNumber?: string | undefined
  readonly limit?: string | undefined
  readonly page?: string | undefined
  readonly order?: string | undefined
  readonly orderBy?: string | undefined
}

/** The search in a body. Refuses `invalid_filter` when it asks about anything but what may be searched. */
export function searchOf(body: SearchBody, searchable: Searchable): Search {
  const search = readSearch(body, searchable)
  if ('field' in search) throw new Refusal('invalid_filter', {}, [search.field])
  return search
}

/**
 * The text that a list is filtered by: a field of its body, nested or under its dotted name (D-25). Null is no filter.
 * Refuses `invalid_filter` when it is no text, or when the two spellings disagree.
 */
export function filterOf(body: SearchBody, name: string): string | undefined {
  const [outer = '', inner] = name.split('.')
  const refuse = (): never => {
    throw new Refusal('invalid_filter', {}, [name])
  }
  const nest = inner === undefined ? undefined : (body?.[outer] ?? undefined)
  if (nest !== undefined && (typeof nest !== 'object' || Array.isArray(nest))) return refuse()
  const nested = inner === undefined ? undefined : (nest as Record<string, unknown> | undefined)?.[inner]
  const [text, ...others] = [body?.[name], nested].filter((one) => one !== undefined && one !== null)
  if (text === undefined) return undefined
  return typeof text === 'string' && text.length <= LONGEST_FILTER && others.every((other) => other === text)
    ? text
    : refuse()
}

/** Page and direction: 1000 at a time and descending unless asked otherwise. */
export function searchPage(query: SearchQuery): { page: Page; direction: 'asc' | 'desc' } {
  const direction = readDirection(query.order, 'desc')
  return { page: readPage({ limit: query.limit ?? '1000', page: query.page }, false), direction }
}

/**
 * A list that is short enough to be held in memory, in the order that is asked for: by a field that may be searched, or by
 * `id`, which is the list's own order, its first item the newest. Refuses `invalid_filter` for any other.
 */
export function orderList<Item extends Readonly<Record<string, unknown>>>(
  items: readonly Item[],
  { targets, filters }: Searchable,
  query: SearchQuery,
): readonly Item[] {
  const { orderBy = 'id' } = query
  const { direction } = searchPage(query)
  if (orderBy === 'id') return direction === 'desc' ? items : items.toReversed()
  const known = [...targets, ...filters].includes(orderBy) && items.every((item) => orderBy in item)
  if (!known) throw new Refusal('invalid_filter', {}, ['orderBy'])
  const sign = direction === 'asc' ? 1 : -1
  return items.toSorted((a, b) => sign * String(a[orderBy]).localeCompare(String(b[orderBy]), 'en'))
}

/** Searches a list that is short enough to be held in memory. Its order is its own. */
export function searchList<Item extends Readonly<Record<string, unknown>>>(
  items: readonly Item[],
  searchable: Searchable,
  query: SearchQuery,
  body: SearchBody,
): Listed<Item> {
  const search = searchOf(body, searchable)
  const found = items.filter((item) => matchesSearch(item, search))
  return pageOf(found, searchPage(query).page)
}
