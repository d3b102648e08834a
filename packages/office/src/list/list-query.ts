/** What a list shows, as it stands in the address: tab, text, filters, part and order. */

export const SIZES = [10, 20, 50, 100, -1] as const
/** Rows of a page when the address names none. */
const DEFAULT_SIZE = 20

export type ListQuery = {
  /** The tab, which is a filter. */
  readonly tab: string
  readonly text: string
  /** Counted from 1. */
  readonly page: number
  /** -1 for all. */
  readonly limit: number
  readonly orderBy: string
  readonly order: 'asc' | 'desc'
  /** What a view asks besides, by the names that it has told of. */
  readonly filters: Readonly<Record<string, string>>
}

type Address = Readonly<Record<string, string>>

/**
 * Reads what the address says; what it cannot mean is taken as if it were not there.
 * @param filters the names of what the view asks besides
 */
export function readListQuery(address: Address, orderBy: string, filters: readonly string[] = []): ListQuery {
  const page = Number(address['page'])
  const limit = Number(address['limit'])
  return {
    tab: address['tab'] ?? '',
    text: address['q'] ?? '',
    page: Number.isInteger(page) && page > 0 ? page : 1,
    limit: (SIZES as readonly number[]).includes(limit) ? limit : DEFAULT_SIZE,
    orderBy: address['orderBy'] ?? orderBy,
    order: address['order'] === 'asc' ? 'asc' : 'desc',
    filters: Object.fromEntries(filters.flatMap((name) => (address[name] ? [[name, address[name]]] : []))),
  }
}

/** The list after a change: another filter, text or length begins at the first page again. */
export function changed(query: ListQuery, change: Partial<ListQuery>): ListQuery {
  const keepsPage = Object.keys(change).every((name) => name === 'page')
  return { ...query, ...change, page: keepsPage ? (change.page ?? query.page) : 1 }
}

/** The list after a press on the head of a column: the other way round, or by this one from its beginning. */
export function sortedBy(query: ListQuery, orderBy: string): ListQuery {
  const isSame = query.orderBy === orderBy
  return changed(query, { orderBy, order: isSame && query.order === 'asc' ? 'desc' : 'asc' })
}

/** As it is written into the address: what is usual is left out. */
export function writeListQuery(query: ListQuery, orderBy: string): Record<string, string | undefined> {
  const { tab, text, page, limit, order, filters } = query
  return {
    ...filters,
    tab: tab || undefined,
    q: text || undefined,
    page: page > 1 ? String(page) : undefined,
    limit: limit === DEFAULT_SIZE ? undefined : String(limit),
    orderBy: query.orderBy === orderBy ? undefined : query.orderBy,
    order: order === 'asc' ? 'asc' : undefined,
  }
}

/** What the call is asked with. */
export function pagingOf({ page, limit, orderBy, order }: ListQuery): {
  limit: string
  page: string
  orderBy: string
  order: string
} {
  return { limit: String(limit), page: String(page), orderBy, order }
}

/** Selects or leaves `id`; with a range, all from the one before it on. */
export function toggled(
  selected: ReadonlySet<string>,
  id: string,
  range?: { readonly from: string; readonly ids: readonly string[] },
): ReadonlySet<string> {
  const next = new Set(selected)
  const [first, last] = range
    ? [range.ids.indexOf(range.from), range.ids.indexOf(id)].sort((a, b) => a - b)
    : []
  if (range && first !== undefined && last !== undefined && first >= 0) {
    for (const one of range.ids.slice(first, last + 1)) next.add(one)
  } else if (next.has(id)) next.delete(id)
  else next.add(id)
  return next
}
