/** All invoices of a debtor, page by page, and what they come to. */
import type { Loosen } from '@kvitt/domain/contract.ts'
import { Refusal } from '@kvitt/domain/errors.ts'
import type { StatsAnswer } from '@kvitt/domain/invoices/invoice-list.contract.ts'
import { readFilter } from '@kvitt/domain/invoices/status-filter.ts'
import { Amount } from '@kvitt/domain/money.ts'
import type { Context } from '../context.ts'
import type { JsonText } from '../platform/http/json.ts'
import { readPage, type Listed } from '../platform/http/paging.ts'
import type { Viewer } from '../sign-in/viewer.ts'
import { isInvoiceOrder, LISTED, readInvoiceList, readInvoiceStats } from './invoice-list.queries.ts'
import { findListScope, withCopyLink } from './invoices.ts'

export type InvoiceListQuery = {
  readonly invoiceNumber?: string | undefined
  readonly limit?: string | undefined
  readonly page?: string | undefined
  readonly order?: string | undefined
  readonly orderBy?: string | undefined
}

/** Without a filter every listed state; without an order the newest first. */
export async function listInvoices(
  context: Context,
  viewer: Viewer,
  query: InvoiceListQuery,
  filter: string | undefined,
): Promise<Listed<JsonText>> {
  const page = readPage(query, false)
  const statuses = filter === undefined ? LISTED : readFilter(filter, LISTED)
  const orderBy = query.orderBy ?? 'id'
  const direction = query.order ?? (orderBy === 'dates.expireDate' ? 'asc' : 'desc')
  if (!statuses || !isInvoiceOrder(orderBy) || (direction !== 'asc' && direction !== 'desc')) {
    throw new Refusal('invalid_filter', {}, [statuses ? 'orderBy' : 'statuses.main'])
  }
  const wanted = {
    scope: await findListScope(context, viewer, query.invoiceNumber),
    statuses,
    orderBy,
    direction,
    limit: page.limit,
    offset: (page.page - 1) * page.limit,
    today: context.clock.today(viewer.instance.timeZone),
  } as const
  const { rows, total } = await readInvoiceList(context.db, viewer, wanted)
  return { items: rows.map((row) => withCopyLink(context, viewer, row)), total, page }
}

/** What the debtor owes on open invoices, by currency. */
export async function getStats(
  context: Context,
  viewer: Viewer,
  invoiceNumber: string | undefined,
): Promise<Loosen<StatsAnswer>> {
  const scope = await findListScope(context, viewer, invoiceNumber)
  const rows = await readInvoiceStats(context.db, viewer, scope)
  return rows.map((row) => ({
    currency: row.currency,
    balance: new Amount(row.balance_minor),
    count: row.count,
  }))
}
