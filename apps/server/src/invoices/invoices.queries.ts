/** The SQL of invoices. */
import type { Currency } from '@kvitt/domain/money.ts'
import type { InvoiceStatus, InvoiceType } from '@kvitt/domain/invoices/invoice.ts'
import { isOpenToPairs } from '../ledger/protected-persons.queries.ts'
import { statement, type Connection, type Transaction } from '../platform/database/database.ts'
import { keepBatchedReads } from '../platform/database/batched-reads.ts'
import type { DebtorViewer, PublicViewer, Viewer } from '../sign-in/viewer.ts'
import { SHOWN } from '../sign-in/shown.ts'
import { bySight, ONE, sightOf, VISIBLE, visibleTo } from './visible-invoices.ts'

export type InvoiceRow = {
  id: string
  instance_id: string
  creditor_id: string
  debtor_id: string
  type: InvoiceType
  status: InvoiceStatus
  status_before_authorization: 'ACTIVATED' | 'PAUSED' | null
  invoice_number: string
  payment_reference: string
  original_reference: string | null
  zip: string
  issue_date: string
  sent_date: string | null
  expire_date: string
  currency: Currency
  total_minor: number
  principal_minor: number
  costs_minor: number
  interest_minor: number
  balance_minor: number
  payment_account_id: string | null
  has_copy: boolean
  is_part_payment: boolean
  paused_on: string | null
  /** The claim that its balance has moved to. */
  claim_id: string | null
  rows: InvoiceLine[]
  /** Whose law says in which order a payment settles what is owed. */
  creditor_country: string
}

/** What was bought, as the creditor's file said it. Amounts are minor units. */
export type InvoiceLine = {
  readonly line: string
  readonly name: string
  readonly description: string | null
  readonly quantity: string | null
  readonly unit: string | null
  readonly amountMinor: number
  readonly accountNumber: string | null
  /** Of a row that was written here: without tax, with up to four decimals; its rate; and why there is no tax. */
  readonly unitPrice?: string
  readonly vatPercent?: string
  readonly vatReason?: string | null
}

/** The columns of an InvoiceRow, of invoice `i`. */
export const INVOICE_COLUMNS = `i.id, i.instance_id, i.creditor_id, i.debtor_id, i.type, i.status, i.status_before_authorization,
  i.invoice_number, i.payment_reference, i.original_reference, i.zip, i.issue_date, i.sent_date, i.expire_date,
  i.currency, i.total_minor, i.principal_minor, i.costs_minor, i.interest_minor, i.balance_minor,
  i.payment_account_id, i.has_copy, i.is_part_payment, i.paused_on, i.claim_id, i.rows,
  (select k.country from creditor k where k.instance_id = i.instance_id and k.id = i.creditor_id) as creditor_country`

const visibleInvoice = bySight(
  'invoices.visible',
  (visible) => `select ${INVOICE_COLUMNS} from ${visible} ${ONE}`,
)

/** The invoice that the viewer means, or undefined: then the viewer is not let in. */
export async function readVisibleInvoice(
  db: Connection,
  viewer: Viewer,
  invoiceNumber: string | undefined,
): Promise<InvoiceRow | undefined> {
  const values = [...visibleTo(viewer), invoiceNumber ?? null]
  return (await db.rows<InvoiceRow>(visibleInvoice[sightOf(viewer)], values))[0]
}

/** A read by the pair $2 and $3 and the number $4, as each row of a table `q` asks it. */
export function askedByEach(read: string): string {
  return read.replaceAll('$2', 'q.reference').replaceAll('$3', 'q.zip').replaceAll('$4', 'q.extra')
}

export type InvoiceKeyRow = {
  readonly id: string
  readonly instance_id: string
  readonly debtor_id: string
  readonly creditor_id: string
  readonly type: InvoiceType
}

const KEY = 'select i.id, i.instance_id, i.debtor_id, i.creditor_id, i.type from'
const visibleKey = bySight('invoices.visibleKey', (visible) => `${KEY} ${visible} ${ONE}`)

/** Asked through a query, the arrays have the same length to every plan: else each number of askers is planned anew. */
const visibleKeys = statement(
  'invoices.visibleKeys',
  `select f.* from unnest((select $2::text[]), (select $3::text[]), (select $4::text[]))
     with ordinality q (reference, zip, extra, n)
   left join lateral (${askedByEach(`${KEY} ${VISIBLE.pair} ${ONE}`)}) f on true order by q.n`,
)

type AskedPair = Pick<PublicViewer, 'reference' | 'zip'> & { readonly number: string | null }

const keyReads = keepBatchedReads<AskedPair, InvoiceKeyRow | undefined>()

/** As readVisibleInvoice, of its keys alone. Public sessions of one instance are answered together. */
export async function readVisibleKey(
  db: Connection,
  viewer: Viewer,
  invoiceNumber: string | undefined,
): Promise<InvoiceKeyRow | undefined> {
  const number = invoiceNumber ?? null
  if (viewer.kind === 'debtor') {
    return (await db.rows<InvoiceKeyRow>(visibleKey[sightOf(viewer)], [...visibleTo(viewer), number]))[0]
  }
  const { instance, reference, zip } = viewer
  return keyReads(db, instance.id, async (asked) => {
    const rows = await db.rows<InvoiceKeyRow | { id: null }>(visibleKeys, [
      instance.id,
      asked.map((one) => one.reference),
      asked.map((one) => one.zip),
      asked.map((one) => one.number),
    ])
    return rows.map((row) => (row.id === null ? undefined : row))
  })({ reference, zip, number })
}

