/** The SQL of what will need a fee or rate soon. */
import { statement, type Connection } from '../platform/database/database.ts'

const countries = statement(
  'collection.countries',
  `select distinct c.country, (select n.mode = 'live' from instance n where n.id = $1) as "isLive"
   from creditor c where c.instance_id = $1 order by 1`,
)

/** The countries of the creditors of an instance, and whether its debts are real. */
export function readCollectingCountries(
  db: Connection,
  instanceId: string,
): Promise<{ country: string; isLive: boolean }[]> {
  return db.rows<{ country: string; isLive: boolean }>(countries, [instanceId])
}

const firstPlanned = statement(
  'collection.firstPlanned',
  `select coalesce(i.invoice_number, k.claim_number) as number, s.planned_date::text as planned_date
   from collection_step s
   left join invoice i on i.instance_id = s.instance_id and i.id = s.invoice_id
   left join claim k on k.instance_id = s.instance_id and k.id = s.claim_id
   join creditor c on c.instance_id = s.instance_id and c.id = coalesce(i.creditor_id, k.creditor_id) and c.country = $2
   join debtor d on d.instance_id = s.instance_id and d.id = coalesce(i.debtor_id, k.debtor_id) and d.kind = $3
   where s.instance_id = $1 and s.status = 'PLANNED' and s.type = any($4) and s.planned_date between $5::date and $6::date
   order by s.planned_date, s.debt_id limit 1`,
)

export type Search = {
  readonly instanceId: string
  readonly country: string
  readonly debtorKind: 'consumer' | 'business'
  readonly types: readonly string[]
  readonly from: string
  readonly to: string
}

/** The number of the invoice or claim whose step of these types comes first in a span of days, if there is one. */
export async function findFirstPlanned(
  db: Connection,
  { instanceId, country, debtorKind, types, from, to }: Search,
): Promise<{ number: string; planned_date: string } | undefined> {
  const kind = debtorKind === 'consumer' ? 'PERSON' : 'COMPANY'
  type Row = { number: string; planned_date: string }
  return (await db.rows<Row>(firstPlanned, [instanceId, country, kind, types, from, to]))[0]
}
