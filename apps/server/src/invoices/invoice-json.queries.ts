/** The SQL that writes invoices as the wire has them: one, or a page of a debtor's list. */
import type { InvoiceStatus } from '@kvitt/domain/invoices/invoice.ts'
import { statement, type Connection } from '../platform/database.ts'
import type { Instance } from '../instances/instances.ts'
import { together } from '../platform/together.ts'
import {
  guessed,
  guessedTogether,
  guessValues,
  readGuessedTogether,
  requireRight,
  type AskedGuess,
  type Guessed,
} from '../sign-in/sign-in.ts'
import type { Viewer } from '../sign-in/viewer.ts'
import { ONE, VISIBLE, visibleTo } from './invoices.queries.ts'

/** Minor units as a number with two decimals. */
const money = (column: string): string => `(${column} / 100.0)::numeric(20, 2)`

/**
 * An invoice `i` of creditor `c` and debtor `d`; `today` is the instance's day. A public session sees a
 * person's first name only and no e-mail (A-69, D-34). "@copy" marks where the signed name of the copy goes.
 */
export const wireInvoice = (today: string): string => `json_build_object(
     'id', i.id, 'invoiceNumber', i.invoice_number, 'paymentReference', i.payment_reference,
     'originalReference', i.original_reference, 'zipCode', i.zip, 'clientName', c.name, 'type', i.type,
     'statuses', json_build_object('main', i.status),
     'dates', json_build_object('invoiceDate', i.issue_date, 'sentDate', i.sent_date,
       'expireDate', i.expire_date, 'today', ${today}::date),
     'balances', json_build_object('total', ${money('i.balance_minor')}, 'principal', ${money('i.principal_minor')},
       'costs', ${money('i.costs_minor')}, 'interest', ${money('i.interest_minor')}),
     'totals', json_build_object('totalToPay', ${money('i.total_minor')}),
     'currency', json_build_object('invoiceCurrency', i.currency),
     'documents', json_build_object('invoiceWithAttachments', case when i.has_copy then '@copy' end),
     'document', json_build_object('invoiceWithAttachments', case when i.has_copy then '@copy' end),
     'isPartPayment', i.is_part_payment, 'partPaymentVariant', i.part_payment_variant,
     'debtor', json_build_object(
       'name', case when d.kind = 'PERSON' then split_part(d.name, ' ', 1) else d.name end, 'email', null,
       'invoiceAddress', json_build_object('zip', i.zip, 'countryCode', d.country)),
     'property', i.property, 'collectionBatchNumber', null, 'collection_batch_payment_reference', null,
     'collection_batch_zip', null, 'collection_batch_number', null)`

export const PARTIES = `join creditor c on c.instance_id = i.instance_id and c.id = i.creditor_id
   join debtor d on d.instance_id = i.instance_id and d.id = i.debtor_id`

/** The hottest read of all: one invoice, whole, in one statement. */
export const INVOICE_JSON = `select i.id, ${wireInvoice('$5')}::text as json
   from (select * from ${VISIBLE} ${ONE}) i ${PARTIES}`

const invoiceJson = statement('invoices.json', INVOICE_JSON)

const guessedInvoiceJson = statement('invoices.guessedJson', guessed(INVOICE_JSON, 6))

type InvoiceJson = { id: string; json: string }

type Wanted = { readonly invoiceNumber: string | undefined; readonly today: string }

/** Refuses a pair that is not proven yet as the guard would; the guess is taken in the same round trip. */
export async function readInvoiceJson(
  db: Connection,
  viewer: Viewer,
  wanted: Wanted,
): Promise<InvoiceJson | undefined> {
  const values = [...visibleTo(viewer), wanted.invoiceNumber ?? null, wanted.today]
  const { guess } = viewer
  if (!guess) return (await db.rows<InvoiceJson>(invoiceJson, values))[0]
  const extra = wanted.invoiceNumber ?? null
  // What nobody can have is not worth a statement with others.
  const found =
    viewer.reference === ''
      ? null
      : await askTogether(db, viewer.instance, wanted.today)({ viewer, guess, extra })
  if (found) return requireRight(found)
  return requireRight(
    (await db.rows<Guessed<InvoiceJson>>(guessedInvoiceJson, [...values, ...guessValues(guess)]))[0],
  )
}

