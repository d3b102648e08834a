/** The SQL of plans that cost something. */
import { statement, type Connection } from '../../platform/database/database.ts'

const costlySettings = statement(
  'partPayments.costlySettings',
  `select distinct c.country, s.currency, (select n.mode = 'live' from instance n where n.id = $1) as "isLive"
   from (select distinct on (creditor_id, code) * from part_payment_setting
     where instance_id = $1 and valid_from <= $2::date and conversation_id is null order by creditor_id, code, valid_from desc, position desc) s
   join creditor c on c.instance_id = s.instance_id and (s.creditor_id is null or s.creditor_id = c.id)
   where s.is_offered and (s.percent > 0 or s.start_fee_minor > 0 or s.monthly_fee_minor > 0)
   order by 1, 2`,
)

/** Countries of creditors and the currencies in which plans with fees or interest are set for them. */
export function readCostlySettings(
  db: Connection,
  instanceId: string,
  day: string,
): Promise<{ country: string; currency: string; isLive: boolean }[]> {
  return db.rows(costlySettings, [instanceId, day])
}
