/** The SQL of the step that an invoice's outlook begins with. */
import { statement, type Connection } from '../platform/database/database.ts'
import { dueStepsOf, type DueStep } from './due-steps.queries.ts'

/** An invoice with the step that is planned for it; without one, with what decides about it alone. */
export type OutlookRow = Omit<DueStep, 'step_type' | 'number' | 'planned_date'> &
  (
    | Pick<DueStep, 'step_type' | 'number' | 'planned_date'>
    | { readonly step_type: null; readonly number: null; readonly planned_date: null }
  )

const outlook = statement(
  'collection.outlook',
  dueStepsOf(
    `select $1::uuid as instance_id, $2::uuid as invoice_id, p.id, p.type, p.number, p.planned_date
     from (select) one left join lateral (
       select x.id, x.type, x.number, x.planned_date from collection_step x
       where x.instance_id = $1 and x.debt_id = $2 and x.status = 'PLANNED' order by x.planned_date, x.id limit 1) p on true`,
    '$3::date',
  ),
)

export async function readOutlookRow(
  db: Connection,
  { instanceId, invoiceId }: { readonly instanceId: string; readonly invoiceId: string },
  today: string,
): Promise<OutlookRow | undefined> {
  return (await db.rows<OutlookRow>(outlook, [instanceId, invoiceId, today]))[0]
}
