/** Paging of lists (D-32): `limit`, `page`, and the Link and X-Total-Count headers. */
import { Refusal } from '@kvitt/domain/errors.ts'

/** The most that one answer carries, also where `limit=-1` asks for all. */
const MOST = 1000

export type Page = { readonly limit: number; readonly page: number }

/** Reads limit and page. `allowsAll`: -1 means all, and is also what is meant when nothing is said. */
export function readPage(
  query: { limit?: string | undefined; page?: string | undefined },
  allowsAll: boolean,
): Page {
  const limit = whole(query.limit, allowsAll ? -1 : 10)
  const page = whole(query.page, 1)
  const all = allowsAll && limit === -1
  if (page < 1 || (!all && (limit < 1 || limit > MOST))) throw new Refusal('invalid_paging')
  return { limit: all ? MOST : limit, page }
}

function whole(text: string | undefined, fallback: number): number {
  if (text === undefined) return fallback
  if (!/^-?\d{1,9}$/.test(text)) throw new Refusal('invalid_paging')
  return Number(text)
}

export type Listed<Item> = { readonly items: readonly Item[]; readonly total: number; readonly page: Page }

/** The part of a whole list that a page shows. */
export function pageOf<Item>(all: readonly Item[], page: Page): Listed<Item> {
  const start = (page.page - 1) * page.limit
  return { items: all.slice(start, start + page.limit), total: all.length, page }
}

type PageQuery = { limit?: string | undefined; page?: string | undefined }

/** All of a list that is short enough to be answered whole, or the page that is asked for. */
export function pageOfWhole<Item>(all: readonly Item[], query: PageQuery): Listed<Item> {
  const { limit, page } = query
  if (limit !== undefined || page !== undefined) {
    return pageOf(all, readPage({ limit: limit ?? String(MOST), page }, false))
  }
  return { items: all, total: all.length, page: { limit: Math.max(1, all.length), page: 1 } }
}

/** Refuses `invalid_filter` unless a list can be ordered so. */
export function readDirection(order: string | undefined, fallback: 'asc' | 'desc'): 'asc' | 'desc' {
  const direction = order ?? fallback
  if (direction !== 'asc' && direction !== 'desc') throw new Refusal('invalid_filter', {}, ['order'])
  return direction
}

type OrderedQuery = PageQuery & { order?: string | undefined; orderBy?: string | undefined }

/** What events may be ordered by: all of them are the order in time. */
const EVENT_ORDERS = ['date', 'id', 'plannedDate', 'performedDate']

/** A page of what has happened. Events come oldest first unless asked otherwise; all of them unless asked otherwise. */
export function pageOfEvents<Event>(events: Event[], query: OrderedQuery): Listed<Event> {
  const page = readPage(query, true)
  if (query.orderBy !== undefined && !EVENT_ORDERS.includes(query.orderBy)) {
    throw new Refusal('invalid_filter', {}, ['orderBy'])
  }
  return pageOf(readDirection(query.order, 'asc') === 'desc' ? events.toReversed() : events, page)
}

/** All that decides what a list has in it, and in which order. */
const KEPT = new Set([
  'invoiceNumber',
  'collectionBatchNumber',
  'paymentReference',
  'zip',
  'status',
  'state',
  'day',
  'from',
  'to',
  'order',
  'orderBy',
])

/** RFC 8288 links to the neighbouring pages of `path`, its query kept. */
export function linkHeader(path: string, { total, page }: Pick<Listed<unknown>, 'total' | 'page'>): string {
  const last = Math.max(1, Math.ceil(total / page.limit))
  const { pathname, searchParams } = new URL(path, 'http://local')
  // Only what a list reads: a header is no place for whatever else stood in the address.
  const query = new URLSearchParams([...searchParams].filter(([name]) => KEPT.has(name)))
  query.set('limit', String(page.limit))
  const link = (number: number, rel: string): string =>
    `<${pathname}?${query.toString()}&page=${number}>; rel="${rel}"`
  return [
    link(1, 'first'),
    ...(page.page > 1 ? [link(Math.min(page.page - 1, last), 'prev')] : []),
    ...(page.page < last ? [link(page.page + 1, 'next')] : []),
    link(last, 'last'),
  ].join(', ')
}

/** Is it a page of a list, rather than the whole answer? */
export function isListed(answer: unknown): answer is Listed<unknown> {
  return (
    answer !== null &&
    typeof answer === 'object' &&
    'items' in answer &&
    'total' in answer &&
    'page' in answer
  )
}
