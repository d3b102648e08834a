/** The SQL of what stands behind one invoice. */
import type { ActedInvoice } from '@kvitt/domain/invoices/acts.ts'
import { creditedOn } from '../ledger/ledger.ts'
import { isOfNobodyResting } from '../ledger/resting-debts.queries.ts'
import type { InvoiceRow } from '../invoices/invoices.ts'
import { statement, type Connection } from '../platform/database/database.ts'

type Key = { readonly instanceId: string; readonly invoiceId: string }

const writtenRows = statement(
  'officeInvoices.rows',
  'select rows from invoice where instance_id = $1 and id = $2',
)

export async function readWrittenRows(db: Connection, key: Key): Promise<InvoiceRow['rows']> {
  const found = await db.rows<Pick<InvoiceRow, 'rows'>>(writtenRows, [key.instanceId, key.invoiceId])
  return found[0]?.rows ?? []
}

const acted = statement(
  'officeInvoices.acted',
  `select i.status, i.type, i.claim_id is not null as "inClaim", i.is_part_payment as "isPartPayment",
     i.total_minor as "totalMinor", i.balance_minor as "balanceMinor", i.costs_minor as "costsMinor",
     i.interest_minor as "interestMinor", (i.total_minor - ${creditedOn('i')})::bigint as "creditableMinor",
     (select coalesce(sum(p.amount_minor), 0) from payment p where p.instance_id = i.instance_id and p.invoice_id = i.id
       and p.status = 'AUTHORIZED')::bigint as "signedMinor", not (${isOfNobodyResting('i.debtor_id')}) as "isResting"
   from invoice i where i.instance_id = $1 and i.id = $2`,
)

export async function readActedInvoice(db: Connection, key: Key): Promise<ActedInvoice> {
  const row = (await db.rows<ActedInvoice>(acted, [key.instanceId, key.invoiceId]))[0]
  if (!row) throw new Error(`invoice ${key.invoiceId} does not exist`)
  return row
}
