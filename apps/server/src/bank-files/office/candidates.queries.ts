/** The SQL that finds debts which money in suspense may be meant for, each way by an index. */
import type { Currency } from '@kvitt/domain/money.ts'
import { statement, type Connection } from '../../platform/database/database.ts'
import { NOT_HIDDEN } from '../../sign-in/shown.ts'

export type CandidateRow = {
  readonly type: 'invoices' | 'collection-batches'
  readonly id: string
  readonly number: string
  readonly reference: string
  readonly creditor_id: string
  readonly creditor_name: string
  readonly debtor_id: string
  readonly debtor_name: string
  readonly currency: Currency
  readonly owed_minor: number
  readonly due_date: string | null
  readonly status: string
  readonly is_planned: boolean
}

/** An invoice that is in a claim is its claim. */
const candidates = statement(
  'suspense.candidates',
  `with named as (
     select i.id, i.claim_id from invoice i
     where i.instance_id = $1 and i.payment_reference = any($2) and i.type <> 'CREDIT_INVOICE' and not i.is_undone
     union
     select i.id, i.claim_id from invoice i
     where i.instance_id = $1 and i.original_reference = any($2) and i.type <> 'CREDIT_INVOICE' and not i.is_undone
     union
     select i.id, i.claim_id from creditor r
     join invoice i on i.instance_id = r.instance_id and i.creditor_id = r.id and i.invoice_number = any($3)
       and i.type in ('INVOICE', 'PART_INVOICE', 'INTEREST_INVOICE', 'MEMBERSHIP_FEE') and not i.is_undone
     where r.instance_id = $1
   ), of_name as (
     select i.id, i.claim_id from (
       select id from debtor where instance_id = $1 and lower(name) = any($4) limit 20) d
     cross join lateral (
       select i.id, i.claim_id from invoice i
       where i.instance_id = $1 and i.debtor_id = d.id and i.balance_minor > 0 and i.type <> 'CREDIT_INVOICE' and not i.is_undone
         and ${NOT_HIDDEN}
       order by i.expire_date limit 20) i
   ), found as (
     select * from named union select * from of_name
   ), claims as (
     select claim_id as id from found where claim_id is not null
     union
     select c.id from claim c where c.instance_id = $1 and c.payment_reference = any($2)
     union
     select c.id from claim c where c.instance_id = $1 and c.claim_number = any($3)
   )
   select 'invoices' as type, i.id, i.invoice_number as number, i.payment_reference as reference, i.creditor_id, r.name as creditor_name,
     i.debtor_id, d.name as debtor_name, i.currency, i.balance_minor as owed_minor, i.expire_date as due_date, i.status,
     i.is_part_payment as is_planned
   from found o join invoice i on i.instance_id = $1 and i.id = o.id
   join creditor r on r.instance_id = i.instance_id and r.id = i.creditor_id
   join debtor d on d.instance_id = i.instance_id and d.id = i.debtor_id
   where o.claim_id is null
   union all
   select 'collection-batches', c.id, c.claim_number, c.payment_reference, c.creditor_id, r.name, c.debtor_id, d.name, c.currency,
     c.balance_minor, c.expire_date, c.status, c.is_part_payment
   from claims o join claim c on c.instance_id = $1 and c.id = o.id
   join creditor r on r.instance_id = c.instance_id and r.id = c.creditor_id
   join debtor d on d.instance_id = c.instance_id and d.id = c.debtor_id
   limit 200`,
)

/** Debts with one of these references, numbers or names of debtors. Those that are found by a name are open. */
export function findMaybeMeant(
  db: Connection,
  instanceId: string,
  {
    references,
    numbers,
    names,
  }: {
    readonly references: readonly string[]
    readonly numbers: readonly string[]
    readonly names: readonly string[]
  },
): Promise<CandidateRow[]> {
  return db.rows<CandidateRow>(candidates, [instanceId, references, numbers, names])
}
