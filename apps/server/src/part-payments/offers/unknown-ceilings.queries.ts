/** The SQL of plans that cost something. */
import { costsNothing } from '@kvitt/domain/part-payments/legal-checks.ts'
import type { PlanSetting } from '@kvitt/domain/part-payments/offer.ts'
import { statement, type Connection } from '../../platform/database/database.ts'
import { SETTING_COLUMNS } from './settings.queries.ts'

const costlySettings = statement(
  'partPayments.costlySettings',
  `select c.country, ${SETTING_COLUMNS}, (select n.mode = 'live' from instance n where n.id = $1) as "isLive"
   from (select distinct on (creditor_id, code) * from part_payment_setting
     where instance_id = $1 and valid_from <= $2::date and conversation_id is null order by creditor_id, code, valid_from desc, position desc) s
   join creditor c on c.instance_id = s.instance_id and (s.creditor_id is null or s.creditor_id = c.id)
   where s.is_offered and (s.percent > 0 or s.start_fee_minor > 0 or s.monthly_fee_minor > 0)
   order by 1, s.currency, s.id`,
)

type Costly = { readonly country: string; readonly currency: string; readonly isLive: boolean }

/** Countries of creditors and the currencies in which plans are set for them that cost something. */
export async function readCostlySettings(db: Connection, instanceId: string, day: string): Promise<Costly[]> {
  const rows = await db.rows<Costly & PlanSetting>(costlySettings, [instanceId, day])
  const costly = rows.filter((row) => !costsNothing(row))
  return costly.filter(
    ({ country, currency }, index) =>
      costly.findIndex((row) => row.country === country && row.currency === currency) === index,
  )
}
