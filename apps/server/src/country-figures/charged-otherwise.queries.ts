/** The SQL of debts that were charged, and plans that were agreed, by another figure than is to hold. */
import { statement, type Connection } from '../platform/database/database.ts'

const DEBT = `left join invoice i on i.instance_id = t.instance_id and i.id = t.invoice_id
   left join claim k on k.instance_id = t.instance_id and k.id = t.claim_id
   join creditor c on c.instance_id = t.instance_id and c.id = coalesce(k.creditor_id, i.creditor_id) and c.country = $2
   join debtor d on d.instance_id = t.instance_id and d.id = coalesce(k.debtor_id, i.debtor_id) and d.kind = $3`

const NUMBER = 'coalesce(k.claim_number, i.invoice_number) as number'

/** Not all of it has been taken back since, by entries that name it. */
const STANDS = `not exists (select from ledger_transaction r where r.instance_id = t.instance_id
       and r.cause in ('credited:' || t.cause, 'unsent:' || substr(t.cause, length('step:') + 1)))
     and coalesce((select sum(b.amount_minor) from ledger_transaction r
         join posting b on b.instance_id = r.instance_id and b.transaction_id = r.id and b.amount_minor > 0
         where r.instance_id = t.instance_id and r.restates_id = t.id), 0)
       < (select sum(b.amount_minor) from posting b
         where b.instance_id = t.instance_id and b.transaction_id = t.id and b.amount_minor > 0)`

/** What was charged at another rate first: whether it stands is asked about nothing else. Where one is enough, the first one ends it. */
const otherInterest = (name: string, what: string) =>
  statement(
    name,
    `with charged as materialized (
       select t.instance_id, t.id, t.cause, t.invoice_id, t.claim_id from ledger_transaction t
       where t.instance_id = $1 and t.periods is not null and t.booked_on >= $4::date and exists (
         select from jsonb_to_recordset(t.periods) as p (percent text, "from" date, "to" date)
         where p."to" >= $4::date and p."from" <= $5::date and p.percent <> all ($6::text[])))
     select ${what} from charged t
     ${DEBT}
     where ${STANDS} limit $7`,
  )
const allOtherInterest = otherInterest('countryFigures.otherInterest', `distinct ${NUMBER}`)
const anyOtherInterest = otherInterest('countryFigures.anyOtherInterest', NUMBER)
const fees = statement(
  'countryFigures.fees',
  `select distinct ${NUMBER} from ledger_transaction t
   join collection_step s on s.instance_id = t.instance_id and s.type = $6
     and s.id = case when t.cause like 'step:%' then substr(t.cause, length('step:') + 1)::uuid end
   ${DEBT}
   where t.instance_id = $1 and t.periods is null and t.booked_on >= $4::date and s.performed_date >= $4::date
     and ($5::date is null or s.performed_date <= $5::date) and ${STANDS} limit $7`,
)
const plans = statement(
  'countryFigures.plans',
  `select p.number, a.day::text as day, s.percent::text as percent from part_payment p
   join part_payment_setting s on s.instance_id = p.instance_id and s.id = p.setting_id and s.percent > 0
   join creditor c on c.instance_id = p.instance_id and c.id = p.creditor_id and c.country = $2
   join debtor d on d.instance_id = p.instance_id and d.id = p.debtor_id and d.kind = 'PERSON'
   cross join lateral (select p.started_on as day union select m.added_on from part_payment_member m
     where m.instance_id = p.instance_id and m.part_payment_id = p.id) a
   where p.instance_id = $1 and a.day >= $3::date and ($4::date is null or a.day <= $4::date)`,
)

export type Charging = {
  readonly instanceId: string
  readonly country: string
  readonly kind: 'PERSON' | 'COMPANY'
  readonly from: string
  /** How many are enough. */
  readonly most: number
}

const numbersOf = (rows: readonly { number: string }[]): string[] => rows.map(({ number }) => number)

/** Whom interest of days from `from` to `to` was charged at another yearly rate than these: numbers of invoices and claims. */
export async function readOtherInterest(
  db: Connection,
  { instanceId, country, kind, from, most }: Charging,
  { to, percents }: { readonly to: string; readonly percents: readonly string[] },
): Promise<string[]> {
  const wanted = most === 1 ? anyOtherInterest : allOtherInterest
  return numbersOf(await db.rows(wanted, [instanceId, country, kind, from, to, percents, most]))
}

/** Whom the fee of a step was charged on days from `from` to `to`, or at any time after. */
export async function readFeesCharged(
  db: Connection,
  { instanceId, country, kind, from, most }: Charging,
  { to, step }: { readonly to: string | null; readonly step: string },
): Promise<string[]> {
  return numbersOf(await db.rows(fees, [instanceId, country, kind, from, to, step, most]))
}

/** Plans of consumers that bear interest, by each day on which something of them was agreed. */
export function readCostlyPlans(
  db: Connection,
  { instanceId, country, from }: Omit<Charging, 'kind' | 'most'>,
  { to }: { readonly to: string | null },
): Promise<{ number: string; day: string; percent: string }[]> {
  return db.rows(plans, [instanceId, country, from, to])
}
