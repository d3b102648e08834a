/** The SQL of what of a person has to stay, and until when. */
import { statement, type Connection } from '../platform/database/database.ts'

const stays = statement(
  'retention.stays',
  `select d.identity = 'erased ' || d.id as "isErased", person_kept_until(d.instance_id, d.id)::text as "keptUntil",
     (select count(*)::int from (
        select id from invoice i where i.instance_id = $1 and i.debtor_id = $2 and not exists (
          select from debt_over o where o.instance_id = $1 and o.debt_id = i.id)
        union all select id from claim c where c.instance_id = $1 and c.debtor_id = $2 and not exists (
          select from debt_over o where o.instance_id = $1 and o.debt_id = c.id)) x) as "openDebts",
     (select count(*)::int from debt_over o where o.instance_id = $1 and o.debtor_id = $2
        and o.ended_on > current_date - interval '36 months') as cases,
     (select (max(o.ended_on) + interval '36 months')::date::text from debt_over o where o.instance_id = $1 and o.debtor_id = $2
        and o.ended_on > current_date - interval '36 months') as "casesUntil",
     current_date::text as today
   from debtor d where d.instance_id = $1 and d.id = $2`,
)

export type Stays = {
  readonly isErased: boolean
  /** Null while something is open. */
  readonly keptUntil: string | null
  readonly openDebts: number
  /** Debts whose words have to stay as a case, and until when the last of them. */
  readonly cases: number
  readonly casesUntil: string | null
  readonly today: string
}

export async function readStays(
  db: Connection,
  instanceId: string,
  debtorId: string,
): Promise<Stays | undefined> {
  return (await db.rows<Stays>(stays, [instanceId, debtorId]))[0]
}
