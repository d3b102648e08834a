/** The SQL of hand-overs: what is due of each debtor, creditor and currency together. */
import { statement, type Connection, type Transaction } from '../platform/database.ts'
import { dueStepsOf, type DueStep } from './collection.queries.ts'

const dueHandOvers = statement(
  'collection.dueHandOvers',
  `select array_agg(s.id order by s.id) as step_ids
   from collection_step s
   join invoice i on i.instance_id = s.instance_id and i.id = s.invoice_id
   where s.instance_id = $1 and s.status = 'PLANNED' and s.type = 'COLLECTION' and s.planned_date <= $2::date
   group by i.debtor_id, i.creditor_id, i.currency
   order by i.debtor_id, i.creditor_id, i.currency`,
)

/** The hand-overs that are due on a day: the steps of each debtor, creditor and currency together. */
export async function readDueHandOvers(db: Connection, instanceId: string, day: string): Promise<string[][]> {
  const rows = await db.rows<{ step_ids: string[] }>(dueHandOvers, [instanceId, day])
  return rows.map((row) => row.step_ids)
}

const lockHandOvers = statement(
  'collection.lockHandOvers',
  `${dueStepsOf(`select * from collection_step where instance_id = $1 and id = any($2) and status = 'PLANNED'`, '$3::date')}
   order by i.id for no key update of i`,
)

/** Those of `stepIds` that still are planned, their invoices locked; whoever holds one is waited for. */
export function lockHandOverSteps(
  tx: Transaction,
  { instanceId, day }: { instanceId: string; day: string },
  stepIds: readonly string[],
): Promise<DueStep[]> {
  return tx.rows<DueStep>(lockHandOvers, [instanceId, stepIds, day])
}
