/** The SQL of what was erased, as the file beside the database has it. */
import type { RetentionKind } from '@kvitt/domain/data-protection/retention.ts'
import { statement, type Connection } from '../platform/database/database.ts'

export type Erased = {
  readonly kind: RetentionKind
  readonly instanceId: string
  readonly subjectId: string
}

/**
 * CASE words that were written before they were erased, which an old row has brought back: what was written since waits for a person.
 */
const IS_BACK = `coalesce(case k.kind
    when 'BOOKS' then (select d.identity <> 'erased ' || d.id from debtor d where d.instance_id = k.instance_id and d.id = k.subject_id)
    when 'NEWS' then exists (select from gateway_event e where e.instance_id = k.instance_id and e.payment_id = k.subject_id
      and e.body <> '{}' and e.received_at < k.erased_at - interval '13 months')
    when 'FILES' then exists (select from payout_file f where f.instance_id = k.instance_id and f.id = k.subject_id and f.content <> '[erased]')
    else exists (select from dispute s where s.instance_id = k.instance_id and s.debt_id = k.subject_id
        and s.reason <> '[erased]' and s.created_at < k.erased_at)
      or exists (select from conversation c join conversation_message m on m.instance_id = c.instance_id and m.conversation_id = c.id
        where c.instance_id = k.instance_id and c.debt_id = k.subject_id and m.text <> '[erased]' and m.created_at < k.erased_at) end, false)`

const erased = statement(
  'retention.erased',
  `select k.kind, k.instance_id as "instanceId", k.subject_id as "subjectId", k.is_done as "isDone",
     k.is_tried or (k.is_done and not ${IS_BACK}) as "isSettled"
   from (
     select i.kind, i.instance_id, i.subject_id, bool_or(i.state = 'DONE') as is_done,
       max(r.ended_at) filter (where i.state = 'DONE') as erased_at,
       bool_or((r.status = 'APPROVED' and i.state = 'FOUND')
         or (r.approved_by = 'file' and i.state = 'LEFT' and r.approved_at > now() - interval '1 day')) as is_tried
     from retention_item i join retention_run r on r.instance_id = i.instance_id and r.id = i.run_id
     where i.kind <> 'ARCHIVE' group by 1, 2, 3) k`,
)

/** Of what a run has erased, or was to: what became of it. */
export type Known = Erased & {
  /** It was erased once. */
  readonly isDone: boolean
  /** It is gone, or about to go, or was left within a day. What was only found, and what has come back, is not settled. */
  readonly isSettled: boolean
}

/** What runs have to do with, and whether it is settled. */
export function readErased(db: Connection): Promise<Known[]> {
  return db.rows<Known>(erased)
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

/** A run of what the file has and the database does not know; false where there is no such instance. */
export async function insertRunOfFile(
  tx: Connection,
  run: { readonly instanceId: string; readonly id: string; readonly items: readonly Erased[] },
): Promise<boolean> {
  if ((await tx.rows(openRun, [run.instanceId, run.id])).length === 0) return false
  await tx.rows(addItems, [run.instanceId, run.id, JSON.stringify(run.items)])
  return true
}
