/** The SQL of a debtor's lists: a page, how long the whole list is, and what it comes to. */
import { HIDDEN_STATUSES, INVOICE_STATUSES, type InvoiceStatus } from '@kvitt/domain/invoices/invoice.ts'
import { statement, type Connection, type Statement } from '../platform/database/database.ts'
import { NOT_HIDDEN } from '../sign-in/shown.ts'
import { keepBatchedReads } from '../platform/database/batched-reads.ts'
import type { ListScope, Viewer } from '../sign-in/viewer.ts'
import { PARTIES, wireInvoice, type InvoiceJson } from './invoice-json.queries.ts'

/** States that a debtor may see in a list. Each has its column of `list_length`. */
export const LISTED: readonly InvoiceStatus[] = INVOICE_STATUSES.filter(
  (status) => !HIDDEN_STATUSES.includes(status),
)

/** Credit invoices are in no list (D-32), nor is what an open claim holds. */
const MAY_BE_LISTED = `i.type <> 'CREDIT_INVOICE' and (i.claim_id is null or i.status in ('CLOSED', 'STOPPED'))`

/** Asked through a query, an array has the same length to every plan: else each reading is planned anew (decision 010). */
const AMONG_DEBTORS = '= any((select $2::uuid[])::uuid[])'

/**
 * The invoices of a ListScope, as a table expression over $1 and $2; of one letter's creditor and zip, these two stand at the
 * places that are named.
 */
export function ofScope(letterAt?: readonly [creditor: string, zip: string]): string {
  const debtors = `invoice i where i.instance_id = $1 and i.debtor_id ${AMONG_DEBTORS} and ${MAY_BE_LISTED}`
  return letterAt ? `${debtors} and i.creditor_id = ${letterAt[0]} and i.zip = ${letterAt[1]}` : debtors
}

/** Orders that a list may have; the identifier makes each of them total. */
export const ORDERS = {
  'dates.expireDate': 'i.expire_date',
  id: 'i.created_at',
  invoiceNumber: 'i.invoice_number',
  'totals.totalToPay': 'i.total_minor',
  'balances.total': 'i.balance_minor',
} as const
export type InvoiceOrder = keyof typeof ORDERS

export function isInvoiceOrder(text: string): text is InvoiceOrder {
  return Object.hasOwn(ORDERS, text)
}

export type InvoicePage = {
  /** Whose invoices: findListScope of the viewer. */
  readonly scope: ListScope
  readonly statuses: readonly InvoiceStatus[]
  readonly orderBy: InvoiceOrder
  readonly direction: 'asc' | 'desc'
  readonly limit: number
  readonly offset: number
  readonly today: string
}

export type InvoiceList = { readonly rows: readonly InvoiceJson[]; readonly total: number }

type Filter = {
  readonly where: string
  /** How many of them a row of `list_length` counts. */
  readonly number: string
}

const columns = (statuses: readonly InvoiceStatus[]): string =>
  statuses.map((status) => `l.${status.toLowerCase()}`).join(' + ')

/**
 * The filters that the portals ask with, and none. They are written out, which lets the database walk the index of
 * exactly that list.
 */
const NAMED: Readonly<Record<string, Filter & { readonly statuses: readonly InvoiceStatus[] }>> = {
  open: {
    statuses: ['ACTIVATED', 'PAUSED', 'DISPUTED'],
    where: `i.type <> 'CREDIT_INVOICE' and i.status in ('ACTIVATED', 'PAUSED', 'DISPUTED') and i.claim_id is null`,
    number: columns(['ACTIVATED', 'PAUSED', 'DISPUTED']),
  },
  closed: {
    statuses: ['CLOSED', 'STOPPED'],
    where: `i.type <> 'CREDIT_INVOICE' and i.status in ('CLOSED', 'STOPPED')`,
    number: columns(['CLOSED', 'STOPPED']),
  },
  all: {
    statuses: LISTED,
    where: `${MAY_BE_LISTED} and ${NOT_HIDDEN}`,
    number: columns(LISTED),
  },
}

/** Any statuses: those of an array. */
function among(array: string): Filter {
  const listed = `any((select ${array}::text[])::text[])`
  return {
    where: `${MAY_BE_LISTED} and i.status = ${listed}`,
    number: LISTED.map((s) => `case when '${s}' = ${listed} then ${columns([s])} else 0 end`).join(' + '),
  }
}

type Shape = Pick<InvoicePage, 'orderBy' | 'direction'> & {
  readonly kind: Viewer['kind']
  /** A condition on a column debtor_id. */
  readonly debtor: string
  readonly limit: string
  readonly offset: string
  readonly today: string
}

function pageText({ where, number }: Filter, shape: Shape): string {
  const { debtor } = shape
  return pageOf(`invoice i where i.instance_id = $1 and i.debtor_id ${debtor} and ${where}`, shape, {
    total: `select coalesce(sum(${number}), 0)::int from list_length l
       where l.instance_id = $1 and l.debtor_id ${debtor}`,
  })
}

/** What one letter opens is short: it is counted, not kept. */
function letterPageText(shape: Omit<Shape, 'debtor'>): string {
  const listed = `${ofScope(['$7::uuid', '$8'])} and i.status = any((select $3::text[])::text[])`
  return pageOf(listed, shape, { total: `select count(*)::int from ${listed}` })
}

