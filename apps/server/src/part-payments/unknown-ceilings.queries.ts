/** The SQL of plans that cost something. */
import { statement, type Connection } from '../platform/database.ts'

const costlySettings = statement(
  'partPayments.costlySettings',
  `select distinct c.country, s.currency
   from (select distinct on (creditor_id, code) * from part_payment_setting
     where instance_id = $1 and valid_from <= $2::date order by creditor_id, code, valid_from desc) s
   join creditor c on c.instance_id = s.instance_id and (s.creditor_id is null or s.creditor_id = c.id)
   where s.is_offered and (s.percent > 0 or s.start_fee_minor > 0 or s.monthly_fee_minor > 0)
   order by 1, 2`,
)

/** Countries of creditors and the currencies in which plans with fees or interest are set for them. */
export function readCostlySettings(
  db: Connection,
  instanceId: string,
  day: string,
): Promise<{ country: string; currency: string }[]> {
  return db.rows(costlySettings, [instanceId, day])
}

const askAboutCeiling = statement(
  'partPayments.askAboutCeiling',
  `insert into task (instance_id, id, kind, about, details) values ($1, $2, 'ceiling_unknown', $3, $4)
   on conflict (instance_id, kind, about) do nothing`,
)

/** Told once for a country, whatever becomes of the task. */
export async function insertCeilingTask(
  db: Connection,
  instanceId: string,
  { id, country, currency }: { readonly id: string; readonly country: string; readonly currency: string },
): Promise<void> {
  const about = `ceiling of a consumer credit in ${country}`
  await db.rows(askAboutCeiling, [instanceId, id, about, JSON.stringify({ country, currency })])
}
