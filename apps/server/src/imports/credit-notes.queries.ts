/** The SQL of credit notes that are applied to an invoice. */
import type { CreditedRow } from '@kvitt/domain/invoices/credit-rows.ts'
import type { InvoiceStatus } from '@kvitt/domain/invoices/invoice.ts'
import { statement, type Connection, type Transaction } from '../platform/database/database.ts'

const lockDocument = statement(
  'imports.lockDocument',
  "select pg_advisory_xact_lock(hashtextextended('import:' || $1::text, 0))",
)

/** Holds everybody else with the same key until the transaction ends: there is no row to lock yet. */
export async function lockDocumentKey(tx: Transaction, key: string): Promise<void> {
  await tx.rows(lockDocument, [key])
}

const creditedInvoice = statement(
  'imports.creditedInvoice',
  `select id from invoice where instance_id = $1 and creditor_id = $2 and invoice_number = $3
     and type <> 'CREDIT_INVOICE' and not is_undone order by created_at limit 1`,
)

export async function findCreditedInvoice(
  tx: Transaction,
  instanceId: string,
  creditorId: string,
  invoiceNumber: string,
): Promise<string | undefined> {
  return (await tx.rows<{ id: string }>(creditedInvoice, [instanceId, creditorId, invoiceNumber]))[0]?.id
}

const creditedStatus = statement(
  'imports.creditedStatus',
  `select status from invoice where instance_id = $1 and creditor_id = $2 and invoice_number = $3
     and type <> 'CREDIT_INVOICE' and not is_undone order by created_at limit 1`,
)

/** The status of the invoice that a credit note names; undefined when there is none. */
export async function findCreditedStatus(
  tx: Connection,
  { instanceId, creditorId, number }: { instanceId: string; creditorId: string; number: string },
): Promise<InvoiceStatus | undefined> {
  return (await tx.rows<{ status: InvoiceStatus }>(creditedStatus, [instanceId, creditorId, number]))[0]
    ?.status
}

const insertCreditNote = statement(
  'imports.insertCreditNote',
  `insert into credit_note (instance_id, creditor_id, credit_note_number, invoice_id, transaction_id, content_hash, credited_rows)
   values ($1, $2, $3, $4, $5, $6, $7)`,
)

export async function insertCreditNoteRow(
  tx: Transaction,
  instanceId: string,
  note: {
    creditorId: string
    number: string
    invoiceId: string
    transactionId: string
    hash: Buffer
    rows?: readonly CreditedRow[] | undefined
  },
): Promise<void> {
  await tx.rows(insertCreditNote, [
    instanceId, note.creditorId, note.number, note.invoiceId, note.transactionId, note.hash,
    note.rows ? JSON.stringify(note.rows) : null,
  ]) // biome-ignore format: in the order of the columns
}

const creditedRows = statement(
  'imports.creditedRows',
  `select r.line, r.minor, r.quantity from credit_note n,
     jsonb_to_recordset(n.credited_rows) as r (line text, minor bigint, quantity text)
   where n.instance_id = $1 and n.invoice_id = $2 and n.credited_rows is not null`,
)

/** What credit notes have taken of the rows of an invoice, note by note. Under its lock. */
export function readCreditedRows(
  tx: Transaction,
  key: { readonly instanceId: string; readonly invoiceId: string },
): Promise<CreditedRow[]> {
  return tx.rows<CreditedRow>(creditedRows, [key.instanceId, key.invoiceId])
}

const billed = statement(
  'imports.billed',
  `select coalesce(sum(i.balance_minor), 0)::bigint as minor
   from part_payment_member m
   join part_payment_instalment n on n.instance_id = m.instance_id and n.part_payment_id = m.part_payment_id
   join invoice i on i.instance_id = n.instance_id and i.id = n.invoice_id
   where m.instance_id = $1 and m.debt_id = $2`,
)

/** What the plan of an invoice has billed and nobody has paid, in minor units. */
export async function readBilledMinor(
  db: Connection,
  key: { readonly instanceId: string; readonly invoiceId: string },
): Promise<number> {
  return (await db.rows<{ minor: number }>(billed, [key.instanceId, key.invoiceId]))[0]?.minor ?? 0
}
