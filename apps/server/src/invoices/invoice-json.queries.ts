/** The SQL that writes invoices as the wire has them: one, or a page of a debtor's list. */
import { Refusal } from '@kvitt/domain/errors.ts'
import type { InvoiceStatus } from '@kvitt/domain/invoices/invoice.ts'
import { statement, type Connection, type Statement } from '../platform/database.ts'
import { keepDoors } from '../platform/together.ts'
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
import { bySight, ONE, SHOWN, sightOf, VISIBLE, visibleTo } from './invoices.queries.ts'

/** Minor units as a number with two decimals. */
const money = (column: string): string => `(${column} / 100.0)::numeric(20, 2)`

/** Who reads: a public session sees a person's first name only and no e-mail (A-69, D-34). */
const DEBTOR_SEEN_BY: Readonly<Record<Viewer['kind'], string>> = {
  public: `'name', case when d.kind = 'PERSON' then split_part(d.name, ' ', 1) else d.name end, 'email', null`,
  debtor: `'name', d.name, 'email', d.email`,
}

/**
 * An invoice `i` of creditor `c` and debtor `d`, in claim `b` or in none; `today` is the instance's day. "@copy"
 * marks where the signed name of the copy goes.
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
     'property', i.property, 'collectionBatchNumber', b.claim_number,
     'collection_batch_payment_reference', b.payment_reference, 'collection_batch_zip', b.zip,
     'collection_batch_number', b.claim_number)`

export const PARTIES = `join creditor c on c.instance_id = i.instance_id and c.id = i.creditor_id
   join debtor d on d.instance_id = i.instance_id and d.id = i.debtor_id
   left join claim b on b.instance_id = i.instance_id and b.id = i.claim_id`

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

const invoiceOfClaimJson = statement(
  'invoices.jsonOfClaim',
  oneInvoice(
    'public',
    `invoice i where i.instance_id = $1 and ${SHOWN} and i.claim_id = (
       select c.id from claim c where c.instance_id = $1 and c.payment_reference = $2 and c.zip = $3)`,
  ),
)

/**
 * The invoice that the viewer means, as the wire has it. The pair of a claim is answered with one of its invoices,
 * which names the claim: whoever was sent a demand logs in with the demand's reference.
 */
export async function readInvoiceJson(
  db: Connection,
  viewer: Viewer,
  wanted: Wanted,
): Promise<InvoiceJson | undefined> {
  if (viewer.kind === 'debtor') return readNamedInvoice(db, viewer, wanted)
  const found = await readNamedInvoice(db, viewer, wanted).catch((error: unknown) => {
    if (error instanceof Refusal && error.code === 'login_error::invalid_data') return undefined
    throw error
  })
  if (found) return found
  const values = [...visibleTo(viewer), wanted.invoiceNumber ?? null, wanted.today]
  return (await db.rows<InvoiceJson>(invoiceOfClaimJson, values))[0]
}

