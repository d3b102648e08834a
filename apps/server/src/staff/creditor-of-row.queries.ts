/** Whose a row is: an operator's staff acts on a row for the creditor that it belongs to. */
import { statement, type Connection, type Statement } from '../platform/database/database.ts'

const of = (resource: string, from: string, isInvoice = 'false'): readonly [string, Statement] => [
  resource,
  statement(
    `staff.creditorOf.${resource}`,
    `select r.creditor_id, ${isInvoice} as is_invoice from ${from} where r.instance_id = $1 and r.id = $2`,
  ),
]

/** A part of a debt is its creditor's. */
const ofDebt = (
  table: string,
): string => `(select x.instance_id, x.id, coalesce(i.creditor_id, c.creditor_id) as creditor_id,
    x.invoice_id is not null as is_invoice
  from ${table} x left join invoice i on i.instance_id = x.instance_id and i.id = x.invoice_id
  left join claim c on c.instance_id = x.instance_id and c.id = x.claim_id) r`

/** By the first part of a call's path. */
const STATEMENTS: ReadonlyMap<string, Statement> = new Map([
  of('invoices', 'invoice r', 'true'),
  of('collection-batches', 'claim r'),
  of('disputes', ofDebt('dispute'), 'r.is_invoice'),
  of('conversations', ofDebt('conversation'), 'r.is_invoice'),
  of(
    'payments',
    `(select t.instance_id, t.id, coalesce(i.creditor_id, c.creditor_id) as creditor_id from (
        select instance_id, id, invoice_id, claim_id from ledger_transaction where kind = 'PAYMENT'
        union all select instance_id, id, invoice_id, claim_id from payment) t
      left join invoice i on i.instance_id = t.instance_id and i.id = t.invoice_id
      left join claim c on c.instance_id = t.instance_id and c.id = t.claim_id) r`,
  ),
  of('plans', 'part_payment r'),
  of('settlements', 'settlement r'),
  of('tasks', 'task r'),
])

/** The creditor of a row, and whether it is an invoice or about one; undefined when there is no such row. */
export async function readCreditorOfRow(
  db: Connection,
  resource: string,
  row: { readonly instanceId: string; readonly id: string },
): Promise<{ readonly creditor_id: string | null; readonly is_invoice: boolean } | undefined> {
  const read = STATEMENTS.get(resource)
  if (!read) throw new Error(`whose a row of ${resource} is, nothing says`)
  return (
    await db.rows<{ creditor_id: string | null; is_invoice: boolean }>(read, [row.instanceId, row.id])
  )[0]
}
