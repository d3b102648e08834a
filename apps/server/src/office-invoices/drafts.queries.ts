/** The SQL of what a draft has besides what a file would say, and of what waits to be sent. */
import type { AlreadySent } from '../imports/imports.ts'
import { statement, type Connection, type Transaction } from '../platform/database/database.ts'

type Key = { readonly instanceId: string; readonly invoiceId: string }

const sentBefore = statement(
  'officeInvoices.sentBefore',
  'select already_sent from invoice where instance_id = $1 and id = $2',
)

export async function readAlreadySent(tx: Transaction, key: Key): Promise<AlreadySent | null> {
  const rows = await tx.rows<{ already_sent: AlreadySent | null }>(sentBefore, [
    key.instanceId,
    key.invoiceId,
  ])
  return rows[0]?.already_sent ?? null
}

const toSend = statement(
  'officeInvoices.toSend',
  `select s.invoice_id as id from collection_step s
   join invoice i on i.instance_id = s.instance_id and i.id = s.invoice_id
   where s.instance_id = $1 and s.type = 'INVOICE' and s.status = 'PLANNED' and s.planned_date <= $2::date
     and i.status = 'PENDING'
   order by s.planned_date, s.id limit $3`,
)

/** Approved invoices whose send date has come, the oldest first. */
export async function readToSend(
  db: Connection,
  { instanceId, today, limit }: { instanceId: string; today: string; limit: number },
): Promise<string[]> {
  return (await db.rows<{ id: string }>(toSend, [instanceId, today, limit])).map(({ id }) => id)
}

const taxesOf = statement(
  'officeInvoices.taxes',
  'select taxes from invoice where instance_id = $1 and id = $2',
)

/** The rates of the document. */
export async function readTaxes(db: Connection, key: Key): Promise<{ percent: string }[]> {
  const rows = await db.rows<{ taxes: { percent: string }[] }>(taxesOf, [key.instanceId, key.invoiceId])
  return rows[0]?.taxes ?? []
}

const kindOfDebtor = statement(
  'officeInvoices.kindOfDebtor',
  'select kind from debtor where instance_id = $1 and id = $2',
)

export async function readDebtorKind(
  tx: Transaction,
  instanceId: string,
  debtorId: string,
): Promise<'PERSON' | 'COMPANY'> {
  const rows = await tx.rows<{ kind: 'PERSON' | 'COMPANY' }>(kindOfDebtor, [instanceId, debtorId])
  return rows[0]?.kind ?? 'PERSON'
}