/** One page as one row: identifiers apart by blanks, and texts of JSON on a line each, for they have no line breaks. */
function pageOf(listed: string, shape: Omit<Shape, 'debtor'>, { total }: { readonly total: string }): string {
  const { kind, orderBy, direction, limit, offset, today } = shape
  const order = `${ORDERS[orderBy]} ${direction}, i.id ${direction}`
  return `select (${total}) as total, p.ids, p.lines
     from (
       select string_agg(i.id::text, ' ' order by ${order}) as ids,
         string_agg(${wireInvoice(kind, today)}, E'\\n' order by ${order}) as lines
       from (select * from ${listed} order by ${order} limit ${limit} offset ${offset}) i ${PARTIES}) p`
}

type PageRow = { total: number; ids: string | null; lines: string | null }

function listOf({ total, ids, lines }: PageRow): InvoiceList {
  const texts = lines?.split('\n') ?? []
  return { rows: (ids?.split(' ') ?? []).map((id, n) => ({ id, json: texts[n] ?? '' })), total }
}

const statements = new Map<string, Statement>()

function kept(name: string, text: () => string): Statement {
  const made = statements.get(name) ?? statement(name, text())
  statements.set(name, made)
  return made
}

/** A page of the debtor's invoices, and how many there are in all. */
export async function readInvoiceList(
  db: Connection,
  viewer: Viewer,
  page: InvoicePage,
): Promise<InvoiceList> {
  const { scope, statuses, orderBy, direction, limit, offset, today } = page
  const { debtorIds, letter } = scope
  const shape = { kind: viewer.kind, orderBy, direction }
  const at = `${viewer.kind}.${orderBy}.${direction}`
  const places = { limit: '$4', offset: '$5', today: '$6' } as const
  const values = [viewer.instance.id, debtorIds, statuses, limit, offset, today]
  if (letter) {
    const read = kept(`invoices.listOfLetter.${at}`, () => letterPageText({ ...shape, ...places }))
    const [row] = await db.rows<PageRow>(read, [...values, letter.creditorId, letter.zip])
    return row ? listOf(row) : { rows: [], total: 0 }
  }
  if (debtorIds.length === 1) {
    const asked = [...statuses].sort().join(' ')
    const [name, filter] =
      Object.entries(NAMED).find(([, named]) => [...named.statuses].sort().join(' ') === asked) ?? []
    const read = kept(`invoices.lists.${name ?? 'any'}.${at}`, () =>
      listsTogether(filter ?? among('$6'), shape),
    )
    const shared = { instanceId: viewer.instance.id, today, ...(filter ? {} : { statuses }) }
    return askTogether(db, read, shared)(page)
  }
  const read = kept(`invoices.listOfMany.${at}`, () =>
    pageText(among('$3'), { ...shape, debtor: AMONG_DEBTORS, ...places }),
  )
  const [row] = await db.rows<PageRow>(read, values)
  return row ? listOf(row) : { rows: [], total: 0 }
}

/** Pages of one debtor each, which an index has in order. */
function listsTogether(filter: Filter, shape: Pick<Shape, 'kind' | 'orderBy' | 'direction'>): string {
  const debtor = '= q.debtor_id'
  const page = pageText(filter, { ...shape, debtor, limit: 'q.most', offset: 'q.skipped', today: '$5' })
  return `select p.* from unnest((select $2::uuid[]), (select $3::int[]), (select $4::int[]))
       with ordinality q (debtor_id, most, skipped, n) cross join lateral (${page}) p order by q.n`
}

const lists = keepBatchedReads<InvoicePage, InvoiceList>()

type Shared = {
  readonly instanceId: string
  readonly today: string
  readonly statuses?: readonly InvoiceStatus[]
}

/** Reads of one instance with one statement on one day are answered together. */
function askTogether(db: Connection, read: Statement, { instanceId, today, statuses }: Shared) {
  const key = [instanceId, today, read.name, ...(statuses ?? [])].join(' ')
  return lists(db, key, async (asked) => {
    const rows = await db.rows<PageRow>(read, [
      instanceId,
      asked.map((one) => one.scope.debtorIds[0]),
      asked.map((one) => one.limit),
      asked.map((one) => one.offset),
      today,
      ...(statuses ? [statuses] : []),
    ])
    return rows.map(listOf)
  })
}

const statsOf = (name: string, listed: string): Statement =>
  statement(
    name,
    `select i.currency, sum(i.balance_minor)::bigint as balance_minor, count(*)::int as count
     from ${listed} and i.status in ('ACTIVATED', 'PAUSED', 'DISPUTED')
     group by i.currency order by i.currency`,
  )
const stats = statsOf('invoices.stats', ofScope())
const letterStats = statsOf('invoices.letterStats', ofScope(['$3', '$4']))

export function readInvoiceStats(
  db: Connection,
  viewer: Viewer,
  { debtorIds, letter }: ListScope,
): Promise<{ currency: string; balance_minor: number; count: number }[]> {
  if (!letter) return db.rows(stats, [viewer.instance.id, debtorIds])
  return db.rows(letterStats, [viewer.instance.id, debtorIds, letter.creditorId, letter.zip])
}
