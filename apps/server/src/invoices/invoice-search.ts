/** Searching in a debtor's invoices, and in the creditors behind them. */
import { Refusal } from '@kvitt/domain/errors.ts'
import { INVOICE_TYPES } from '@kvitt/domain/invoices/invoice.ts'
import type { ClientAnswer } from '@kvitt/domain/invoices/invoice.contract.ts'
import { readFilter } from '@kvitt/domain/invoices/status-filter.ts'
import { CURRENCIES } from '@kvitt/domain/money.ts'
import type { Search, Searchable } from '@kvitt/domain/search.ts'
import type { Context } from '../context.ts'
import { presentClient } from '../creditors/creditors.ts'
import type { JsonText } from '../platform/http/json.ts'
import type { Listed } from '../platform/http/paging.ts'
import {
  orderList,
  searchList,
  searchOf,
  searchPage,
  type SearchBody,
  type SearchQuery,
} from '../platform/http/search.ts'
import type { Viewer } from '../sign-in/viewer.ts'
import { isInvoiceOrder, LISTED } from './invoice-list.queries.ts'
import {
  readCreditorsOfDebtor,
  SEARCH_TARGETS,
  searchInvoiceRows,
  type SearchTarget,
} from './invoice-search.queries.ts'
import { findListScope, withCopyLink } from './invoices.ts'

const INVOICES: Searchable = {
  targets: SEARCH_TARGETS,
  filters: ['statuses.main', 'type', 'currency.invoiceCurrency'],
}
const CLIENTS: Searchable = { targets: ['name'], filters: ['name'] }

/** The values of a filter, all of them among `allowed`; null when it was not asked for. */
function among<Value extends string>(search: Search, name: string, allowed: readonly Value[]) {
  const wanted = search.filters.get(name)
  if (!wanted) return null
  const values = readFilter(wanted.join('[OR]'), allowed)
  if (!values) throw new Refusal('invalid_filter', {}, [name])
  return values
}

/** The debtor's invoices that match, 1000 at a time and the newest first unless asked otherwise. */
export async function searchInvoices(
  context: Context,
  viewer: Viewer,
  query: SearchQuery,
  body: SearchBody,
): Promise<Listed<JsonText>> {
  const search = searchOf(body, INVOICES)
  const { page, direction } = searchPage(query)
  const { orderBy = 'id' } = query
  if (!isInvoiceOrder(orderBy)) throw new Refusal('invalid_filter', {}, ['orderBy'])
  const { rows, total } = await searchInvoiceRows(context.db, viewer, {
    scope: await findListScope(context, viewer, query.invoiceNumber),
    text: search.text,
    target: search.target as SearchTarget,
    statuses: among(search, 'statuses.main', LISTED) ?? LISTED,
    types: among(search, 'type', INVOICE_TYPES),
    currencies: among(search, 'currency.invoiceCurrency', CURRENCIES),
    orderBy,
    direction,
    limit: page.limit,
    offset: (page.page - 1) * page.limit,
    today: context.clock.today(viewer.instance.timeZone),
  })
  return { items: rows.map((row) => withCopyLink(context, viewer, row)), total, page }
}

/** The creditors of the debtor's invoices, by name. */
export async function searchClients(
  context: Context,
  viewer: Viewer,
  query: SearchQuery,
  body: SearchBody,
): Promise<Listed<ClientAnswer>> {
  const scope = await findListScope(context, viewer, query.invoiceNumber)
  const ids = await readCreditorsOfDebtor(context.db, viewer, scope)
  const all = await Promise.all(ids.map((id) => presentClient(context.db, viewer.instance.id, id)))
  return searchList(orderList(all.toReversed(), CLIENTS, query), CLIENTS, query, body)
}
