/** The SQL of what was erased, as the file beside the database has it. */
import type { RetentionKind } from '@kvitt/domain/data-protection/retention.ts'
import { statement, type Connection } from '../platform/database/database.ts'

export type Erased = {
  readonly kind: RetentionKind
  readonly instanceId: string
  readonly subjectId: string
}

const erased = statement(
  'retention.erased',
  `select distinct on (kind, instance_id, subject_id) kind, instance_id as "instanceId", subject_id as "subjectId", state = 'DONE' as "isDone"
   from retention_item where kind <> 'ARCHIVE' order by kind, instance_id, subject_id, state = 'DONE' desc`,
)

/** What runs have to do with, whatever became of it. */
export function readErased(db: Connection): Promise<(Erased & { readonly isDone: boolean })[]> {
  return db.rows(erased)
}

const openRun = statement(
  'retention.openRunOfFile',
  `insert into retention_run (instance_id, id, status, approved_by, reason, approved_at)
   select n.id, $2, 'APPROVED', 'file', 'erased before', now() from instance n where n.id = $1 returning id`,
)
const addItems = statement(
  'retention.addItemsOfFile',
  `insert into retention_item (instance_id, run_id, kind, subject_id, since)
   select $1, $2, w.kind, w."subjectId", current_date from jsonb_to_recordset($3::jsonb) w (kind text, "subjectId" uuid)
   on conflict do nothing`,
)

/** A run of what the file has and the database does not know; nothing where there is no such instance. */
export async function insertRunOfFile(
  tx: Connection,
  run: { readonly instanceId: string; readonly id: string; readonly items: readonly Erased[] },
): Promise<void> {
  if ((await tx.rows(openRun, [run.instanceId, run.id])).length === 0) return
  await tx.rows(addItems, [run.instanceId, run.id, JSON.stringify(run.items)])
}
