/** The SQL of up to when the debts of a plan rested. */
import type { CalendarDate } from '@kvitt/domain/calendar.ts'
import { statement, type Transaction } from '../../platform/database/database.ts'

type PlanKey = { readonly instance_id: string; readonly id: string }

const lastRest = statement(
  'partPayments.lastRest',
  `with debts as (
     select debt_id as id from part_payment_member where instance_id = $1 and part_payment_id = $2
     union select invoice_id from part_payment_instalment
     where instance_id = $1 and part_payment_id = $2 and invoice_id is not null)
   select (select max(d.decided_on)::text from dispute d where d.instance_id = $1 and d.debt_id in (select id from debts)
       and d.status in ('REJECTED', 'UPHELD_PART')) as answered_on,
     (select max(r.resume_date)::text from (
       select i.resume_date from invoice i where i.instance_id = $1 and i.id in (select id from debts) and i.status <> 'PAUSED'
         and i.resume_date <= $3::date
       union all
       select c.resume_date from claim c where c.instance_id = $1 and c.id in (select id from debts) and c.status <> 'PAUSED'
         and c.resume_date <= $3::date
       union all
       select f.over_on from part_payment p join rest_over f on f.instance_id = $1 and f.debtor_id = p.debtor_id
         where p.instance_id = $1 and p.id = $2 and f.over_on <= $3::date
     ) r) as resumed_on,
     (select r.country from part_payment_member m
       left join invoice i on i.instance_id = $1 and i.id = m.invoice_id
       left join claim c on c.instance_id = $1 and c.id = m.claim_id
       join creditor r on r.instance_id = $1 and r.id = coalesce(i.creditor_id, c.creditor_id)
       where m.instance_id = $1 and m.part_payment_id = $2 limit 1) as country`,
)

export type LastRest = {
  /** When a dispute was decided last that left something to pay. */
  readonly answered_on: CalendarDate | null
  /** When what was paused, or rested with its debtor, went on last. */
  readonly resumed_on: CalendarDate | null
  /** Whose bank days count. */
  readonly country: string
}

/** Up to when what a plan pays, or its instalments, rested last, as of the day `on`. Ask under their locks. */
export async function readLastRest(tx: Transaction, plan: PlanKey, on: CalendarDate): Promise<LastRest> {
  const row = (await tx.rows<LastRest>(lastRest, [plan.instance_id, plan.id, on]))[0]
  if (!row) throw new Error(`plan ${plan.id} does not exist`)
  return row
}
