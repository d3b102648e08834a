/** The SQL of booked payments, for an operator's people who take them back or move them. */
import type { Currency } from '@kvitt/domain/money.ts'
import { shareCauses } from '@kvitt/domain/payments/shares.ts'
import { statement, type Connection } from '../../platform/database/database.ts'

const paid = statement(
  'paymentActs.paid',
  `select t.id, u.id as of, t.currency, coalesce(l.amount_minor, p.amount_minor, 0)::bigint as amount_minor, p.gateway,
     case when l.id is not null then 'BANK' when p.id is not null then 'GATEWAY' else 'DIRECT' end as way,
     exists (select from ledger_transaction r where r.instance_id = t.instance_id and r.cause = 'reversal:' || t.cause) as is_back
   from (select t.*, (select min(a.currency) from posting g join ledger_account a on a.instance_id = g.instance_id and a.id = g.account_id
       where g.instance_id = t.instance_id and g.transaction_id = t.id) as currency
     from ledger_transaction t where t.instance_id = $1 and t.id = $2 and t.kind = 'PAYMENT') t
   cross join lateral (select substring(t.cause from '^payment:([0-9a-f-]{36})')::uuid as id) u
   left join bank_line l on l.instance_id = t.instance_id and l.id = u.id
   left join payment p on p.instance_id = t.instance_id and p.id = u.id
   union all
   select p.id, p.id, p.currency, p.amount_minor, p.gateway, 'UNDER_WAY', false from payment p
   where p.instance_id = $1 and p.id = $2`,
)

export type PaidRow = {
  /** As the list of payments calls it. */
  readonly id: string
  /** The gateway's payment, or the line of a bank's file, whose money it is. */
  readonly of: string
  readonly currency: Currency
  /** All of the money, also where it was shared among several debts. */
  readonly amount_minor: number
  readonly gateway: string | null
  readonly way: 'BANK' | 'GATEWAY' | 'DIRECT' | 'UNDER_WAY'
  /** It has been taken back, or has been moved since. */
  readonly is_back: boolean
}

export async function findPaidRow(
  db: Connection,
  instanceId: string,
  id: string,
): Promise<PaidRow | undefined> {
  return (await db.rows<PaidRow>(paid, [instanceId, id]))[0]
}

export type TouchedDebt = {
  readonly type: 'invoices' | 'collection-batches'
  readonly id: string
  readonly number: string
  readonly debtor_id: string
  readonly creditor_id: string
  readonly owed_minor: number
}

const DEBTS = `select 'invoices' as type, i.id, i.invoice_number as number, i.debtor_id, i.creditor_id, i.balance_minor as owed_minor
     from invoice i where i.instance_id = $1 and i.id in (select invoice_id from meant where claim_id is null)
   union all
   select 'collection-batches', c.id, c.claim_number, c.debtor_id, c.creditor_id, c.balance_minor
     from claim c where c.instance_id = $1 and c.id in (select claim_id from meant)
   order by 1, 3`

const paidOn = statement(
  'paymentActs.paidOn',
  `with meant as (
     select t.invoice_id, coalesce(t.claim_id, i.claim_id) as claim_id from ledger_transaction t
     left join invoice i on i.instance_id = t.instance_id and i.id = t.invoice_id
     where t.instance_id = $1 and t.kind = 'PAYMENT' and t.cause = any($2)
       and not exists (select from ledger_transaction r where r.instance_id = t.instance_id and r.cause = 'reversal:' || t.cause))
   ${DEBTS}`,
)

/** The debts that the money pays now; what an invoice in a claim owes is the claim's. */
export function readPaidOn(db: Connection, instanceId: string, of: string): Promise<TouchedDebt[]> {
  return db.rows<TouchedDebt>(paidOn, [instanceId, shareCauses(of)])
}

const owedBy = statement(
  'paymentActs.owedBy',
  `with meant as (select case when i.id is null then null else n.id end as invoice_id, case when i.id is null then n.id end as claim_id
     from unnest($2::uuid[]) n (id) left join invoice i on i.instance_id = $1 and i.id = n.id)
   ${DEBTS}`,
)

/** What these invoices and claims owe. */
export function readOwedBy(
  db: Connection,
  instanceId: string,
  ids: readonly string[],
): Promise<TouchedDebt[]> {
  return db.rows<TouchedDebt>(owedBy, [instanceId, ids])
}
