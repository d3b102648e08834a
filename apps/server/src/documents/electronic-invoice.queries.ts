/** The SQL of electronic invoices. */
import { statement, type Connection } from '../platform/database/database.ts'

type Party = {
  name: string
  country: string
  number: string | null
  address: string | null
  address2: string | null
  zip: string | null
  city: string | null
}
export type TradeRow = { seller: Party; buyer: Party }

const PARTY = (alias: string): string =>
  `jsonb_build_object('name', ${alias}.name, 'country', ${alias}.country, 'number', ${alias}.identification_number,
     'address', ${alias}.address, 'address2', ${alias}.address2, 'zip', ${alias}.zip, 'city', ${alias}.city)`

const trade = statement(
  'documents.trade',
  `select ${PARTY('c')} as seller, ${PARTY('d')} as buyer
   from invoice i
   join creditor c on c.instance_id = i.instance_id and c.id = i.creditor_id
   join debtor d on d.instance_id = i.instance_id and d.id = i.debtor_id
   where i.instance_id = $1 and i.id = $2`,
)

/** Creditor and debtor of an invoice, whole. */
export async function readTrade(db: Connection, instanceId: string, invoiceId: string): Promise<TradeRow> {
  const row = (await db.rows<TradeRow>(trade, [instanceId, invoiceId]))[0]
  if (!row) throw new Error(`invoice ${invoiceId} has no parties`)
  return row
}
