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
import { bySight, ONE, sightOf, VISIBLE, visibleTo } from './invoices.queries.ts'

/** Minor units as a number with two decimals. */
const money = (column: string): string => `(${column} / 100.0)::numeric(20, 2)`

/** Who reads: a public session sees a person's first name only and no e-mail (A-69, D-34). */
const DEBTOR_SEEN_BY: Readonly<Record<Viewer['kind'], string>> = {
  public: `'name', case when d.kind = 'PERSON' then split_part(d.name, ' ', 1) else d.name end, 'email', null`,
  debtor: `'name', d.name, 'email', d.email`,
}

/**
 * An invoice `i` of creditor `c` and debtor `d`; `today` is the instance's day. "@copy" marks where the signed name
 * of the copy goes.
 */
export const wireInvoice = (kind: Viewer['kind'], today: string): string => `json_build_object(
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
     'debtor', json_build_object(${DEBTOR_SEEN_BY[kind]},
       'invoiceAddress', json_build_object('zip', i.zip, 'countryCode', d.country)),
     'property', i.property, 'collectionBatchNumber', null, 'collection_batch_payment_reference', null,
     'collection_batch_zip', null, 'collection_batch_number', null)`

export const PARTIES = `join creditor c on c.instance_id = i.instance_id and c.id = i.creditor_id
   join debtor d on d.instance_id = i.instance_id and d.id = i.debtor_id`

const oneInvoice = (kind: Viewer['kind'], visible: string): string =>
  `select i.id, ${wireInvoice(kind, '$5')}::text as json from (select * from ${visible} ${ONE}) i ${PARTIES}`

/** The hottest read of all: one invoice, whole, in one statement. */
export const INVOICE_JSON = oneInvoice('public', VISIBLE.pair)

const invoiceJson = bySight('invoices.json', (visible) =>
  oneInvoice(visible === VISIBLE.pair ? 'public' : 'debtor', visible),
)

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
  const guess = viewer.kind === 'public' ? viewer.guess : undefined
  if (viewer.kind === 'debtor' || !guess) {
    return (await db.rows<InvoiceJson>(invoiceJson[sightOf(viewer)], values))[0]
  }
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

/** All invoices of debtors, as a table expression over $1 and $2. Credit invoices are in no list (D-32). */
export const OF_DEBTORS = `invoice i where i.instance_id = $1 and i.debtor_id = any($2::uuid[])
    and i.type <> 'CREDIT_INVOICE'`

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

function listStatement(kind: Viewer['kind'], orderBy: InvoiceOrder, direction: 'asc' | 'desc') {
  const order = (prefix: string): string =>
    `${prefix}${ORDERS[orderBy].slice(2)} ${direction}, ${prefix}id ${direction}`
  return statement(
    `invoices.list.${kind}.${orderBy}.${direction}`,
    `select i.id, ${wireInvoice(kind, '$6')}::text as json
     from (select * from ${OF_DEBTORS} and i.status = any($3) order by ${order('i.')} limit $4 offset $5) i ${PARTIES}
     order by ${order('i.')}`,
  )
}

const lists = new Map<string, ReturnType<typeof listStatement>>()

export type InvoicePage = {
  /** Whose invoices: findDebtorIds of the viewer. */
  readonly debtorIds: readonly string[]
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
  const key = `${viewer.kind} ${page.orderBy} ${page.direction}`
  const list = lists.get(key) ?? listStatement(viewer.kind, page.orderBy, page.direction)
  lists.set(key, list)
  const { debtorIds, statuses, limit, offset, today } = page
  return db.rows(list, [viewer.instance.id, debtorIds, statuses, limit, offset, today])
}

const countInvoices = statement(
  'invoices.count',
  `select count(*)::int as total from ${OF_DEBTORS} and i.status = any($3)`,
)

export async function countInvoicesOf(
  db: Connection,
  viewer: Viewer,
  page: Pick<InvoicePage, 'debtorIds' | 'statuses'>,
): Promise<number> {
  const values = [viewer.instance.id, page.debtorIds, page.statuses]
  return (await db.rows<{ total: number }>(countInvoices, values))[0]?.total ?? 0
}

const stats = statement(
  'invoices.stats',
  `select i.currency, sum(i.balance_minor)::bigint as balance_minor, count(*)::int as count
   from ${OF_DEBTORS} and i.status in ('ACTIVATED', 'PAUSED', 'DISPUTED') and i.balance_minor > 0
   group by i.currency order by i.currency`,
)

export function readInvoiceStats(
  db: Connection,
  viewer: Viewer,
  debtorIds: readonly string[],
): Promise<{ currency: string; balance_minor: number; count: number }[]> {
  return db.rows(stats, [viewer.instance.id, debtorIds])
}