const numbered = statement(
  'invoices.numbered',
  `select 1 from invoice i where i.instance_id = $1 and i.debtor_id = any($2::uuid[]) and i.invoice_number = $3
     and ${SHOWN} limit 1`,
)

/** Is a number that of an invoice which a signed-in debtor may see? */
export async function hasInvoice(
  db: Connection,
  { instance, session }: DebtorViewer,
  invoiceNumber: string,
): Promise<boolean> {
  return (await db.rows(numbered, [instance.id, session.debtorIds, invoiceNumber])).length > 0
}

const claimOfPair = statement(
  'invoices.claimOfPair',
  `select c.debtor_id, c.creditor_id from claim c where c.instance_id = $1 and c.payment_reference = $2 and c.zip = $3
     and ${isOpenToPairs('c')}`,
)

/** Whose claim has the viewer's pair, and from whom; undefined when it is of no claim. */
export async function readClaimOfPair(
  db: Connection,
  { instance, reference, zip }: PublicViewer,
): Promise<{ debtor_id: string; creditor_id: string } | undefined> {
  const values = [instance.id, reference, zip]
  return (await db.rows<{ debtor_id: string; creditor_id: string }>(claimOfPair, values))[0]
}

const lockInvoice = statement(
  'invoices.lock',
  `select ${INVOICE_COLUMNS} from invoice i where i.instance_id = $1 and i.id = $2 for no key update`,
)

/** The invoice, locked until the transaction ends. Money moves only under this lock. */
export async function lockInvoiceRow(
  tx: Transaction,
  instanceId: string,
  invoiceId: string,
): Promise<InvoiceRow> {
  const row = (await tx.rows<InvoiceRow>(lockInvoice, [instanceId, invoiceId]))[0]
  if (!row) throw new Error(`invoice ${invoiceId} does not exist`)
  return row
}

const lockInvoices = statement(
  'invoices.lockMany',
  `select ${INVOICE_COLUMNS} from invoice i where i.instance_id = $1 and i.id = any($2) order by i.id for no key update`,
)

/** As lockInvoiceRow, for several; in one order, so that nobody who does the same waits for who waits for them. */
export function lockInvoiceRows(
  tx: Transaction,
  instanceId: string,
  invoiceIds: readonly string[],
): Promise<InvoiceRow[]> {
  return tx.rows<InvoiceRow>(lockInvoices, [instanceId, invoiceIds])
}

const lockFree = statement(
  'invoices.lockFree',
  `select ${INVOICE_COLUMNS} from invoice i where i.instance_id = $1 and i.id = $2 and i.claim_id is null
   for no key update`,
)

/** The same for an invoice that is in no claim; one that is, or is not there, is undefined and not locked. */
export async function lockFreeInvoiceRow(
  tx: Transaction,
  instanceId: string,
  invoiceId: string,
): Promise<InvoiceRow | undefined> {
  return (await tx.rows<InvoiceRow>(lockFree, [instanceId, invoiceId]))[0]
}

const lockOfClaim = statement(
  'invoices.lockOfClaim',
  `select ${INVOICE_COLUMNS} from invoice i where i.instance_id = $1 and i.claim_id = $2 order by i.id for no key update`,
)

/** The invoices of a claim, locked. Lock the claim after them, never before. */
export function lockInvoicesOfClaim(
  tx: Transaction,
  instanceId: string,
  claimId: string,
): Promise<InvoiceRow[]> {
  return tx.rows<InvoiceRow>(lockOfClaim, [instanceId, claimId])
}

const claimOfInvoice = statement(
  'invoices.claimOf',
  'select claim_id from invoice where instance_id = $1 and id = $2',
)

/** The claim that an invoice is in, without a lock: it may join one at any moment, and never leaves it. */
export async function readClaimIdOf(
  db: Connection,
  instanceId: string,
  invoiceId: string,
): Promise<string | null> {
  const rows = await db.rows<{ claim_id: string | null }>(claimOfInvoice, [instanceId, invoiceId])
  return rows[0]?.claim_id ?? null
}

const invoiceById = statement(
  'invoices.byId',
  `select ${INVOICE_COLUMNS} from invoice i where i.instance_id = $1 and i.id = $2
     and ${SHOWN}`,
)

/** For who holds a signed file link: the invoice while it may still be seen. */
export async function readShownInvoice(
  db: Connection,
  instanceId: string,
  invoiceId: string,
): Promise<InvoiceRow | undefined> {
  return (await db.rows<InvoiceRow>(invoiceById, [instanceId, invoiceId]))[0]
}

const moveInvoice = statement(
  'invoices.move',
  `update invoice set status = $4, status_before_authorization = $5
   where instance_id = $1 and id = $2 and status = $3 returning id`,
)

/** Moves the status when it still is `from`. Answers whether it was. */
export async function moveInvoiceRow(
  tx: Transaction,
  invoice: { instanceId: string; id: string },
  move: { from: InvoiceStatus; to: InvoiceStatus; before: 'ACTIVATED' | 'PAUSED' | null },
): Promise<boolean> {
  const rows = await tx.rows(moveInvoice, [invoice.instanceId, invoice.id, move.from, move.to, move.before])
  return rows.length === 1
}
