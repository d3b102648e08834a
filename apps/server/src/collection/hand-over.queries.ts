/** The SQL of hand-overs: what is due of each debtor, creditor and currency together. */
import { statement, type Connection, type Transaction } from '../platform/database/database.ts'
import { invoiceWaits, type Awaited } from '../creditors/creditors.ts'
import { isNotResting } from '../ledger/resting-debts.queries.ts'
import { dueStepsOf, type DueStep } from './due-steps.queries.ts'

const due = (also: string): string => `select array_agg(s.id order by s.id) as step_ids
   from collection_step s
   join invoice i on i.instance_id = s.instance_id and i.id = s.invoice_id
   where s.instance_id = $1 and s.status = 'PLANNED' and s.type = 'COLLECTION' and s.planned_date <= $2::date
     and ${isNotResting('s.debt_id')}
   group by i.debtor_id, i.creditor_id, i.currency ${also}
   order by i.debtor_id, i.creditor_id, i.currency`

const dueHandOvers = statement('collection.dueHandOvers', due(''))
/** One that waits keeps back those with which it would be handed over: they are one claim, with one demand. */
const dueHandOversOfOthers = statement(
  'collection.dueHandOversOfOthers',
  due(`having not bool_or(${invoiceWaits('i', '$3', '$4')})`),
)

/**
 * The hand-overs that are due on a day: the steps of each debtor, creditor and currency together, without those that wait for
 * the files of an account.
 */
export async function readDueHandOvers(
  db: Connection,
  { instanceId, day, awaited }: { instanceId: string; day: string; awaited: Awaited },
): Promise<string[][]> {
  const { isNobody, accountIds, currencies } = awaited
  const values = isNobody ? [instanceId, day] : [instanceId, day, accountIds, currencies]
  const rows = await db.rows<{ step_ids: string[] }>(isNobody ? dueHandOvers : dueHandOversOfOthers, values)
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
