/** The SQL of documents and files. */
import { statement, type Connection } from '../platform/database/database.ts'
import { SHOWN } from '../sign-in/shown.ts'

export type DocumentRow = { id: string; type: string; topic: string; name_raw: string; mime_type: string }

/** A letter has its step's identifier. One that was taken back before it was sent was never written. */
const WRITTEN = `not exists (select from collection_step s
     where s.instance_id = d.instance_id and s.id = d.id and s.status <> 'PERFORMED')`

const documentsOfInvoice = statement(
  'documents.ofInvoice',
  `select d.id, d.type, d.topic, d.name_raw, f.mime_type
   from document d join file f on f.instance_id = d.instance_id and f.id = d.file_id
   where d.instance_id = $1 and d.invoice_id = $2 and d.type not in ('INVOICE_PREVIEW', 'INVOICE') and ${WRITTEN}
   order by d.created_at, d.id`,
)

/** What may be shown of an invoice's documents: never previews and raw invoices (specification section 3). */
export function readDocuments(db: Connection, instanceId: string, invoiceId: string): Promise<DocumentRow[]> {
  return db.rows<DocumentRow>(documentsOfInvoice, [instanceId, invoiceId])
}

export type StoredFile = { name_raw: string; mime_type: string; content: Buffer }

const shownDocument = statement(
  'documents.shown',
  `select d.name_raw, f.mime_type, f.content
   from document d
   join file f on f.instance_id = d.instance_id and f.id = d.file_id
   join invoice i on i.instance_id = d.instance_id and i.id = d.invoice_id
   where d.instance_id = $1 and d.id = $2 and d.type not in ('INVOICE_PREVIEW', 'INVOICE')
     and ${SHOWN} and ${WRITTEN}`,
)

export async function readShownDocument(
  db: Connection,
  instanceId: string,
  documentId: string,
): Promise<StoredFile | undefined> {
  return (await db.rows<StoredFile>(shownDocument, [instanceId, documentId]))[0]
}

const ofProtected = statement(
  'documents.ofProtected',
  `select from protected_debtor h where h.instance_id = $1 and h.debtor_id in (
     select i.debtor_id from invoice i where i.instance_id = $1 and i.id = $2
     union all select c.debtor_id from claim c where c.instance_id = $1 and c.id = $2
     union all select i.debtor_id from document d join invoice i on i.instance_id = d.instance_id and i.id = d.invoice_id
       where d.instance_id = $1 and d.id = $2
     union all select coalesce(i.debtor_id, c.debtor_id) from collection_step s
       left join invoice i on i.instance_id = s.instance_id and i.id = s.invoice_id
       left join claim c on c.instance_id = s.instance_id and c.id = s.claim_id where s.instance_id = $1 and s.id = $2
     union all select coalesce(i.debtor_id, c.debtor_id) from dispute_file f
       join dispute x on x.instance_id = f.instance_id and x.id = f.dispute_id
       left join invoice i on i.instance_id = x.instance_id and i.id = x.invoice_id
       left join claim c on c.instance_id = x.instance_id and c.id = x.claim_id where f.instance_id = $1 and f.id = $2
     union all select coalesce(i.debtor_id, c.debtor_id) from conversation_file f
       join conversation x on x.instance_id = f.instance_id and x.id = f.conversation_id
       left join invoice i on i.instance_id = x.instance_id and i.id = x.invoice_id
       left join claim c on c.instance_id = x.instance_id and c.id = x.claim_id where f.instance_id = $1 and f.id = $2)
   limit 1`,
)

/** Is the debt, document, letter or sent file $2 of a person with a protected identity (M-36)? Papers say where their receiver lives. */
export async function isOfProtected(db: Connection, instanceId: string, id: string): Promise<boolean> {
  return (await db.rows(ofProtected, [instanceId, id])).length > 0
}

const publicFile = statement(
  'documents.publicFile',
  `select public_name as name_raw, mime_type, content from file where instance_id = $1 and public_name = $2`,
)

/** A file that anyone on the instance's host may see: its logo, favicon and backgrounds. */
export async function readPublicFile(
  db: Connection,
  instanceId: string,
  name: string,
): Promise<StoredFile | undefined> {
  return (await db.rows<StoredFile>(publicFile, [instanceId, name]))[0]
}

const taxesOfInvoice = statement(
  'documents.taxes',
  'select taxes from invoice where instance_id = $1 and id = $2',
)

/** Value added tax at one rate, as the creditor's file had it. */
export type TaxRow = { readonly percent: string; readonly baseMinor: number; readonly taxMinor: number }

/** The tax of an invoice by rate; none when its file did not say. */
export async function readTaxes(db: Connection, instanceId: string, invoiceId: string): Promise<TaxRow[]> {
  return (await db.rows<{ taxes: TaxRow[] }>(taxesOfInvoice, [instanceId, invoiceId]))[0]?.taxes ?? []
}

export type LetterRow = {
  creditor_name: string
  creditor_country: string
  creditor_number: string | null
  creditor_address: string | null
  creditor_zip: string | null
  creditor_city: string | null
  debtor_name: string
  debtor_country: string
  debtor_address: string | null
  debtor_zip: string
  debtor_city: string | null
  /** It is drawn to be sent, and goes to who acts for the debtor (M-37). */
  is_to_guardian: boolean
}

/** Who reads a paper: `sent` goes into an envelope, with the guardian's address; `shown` is opened by others, who are not told it. */
export type PaperFor = 'sent' | 'shown'

/** Sender and receiver of an invoice or a claim $2, where its creditor says that the debtor lives; $3: it is drawn to be sent. */
export const partiesOf = (subject: 'invoice' | 'claim'): string =>
  `select c.name as creditor_name, c.country as creditor_country, c.identification_number as creditor_number,
     c.address as creditor_address, c.zip as creditor_zip, c.city as creditor_city,
     coalesce(h.name, d.name) as debtor_name, coalesce(g.country, d.country) as debtor_country,
     case when g.id is not null then concat_ws(', ', 'c/o ' || g.name, g.address, g.address2)
       when h.debtor_id is null then d.address else h.address end as debtor_address,
     coalesce(g.zip, h.zip, d.zip) as debtor_zip,
     case when g.id is not null then g.city when h.debtor_id is null then d.city else h.city end as debtor_city,
     g.id is not null as is_to_guardian
   from ${subject} i
   join creditor c on c.instance_id = i.instance_id and c.id = i.creditor_id
   join debtor d on d.instance_id = i.instance_id and d.id = i.debtor_id
   left join debtor_contact h on h.instance_id = i.instance_id and h.creditor_id = i.creditor_id and h.debtor_id = i.debtor_id
   left join acting_guardian g on $3::boolean and g.instance_id = i.instance_id and g.debtor_id = i.debtor_id
   where i.instance_id = $1 and i.id = $2`

const lettersParties = statement('documents.parties', partiesOf('invoice'))

/** Sender and receiver, as they are printed on an invoice's letters. */
export async function readParties(
  db: Connection,
  instanceId: string,
  invoiceId: string,
  paper: PaperFor = 'shown',
): Promise<LetterRow> {
  const row = (await db.rows<LetterRow>(lettersParties, [instanceId, invoiceId, paper === 'sent']))[0]
  if (!row) throw new Error(`invoice ${invoiceId} has no parties`)
  return row
}