const guessedInvoicesJson = statement(
  'invoices.guessedJsonTogether',
  guessedTogether(
    INVOICE_JSON.replaceAll('$2', 'q.reference')
      .replaceAll('$3', 'q.zip')
      .replaceAll('$4', 'q.extra')
      .replaceAll('$5', '$8'),
  ),
)

type AskTogether = (asked: AskedGuess) => Promise<Guessed<InvoiceJson> | null>

const doors = new WeakMap<Connection, WeakMap<Instance, { today: string; ask: AskTogether }>>()

/** The door to reads of one instance on one day. */
function askTogether(db: Connection, instance: Instance, today: string): AskTogether {
  const ofDatabase = doors.get(db) ?? new WeakMap<Instance, { today: string; ask: AskTogether }>()
  doors.set(db, ofDatabase)
  const known = ofDatabase.get(instance)
  if (known?.today === today) return known.ask
  const ask = together((asked: readonly AskedGuess[]) =>
    readGuessedTogether<InvoiceJson>(db, guessedInvoicesJson, asked, [today]),
  )
  ofDatabase.set(instance, { today, ask })
  return ask
}

/** What a list shows of the debtor behind the viewer's invoice. Credit invoices are in no list (D-32). */
export const MINE = `invoice i where i.instance_id = $1 and i.type <> 'CREDIT_INVOICE'
    and i.debtor_id = (select i.debtor_id from ${VISIBLE} and ($4::text is null or i.invoice_number = $4) limit 1)`

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

function listStatement(orderBy: InvoiceOrder, direction: 'asc' | 'desc') {
  const order = (prefix: string): string =>
    `${prefix}${ORDERS[orderBy].slice(2)} ${direction}, ${prefix}id ${direction}`
  return statement(
    `invoices.list.${orderBy}.${direction}`,
    `select i.id, ${wireInvoice('$8')}::text as json
     from (select * from ${MINE} and i.status = any($5) order by ${order('i.')} limit $6 offset $7) i ${PARTIES}
     order by ${order('i.')}`,
  )
}

const lists = new Map<string, ReturnType<typeof listStatement>>()

export type InvoicePage = {
  readonly invoiceNumber: string | undefined
  readonly statuses: readonly InvoiceStatus[]
  readonly orderBy: InvoiceOrder
  readonly direction: 'asc' | 'desc'
  readonly limit: number
  readonly offset: number
  readonly today: string
}

export function readInvoicePage(
  db: Connection,
  viewer: Viewer,
  page: InvoicePage,
): Promise<{ id: string; json: string }[]> {
  const key = `${page.orderBy} ${page.direction}`
  const list = lists.get(key) ?? listStatement(page.orderBy, page.direction)
  lists.set(key, list)
  return db.rows(list, [
    ...visibleTo(viewer),
    page.invoiceNumber ?? null,
    page.statuses,
    page.limit,
    page.offset,
    page.today,
  ])
}

const countInvoices = statement(
  'invoices.count',
  `select count(*)::int as total from ${MINE} and i.status = any($5)`,
)

export async function countInvoicesOf(
  db: Connection,
  viewer: Viewer,
  page: Pick<InvoicePage, 'invoiceNumber' | 'statuses'>,
): Promise<number> {
  const values = [...visibleTo(viewer), page.invoiceNumber ?? null, page.statuses]
  return (await db.rows<{ total: number }>(countInvoices, values))[0]?.total ?? 0
}

const stats = statement(
  'invoices.stats',
  `select i.currency, sum(i.balance_minor)::bigint as balance_minor, count(*)::int as count
   from ${MINE} and i.status in ('ACTIVATED', 'PAUSED', 'DISPUTED') and i.balance_minor > 0
   group by i.currency order by i.currency`,
)

export function readInvoiceStats(
  db: Connection,
  viewer: Viewer,
  invoiceNumber: string | undefined,
): Promise<{ currency: string; balance_minor: number; count: number }[]> {
  return db.rows(stats, [...visibleTo(viewer), invoiceNumber ?? null])
}
