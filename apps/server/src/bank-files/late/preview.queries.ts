/** The SQL that reads what the transaction at hand has written in the books. */
import { BANK_FEES, BANK_INTEREST, PAID_TWICE } from '@kvitt/domain/ledger/own-money.ts'
import { BANK_PAYOUT, OPERATOR_FEES } from '@kvitt/domain/ledger/payout.ts'
import { statement, type Transaction } from '../../platform/database/database.ts'
import type { OwedRow, PostingRow } from '../office/preview.queries.ts'
import { BANK_RETURN } from './take-up-order.ts'

/** What this transaction has written, from an id on that is as old as it. */
const NEW = 't.instance_id = $1 and t.id >= $2 and t.posted_at = now()'

const postings = statement(
  'late.previewPostings',
  `select case when a.gateway in ('${BANK_FEES}', '${BANK_INTEREST}', '${PAID_TWICE}', '${OPERATOR_FEES}') then lower(a.gateway)
       when a.gateway in ('${BANK_RETURN}', '${BANK_PAYOUT}') then 'on_its_way' when a.kind = 'held_for_creditor' and t.kind = 'PAYOUT' then 'held'
       else a.kind end as account,
     coalesce(c.claim_number, i.invoice_number) as number, coalesce(r.name, d.name) as name, sum(p.amount_minor)::bigint as minor
   from ledger_transaction t
   join posting p on p.instance_id = t.instance_id and p.transaction_id = t.id
   join ledger_account a on a.instance_id = p.instance_id and a.id = p.account_id
   left join invoice i on i.instance_id = a.instance_id and i.id = a.invoice_id
   left join claim c on c.instance_id = a.instance_id and c.id = a.claim_id
   left join creditor r on r.instance_id = a.instance_id and r.id = a.creditor_id
   left join debtor d on d.instance_id = a.instance_id and d.id = a.debtor_id
   where ${NEW} group by 1, 2, 3 having sum(p.amount_minor) <> 0 order by 1, 2, 3`,
)
const owed = statement(
  'late.previewDebts',
  `select distinct case when t.claim_id is null then 'invoices' else 'collection-batches' end as type, coalesce(t.claim_id, t.invoice_id) as id,
     coalesce(c.claim_number, i.invoice_number) as number, coalesce(c.balance_minor, i.balance_minor) as owed_minor
   from ledger_transaction t
   left join invoice i on i.instance_id = t.instance_id and i.id = t.invoice_id
   left join claim c on c.instance_id = t.instance_id and c.id = t.claim_id
   where ${NEW} and coalesce(t.claim_id, t.invoice_id) is not null order by 3`,
)

/** What stands on each account by this transaction. */
export function readPostingsNow(tx: Transaction, instanceId: string, since: string): Promise<PostingRow[]> {
  return tx.rows<PostingRow>(postings, [instanceId, since])
}

/** The debts that it touches, and what each owes now. */
export function readOwedNow(tx: Transaction, instanceId: string, since: string): Promise<OwedRow[]> {
  return tx.rows<OwedRow>(owed, [instanceId, since])
}
