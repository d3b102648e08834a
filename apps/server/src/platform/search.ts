/** The search that every resource has: what of it is the same everywhere. */
import { Refusal } from '@kvitt/domain/errors.ts'
import { matchesSearch, readSearch, type Search, type Searchable } from '@kvitt/domain/search.ts'
import { pageOf, readPage, type Listed, type Page } from './paging.ts'

export type SearchBody = Readonly<Record<string, unknown>> | undefined

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

/** Page and direction: 1000 at a time and descending unless asked otherwise. */
export function searchPage(query: SearchQuery): { page: Page; direction: 'asc' | 'desc' } {
  const { order = 'desc' } = query
  if (order !== 'asc' && order !== 'desc') throw new Refusal('invalid_filter', {}, ['order'])
  return { page: readPage({ limit: query.limit ?? '1000', page: query.page }, false), direction: order }
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
