/** The SQL of searching in a debtor's invoices, and in whom they came from. */
import { statement, type Connection } from '../platform/database/database.ts'
import { NOT_HIDDEN } from '../sign-in/shown.ts'
import type { ListScope, Viewer } from '../sign-in/viewer.ts'
import { PARTIES, wireInvoice } from './invoice-json.queries.ts'
import { ofScope, ORDERS, type InvoicePage } from './invoice-list.queries.ts'

/** Fields that a text may be looked for in. */
const TARGETS = {
  invoiceNumber: 'i.invoice_number',
  paymentReference: 'i.payment_reference',
  clientName: '(select c.name from creditor c where c.instance_id = i.instance_id and c.id = i.creditor_id)',
  property: `coalesce(i.property, '')`,
} as const
export type SearchTarget = keyof typeof TARGETS

export const SEARCH_TARGETS = Object.keys(TARGETS) as SearchTarget[]

/** Of one letter, its creditor and zip are $7 and $8. */
const found = (target: SearchTarget, isLetter: boolean): string =>
  `${ofScope(isLetter ? ['$7', '$8'] : undefined)} and i.status = any($3) and position(lower($4) in lower(${TARGETS[target]})) > 0
     and ($5::text[] is null or i.type = any($5)) and ($6::text[] is null or i.currency = any($6))`

export type InvoiceSearch = InvoicePage & {
  readonly text: string
  readonly target: SearchTarget
  readonly types: readonly string[] | null
  readonly currencies: readonly string[] | null
}

function pageStatement(kind: Viewer['kind'], { target, orderBy, direction, scope }: InvoiceSearch) {
  const [isLetter, at] = scope.letter ? [true, 9] : [false, 7]
  const order = `${ORDERS[orderBy]} ${direction}, i.id ${direction}`
  return statement(
    `invoices.search.${isLetter ? 'letter' : kind}.${target}.${orderBy}.${direction}`,
    `select i.id, ${wireInvoice(kind, `$${at + 2}`)} as json
     from (select * from ${found(target, isLetter)} order by ${order} limit $${at} offset $${at + 1}) i ${PARTIES} order by ${order}`,
  )
}

const countStatement = (target: SearchTarget, isLetter: boolean) =>
  statement(
    `invoices.searchCount.${isLetter ? 'letter.' : ''}${target}`,
    `select count(*)::int as total from ${found(target, isLetter)}`,
  )

const pages = new Map<string, ReturnType<typeof pageStatement>>()
const counts = new Map<string, ReturnType<typeof countStatement>>()

/** A page of what a search finds among the debtor's invoices, and how many there are in all. */
export async function searchInvoiceRows(
  db: Connection,
  viewer: Viewer,
  search: InvoiceSearch,
): Promise<{ rows: { id: string; json: string }[]; total: number }> {
  const { target, orderBy, direction, limit, offset, today, scope } = search
  const isLetter = scope.letter !== undefined
  const key = `${viewer.kind} ${isLetter} ${target} ${orderBy} ${direction}`
  const page = pages.get(key) ?? pageStatement(viewer.kind, search)
  pages.set(key, page)
  const count = counts.get(`${isLetter} ${target}`) ?? countStatement(target, isLetter)
  counts.set(`${isLetter} ${target}`, count)
  const values = [
    viewer.instance.id,
    scope.debtorIds,
    search.statuses,
    search.text,
    search.types,
    search.currencies,
    ...(scope.letter ? [scope.letter.creditorId, scope.letter.zip] : []),
  ]
  const [rows, [counted]] = await Promise.all([
    db.rows<{ id: string; json: string }>(page, [...values, limit, offset, today]),
    db.rows<{ total: number }>(count, values),
  ])
  return { rows, total: counted?.total ?? 0 }
}

const creditorsOf = (name: string, listed: string) =>
  statement(
    name,
    `select c.id from creditor c where c.instance_id = $1
       and c.id in (select i.creditor_id from ${listed} and ${NOT_HIDDEN})
     order by c.name, c.id limit 1000`,
  )
const creditorsOfDebtor = creditorsOf('invoices.creditorsOfDebtor', ofScope())
const creditorOfLetter = creditorsOf('invoices.creditorOfLetter', ofScope(['$3', '$4']))

/** Who has sent the debtor an invoice that may be seen. */
export async function readCreditorsOfDebtor(
  db: Connection,
  viewer: Viewer,
  { debtorIds, letter }: ListScope,
): Promise<string[]> {
  const rows = letter
    ? await db.rows<{ id: string }>(creditorOfLetter, [
        viewer.instance.id,
        debtorIds,
        letter.creditorId,
        letter.zip,
      ])
    : await db.rows<{ id: string }>(creditorsOfDebtor, [viewer.instance.id, debtorIds])
  return rows.map((row) => row.id)
}