/** Refuses a pair that is not proven yet as the guard would; the guess is taken in the same round trip. */
async function readNamedInvoice(
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
  const found = viewer.reference === '' ? null : await askTogether(db, { viewer, guess, extra }, wanted.today)
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

const guessedReads = keepDoors<AskedGuess, Guessed<InvoiceJson> | null>()

/** Reads of one instance, under the same limits, on one day, are answered together. */
function askTogether(db: Connection, asked: AskedGuess, today: string): Promise<Guessed<InvoiceJson> | null> {
  const key = `${asked.viewer.instance.id} ${today} ${asked.guess.limits.join(' ')}`
  return guessedReads(db, key, (all) =>
    readGuessedTogether<InvoiceJson>(db, guessedInvoicesJson, all, [today]),
  )(asked)
}

/**
 * All invoices of debtors, as a table expression over $1 and $2. Credit invoices are in no list (D-32), nor is what
 * an open claim holds.
 */
export const OF_DEBTORS = `invoice i where i.instance_id = $1 and i.debtor_id = any($2::uuid[])
    and i.type <> 'CREDIT_INVOICE' and (i.claim_id is null or i.status in ('CLOSED', 'STOPPED'))`

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

/**
 * What narrows a list. The two filters that the portals ask with are written out, which is what lets the database
 * walk the index of exactly that list; any other comes as an array.
 */
const NARROWED = {
  open: `i.status in ('ACTIVATED', 'PAUSED', 'DISPUTED') and i.claim_id is null`,
  closed: `i.status in ('CLOSED', 'STOPPED')`,
} as const

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

function knownFilter(statuses: readonly InvoiceStatus[]): keyof typeof NARROWED | undefined {
  const asked = [...statuses].sort().join(' ')
  if (asked === 'ACTIVATED DISPUTED PAUSED') return 'open'
  return asked === 'CLOSED STOPPED' ? 'closed' : undefined
}

type Listing = { readonly name: string; readonly from: string; readonly values: readonly unknown[] }

/** The invoices of a list as a table expression, and its values from $1 on. */
function listingOf({ instance }: Viewer, { debtorIds, statuses }: InvoicePage): Listing {
  const known = knownFilter(statuses)
  if (!known || debtorIds.length !== 1) {
    return {
      name: 'any',
      from: `${OF_DEBTORS} and i.status = any($3)`,
      values: [instance.id, debtorIds, statuses],
    }
  }
  const from = `invoice i where i.instance_id = $1 and i.debtor_id = $2 and i.type <> 'CREDIT_INVOICE' and ${NARROWED[known]}`
  return { name: known, from, values: [instance.id, debtorIds[0]] }
}

function listStatement(name: string, listing: Listing, kind: Viewer['kind'], page: InvoicePage): Statement {
  const order = `${ORDERS[page.orderBy]} ${page.direction}, i.id ${page.direction}`
  const [limit, offset, today] = [1, 2, 3].map((n) => `$${listing.values.length + n}`)
  return statement(
    name,
    `select i.id, ${wireInvoice(kind, today ?? '')}::text as json
     from (select * from ${listing.from} order by ${order} limit ${limit} offset ${offset}) i ${PARTIES} order by ${order}`,
  )
}

const lists = new Map<string, Statement>()

export function readInvoicePage(
  db: Connection,
  viewer: Viewer,
  page: InvoicePage,
): Promise<{ id: string; json: string }[]> {
  const listing = listingOf(viewer, page)
  const name = `invoices.list.${viewer.kind}.${listing.name}.${page.orderBy}.${page.direction}`
  const list = lists.get(name) ?? listStatement(name, listing, viewer.kind, page)
  lists.set(name, list)
  return db.rows(list, [...listing.values, page.limit, page.offset, page.today])
}

const countAny = statement(
  'invoices.count',
  `select count(*)::int as total from ${OF_DEBTORS} and i.status = any($3)`,
)

const counts = keepDoors<string, number>()

const countStatement = (known: keyof typeof NARROWED): Statement =>
  statement(
    `invoices.count.${known}`,
    `select (select count(*) from invoice i where i.instance_id = $1 and i.debtor_id = q.debtor_id
       and i.type <> 'CREDIT_INVOICE' and ${NARROWED[known]})::int as total
     from unnest($2::uuid[]) with ordinality q (debtor_id, n) order by q.n`,
  )
const countKnown = { open: countStatement('open'), closed: countStatement('closed') }

/** How long the whole list is. Who asks about the same debtor at the same moment is told the same count. */
export async function countInvoicesOf(
  db: Connection,
  { instance }: Viewer,
  page: Pick<InvoicePage, 'debtorIds' | 'statuses'>,
): Promise<number> {
  const { debtorIds, statuses } = page
  const [debtorId] = debtorIds
  const known = knownFilter(statuses)
  if (!known || debtorIds.length !== 1 || !debtorId) {
    return (await db.rows<{ total: number }>(countAny, [instance.id, debtorIds, statuses]))[0]?.total ?? 0
  }
  return counts(db, `${instance.id} ${known}`, async (asked) => {
    const distinct = [...new Set(asked)]
    const rows = await db.rows<{ total: number }>(countKnown[known], [instance.id, distinct])
    const totals = new Map(distinct.map((id, n) => [id, rows[n]?.total ?? 0]))
    return asked.map((id) => totals.get(id) ?? 0)
  })(debtorId)
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
