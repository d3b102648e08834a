/** The SQL of what is planned of a debtor's debts. */
import { statement, type Transaction } from '../platform/database/database.ts'

type OfDebtor = { readonly instanceId: string; readonly debtorId: string }

export type PlannedRow = { readonly id: string; readonly plannedOn: string; readonly country: string }

const planned = statement(
  'debtorFlags.planned',
  `select s.id, s.planned_date::text as "plannedOn", k.country from collection_step s
   left join invoice i on i.instance_id = s.instance_id and i.id = s.invoice_id
   left join claim c on c.instance_id = s.instance_id and c.id = s.claim_id
   join creditor k on k.instance_id = s.instance_id and k.id = coalesce(i.creditor_id, c.creditor_id)
   where s.instance_id = $1 and s.status = 'PLANNED' and coalesce(i.debtor_id, c.debtor_id) = $2
     and s.debt_id = any (array(
       select x.id from invoice x where x.instance_id = $1 and x.debtor_id = $2
       union all select y.id from claim y where y.instance_id = $1 and y.debtor_id = $2))`,
)

/** What is planned of a debtor's debts, with the country of each creditor. */
export function readPlannedRows(tx: Transaction, { instanceId, debtorId }: OfDebtor): Promise<PlannedRow[]> {
  return tx.rows<PlannedRow>(planned, [instanceId, debtorId])
}

const move = statement(
  'debtorFlags.move',
  `update collection_step s set planned_date = n.day from unnest($2::uuid[], $3::date[]) as n (id, day)
   where s.instance_id = $1 and s.id = n.id and s.status = 'PLANNED'`,
)

export async function moveStepRows(
  tx: Transaction,
  instanceId: string,
  steps: readonly { readonly id: string; readonly on: string }[],
): Promise<void> {
  if (steps.length > 0)
    await tx.rows(move, [instanceId, steps.map(({ id }) => id), steps.map(({ on }) => on)])
}
