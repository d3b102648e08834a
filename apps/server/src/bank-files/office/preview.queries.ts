/** The SQL that reads what the transaction at hand has written in the books about one line of a bank and its debts. */
import { BANK_FEES, BANK_INTEREST, PAID_TWICE } from '@kvitt/domain/ledger/own-money.ts'
import { OPERATOR_FEES } from '@kvitt/domain/ledger/payout.ts'
import { shareCauses } from '@kvitt/domain/payments/shares.ts'
import { statement, type Transaction } from '../../platform/database/database.ts'

export type PostingRow = {
  readonly account: string
  readonly number: string | null
  readonly name: string | null
  readonly minor: number
}

const postings = statement(
  'suspense.previewPostings',
  `select case when a.gateway in ('${BANK_FEES}', '${BANK_INTEREST}', '${PAID_TWICE}', '${OPERATOR_FEES}') then lower(a.gateway) else a.kind end as account,
     coalesce(c.claim_number, i.invoice_number) as number, coalesce(r.name, d.name) as name,
     sum(p.amount_minor)::bigint as minor
   from ledger_transaction t
   join posting p on p.instance_id = t.instance_id and p.transaction_id = t.id
   join ledger_account a on a.instance_id = p.instance_id and a.id = p.account_id
   left join invoice i on i.instance_id = a.instance_id and i.id = a.invoice_id
   left join claim c on c.instance_id = a.instance_id and c.id = a.claim_id
   left join creditor r on r.instance_id = a.instance_id and r.id = a.creditor_id
   left join debtor d on d.instance_id = a.instance_id and d.id = a.debtor_id
   where t.instance_id = $1 and t.posted_at = now() and (t.cause like 'placed:bank-line:' || $2::text || '%' or t.cause = 'explained:bank-line:' || $2::text
     or t.cause = any($3)
     or t.invoice_id = any($4) or t.claim_id = any($4))
   group by 1, 2, 3, a.kind having sum(p.amount_minor) <> 0
   order by case a.kind when 'suspense' then 0 when 'costs' then 1 when 'interest' then 2 when 'principal' then 3
     when 'credit' then 4 when 'credit_at_creditor' then 4 else 5 end, 2, 3`,
)

/** What stands on each account by this transaction, the money in suspense first. */
export function readPreview(
  tx: Transaction,
  { instanceId, lineId }: { readonly instanceId: string; readonly lineId: string },
  debtIds: readonly string[],
): Promise<PostingRow[]> {
  return tx.rows<PostingRow>(postings, [instanceId, lineId, shareCauses(lineId), debtIds])
}

export type OwedRow = {
  readonly type: 'invoices' | 'collection-batches'
  readonly id: string
  readonly number: string
  readonly owed_minor: number
}

const paid = statement(
  'suspense.previewDebts',
  `select case when t.claim_id is null then 'invoices' else 'collection-batches' end as type, coalesce(t.claim_id, t.invoice_id) as id,
     coalesce(c.claim_number, i.invoice_number) as number, coalesce(c.balance_minor, i.balance_minor) as owed_minor
   from ledger_transaction t
   left join invoice i on i.instance_id = t.instance_id and i.id = t.invoice_id
   left join claim c on c.instance_id = t.instance_id and c.id = t.claim_id
   where t.instance_id = $1 and t.cause = any($2) and t.posted_at = now() order by t.id`,
)

/** The debts that the line has paid in this transaction, and what each owes now. */
export function readPaidNow(tx: Transaction, instanceId: string, lineId: string): Promise<OwedRow[]> {
  return tx.rows<OwedRow>(paid, [instanceId, shareCauses(lineId)])
}
