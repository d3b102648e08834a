/** The SQL of imports. Everything that a batch writes is set-based: rows travel as one JSON array or as arrays. */
import type { InvoiceStatus } from '@kvitt/domain/invoices/invoice.ts'
import type { Currency } from '@kvitt/domain/money.ts'
import { statement, type Connection, type Transaction } from '../platform/database/database.ts'

export type HeldDocument = {
  creditor_id: string
  type: string
  number: string
  content_hash: Buffer | null
  payment_reference: string
  zip: string
}

const heldDocuments = statement(
  'imports.heldDocuments',
  `select i.creditor_id, i.type, i.invoice_number as number, i.content_hash, i.payment_reference, i.zip
   from unnest($2::uuid[], $3::text[], $4::text[]) as w (creditor_id, type, number)
   join invoice i on i.instance_id = $1 and i.creditor_id = w.creditor_id and i.type = w.type
     and i.invoice_number = w.number and not i.is_undone
   union all
   select n.creditor_id, 'CREDIT_INVOICE', n.credit_note_number, n.content_hash, i.payment_reference, i.zip
   from unnest($2::uuid[], $3::text[], $4::text[]) as w (creditor_id, type, number)
   join credit_note n on n.instance_id = $1 and n.creditor_id = w.creditor_id
     and n.credit_note_number = w.number and w.type = 'CREDIT_INVOICE'
   join invoice i on i.instance_id = $1 and i.id = n.invoice_id`,
)

/** Those of `wanted` that are here already, as an invoice of their own or as an applied credit note. */
export function readHeldDocuments(
  tx: Transaction,
  instanceId: string,
  wanted: readonly { creditorId: string; type: string; number: string }[],
): Promise<HeldDocument[]> {
  return tx.rows<HeldDocument>(heldDocuments, [
    instanceId,
    wanted.map((w) => w.creditorId),
    wanted.map((w) => w.type),
    wanted.map((w) => w.number),
  ])
}

export type NewInvoiceRow = {
  id: string
  creditor_id: string
  debtor_id: string
  type: 'INVOICE' | 'CREDIT_INVOICE'
  status: InvoiceStatus
  invoice_number: string
  payment_reference: string
  original_reference: string | null
  zip: string
  issue_date: string
  sent_date: string | null
  expire_date: string
  currency: Currency
  total_minor: number
  payment_account_id: string | null
  rows: unknown
  taxes: unknown
  /** Hexadecimal. */
  content_hash: string
  distribution: string | null
  language: string | null
  customer_number: string | null
  already_sent: unknown
}

const insertInvoices = statement(
  'imports.insertInvoices',
  `insert into invoice (instance_id, id, creditor_id, debtor_id, type, status, invoice_number, payment_reference,
     original_reference, zip, issue_date, sent_date, expire_date, currency, total_minor, payment_account_id, rows,
     taxes, content_hash, distribution, language, customer_number, already_sent)
   select $1, id, creditor_id, debtor_id, type, status, invoice_number, payment_reference, original_reference, zip,
     issue_date, sent_date, expire_date, currency, total_minor, payment_account_id, rows, taxes,
     decode(content_hash, 'hex'), distribution, language, customer_number, nullif(already_sent, 'null')
   from jsonb_to_recordset($2::jsonb) as r (id uuid, creditor_id uuid, debtor_id uuid, type text, status text,
     invoice_number text, payment_reference text, original_reference text, zip text, issue_date date,
     sent_date date, expire_date date, currency text, total_minor bigint, payment_account_id uuid, rows jsonb,
     taxes jsonb, content_hash text, distribution text, language text, customer_number text, already_sent jsonb)
   order by creditor_id, type, invoice_number
   on conflict (instance_id, creditor_id, type, invoice_number) where not is_undone do nothing returning id`,
)

/** Answers how many were new: fewer than `rows` when another import was faster with one of them. */
export async function insertInvoiceRows(
  tx: Transaction,
  instanceId: string,
  rows: readonly NewInvoiceRow[],
): Promise<number> {
  return (await tx.rows(insertInvoices, [instanceId, JSON.stringify(rows)])).length
}

type StepRow = { id: string; invoice_id: string; type: string }
export type PerformedStepRow = StepRow & { performed_date: string }

const insertSteps = statement(
  'imports.insertSteps',
  `insert into collection_step (instance_id, id, invoice_id, type, planned_date, performed_date, status)
   select $1, s.id, s.invoice_id, s.type, s.performed_date, s.performed_date, 'PERFORMED'
   from unnest($2::uuid[], $3::uuid[], $4::text[], $5::date[]) as s (id, invoice_id, type, performed_date)`,
)

export async function insertPerformedSteps(
  tx: Transaction,
  instanceId: string,
  rows: readonly PerformedStepRow[],
): Promise<void> {
  if (rows.length === 0) return
  await tx.rows(insertSteps, [
    instanceId,
    rows.map((row) => row.id),
    rows.map((row) => row.invoice_id),
    rows.map((row) => row.type),
    rows.map((row) => row.performed_date),
  ])
}

const planSteps = statement(
  'imports.planSteps',
  `insert into collection_step (instance_id, id, invoice_id, type, planned_date, status)
   select $1, s.id, s.invoice_id, s.type, s.planned_date, 'PLANNED'
   from unnest($2::uuid[], $3::uuid[], $4::text[], $5::date[]) as s (id, invoice_id, type, planned_date)`,
)

export async function insertPlannedSteps(
  tx: Transaction,
  instanceId: string,
  rows: readonly (StepRow & { planned_date: string })[],
): Promise<void> {
  if (rows.length === 0) return
  await tx.rows(planSteps, [
    instanceId,
    rows.map((row) => row.id),
    rows.map((row) => row.invoice_id),
    rows.map((row) => row.type),
    rows.map((row) => row.planned_date),
  ])
}

export type AttachmentRow = {
  fileId: string
  documentId: string
  invoiceId: string
  name: string
  mimeType: string
  content: Buffer
}

const insertFiles = statement(
  'imports.insertFiles',
  `insert into file (instance_id, id, mime_type, content)
   select $1, f.* from unnest($2::uuid[], $3::text[], $4::bytea[]) as f`,
)
const insertDocuments = statement(
  'imports.insertDocuments',
  `insert into document (instance_id, id, invoice_id, type, topic, name_raw, file_id)
   select $1, d.id, d.invoice_id, 'ATTACHMENT', 'CONNECTED_FILE', d.name, d.file_id
   from unnest($2::uuid[], $3::uuid[], $4::text[], $5::uuid[]) as d (id, invoice_id, name, file_id)`,
)

export async function insertAttachments(
  tx: Transaction,
  instanceId: string,
  rows: readonly AttachmentRow[],
): Promise<void> {
  if (rows.length === 0) return
  await tx.rows(insertFiles, [
    instanceId,
    rows.map((row) => row.fileId),
    rows.map((row) => row.mimeType),
    rows.map((row) => row.content),
  ])
  await tx.rows(insertDocuments, [
    instanceId,
    rows.map((row) => row.documentId),
    rows.map((row) => row.invoiceId),
    rows.map((row) => row.name),
    rows.map((row) => row.fileId),
  ])
}

const learnSizes = statement('imports.learnSizes', 'select learn_table_sizes()')

/** Lets the database look at its tables after the first many rows; it plans for empty ones otherwise. */
export async function learnTableSizes(db: Connection): Promise<void> {
  await db.rows(learnSizes)
}
