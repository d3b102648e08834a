/** The SQL of searching in a debtor's invoices, and in whom they came from. */
import { statement, type Connection } from '../platform/database.ts'
import type { Viewer } from '../sign-in/viewer.ts'
import { PARTIES, wireInvoice } from './invoice-json.queries.ts'
import { OF_DEBTORS, ORDERS, type InvoicePage } from './invoice-list.queries.ts'

/** Fields that a text may be looked for in. */
const TARGETS = {
  invoiceNumber: 'i.invoice_number',
  paymentReference: 'i.payment_reference',
  clientName: '(select c.name from creditor c where c.instance_id = i.instance_id and c.id = i.creditor_id)',
  property: `coalesce(i.property, '')`,
} as const
export type SearchTarget = keyof typeof TARGETS

export const SEARCH_TARGETS = Object.keys(TARGETS) as SearchTarget[]

const found = (target: SearchTarget): string =>
  `${OF_DEBTORS} and i.status = any($3) and position(lower($4) in lower(${TARGETS[target]})) > 0
     and ($5::text[] is null or i.type = any($5)) and ($6::text[] is null or i.currency = any($6))`

export type InvoiceSearch = InvoicePage & {
  readonly text: string
  readonly target: SearchTarget
  readonly types: readonly string[] | null
  readonly currencies: readonly string[] | null
}

function pageStatement(kind: Viewer['kind'], { target, orderBy, direction }: InvoiceSearch) {
  const order = `${ORDERS[orderBy]} ${direction}, i.id ${direction}`
  return statement(
    `invoices.search.${kind}.${target}.${orderBy}.${direction}`,
    `select i.id, ${wireInvoice(kind, '$9')} as json
     from (select * from ${found(target)} order by ${order} limit $7 offset $8) i ${PARTIES} order by ${order}`,
  )
}

const countStatement = (target: SearchTarget) =>
  statement(`invoices.searchCount.${target}`, `select count(*)::int as total from ${found(target)}`)

const pages = new Map<string, ReturnType<typeof pageStatement>>()
const counts = new Map<SearchTarget, ReturnType<typeof countStatement>>()

/** A page of what a search finds among the debtor's invoices, and how many there are in all. */
export async function searchInvoiceRows(
  db: Connection,
  viewer: Viewer,
  search: InvoiceSearch,
): Promise<{ rows: { id: string; json: string }[]; total: number }> {
  const { target, orderBy, direction, limit, offset, today } = search
  const key = `${viewer.kind} ${target} ${orderBy} ${direction}`
  const page = pages.get(key) ?? pageStatement(viewer.kind, search)
  pages.set(key, page)
  const count = counts.get(target) ?? countStatement(target)
  counts.set(target, count)
  const values = [
    viewer.instance.id,
    search.debtorIds,
    search.statuses,
    search.text,
    search.types,
    search.currencies,
  ]
  const [rows, [counted]] = await Promise.all([
    db.rows<{ id: string; json: string }>(page, [...values, limit, offset, today]),
    db.rows<{ total: number }>(count, values),
  ])
  return { rows, total: counted?.total ?? 0 }
}

const creditorsOfDebtor = statement(
  'invoices.creditorsOfDebtor',
  `select c.id from creditor c where c.instance_id = $1
     and c.id in (select i.creditor_id from ${OF_DEBTORS} and i.status not in ('CREATED', 'PENDING', 'ARCHIVED'))
   order by c.name, c.id limit 1000`,
)

/** Who has sent the debtor an invoice that may be seen. */
export async function readCreditorsOfDebtor(
  db: Connection,
  viewer: Viewer,
  debtorIds: readonly string[],
): Promise<string[]> {
  const rows = await db.rows<{ id: string }>(creditorsOfDebtor, [viewer.instance.id, debtorIds])
  return rows.map((row) => row.id)
}
