/** The SQL of the debts that rows of files, and other money that goes back, are of. */
import { statement, type Connection } from '../../platform/database/database.ts'

export type DebtOfOrder = {
  /** That of its money_out. */
  readonly about: string
  readonly invoiceId: string | null
  readonly claimId: string | null
}

const debts = statement(
  'lockDebts.debts',
  `select distinct o.about, t.invoice_id as "invoiceId", t.claim_id as "claimId" from payout o
   left join ledger_transaction t on t.instance_id = o.instance_id and t.cause = o.cause
   where o.instance_id = $1 and o.about is not null and (o.id = $2::uuid or o.file_id = $3::uuid or o.about = any($4))
   union
   select w.about, t.invoice_id, t.claim_id from unnest($4::text[]) w (about)
   join ledger_transaction t on t.instance_id = $1 and t.cause in (substr(w.about, length('refund:') + 1),
     w.about, 'refunded:' || substr(w.about, length('refund:') + 1)) where w.about like 'refund:%'`,
)

/** With null for what was nobody's. */
export function readDebtsOfOrders(
  db: Connection,
  instanceId: string,
  of: {
    readonly orderId?: string | null
    readonly fileId?: string
    readonly abouts?: readonly string[]
  },
): Promise<DebtOfOrder[]> {
  return db.rows<DebtOfOrder>(debts, [instanceId, of.orderId ?? null, of.fileId ?? null, of.abouts ?? []])
}
