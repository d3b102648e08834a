/** The SQL of what people keep with a task: who looks after it, until when it is put aside, and notes. */
import { statement, type Connection, type Transaction } from '../platform/database/database.ts'

export type TaskKey = { readonly instanceId: string; readonly id: string }

/** Null: nobody in particular, and not put aside. `assignee_id`: the membership of who looks after it, where that is known. */
export type Kept = {
  readonly assignee: string | null
  readonly assignee_id: string | null
  readonly snoozed_until: string | null
}

const lockTask = statement(
  'tasks.lockKept',
  `select assignee, assignee_id, snoozed_until::text as snoozed_until from task
   where instance_id = $1 and id = $2 and done_at is null for update`,
)

/** Of an open task, which stays locked; undefined when it is done or not there. */
export async function lockKept(tx: Transaction, { instanceId, id }: TaskKey): Promise<Kept | undefined> {
  return (await tx.rows<Kept>(lockTask, [instanceId, id]))[0]
}

const update = statement(
  'tasks.updateKept',
  'update task set assignee = $3, assignee_id = $4, snoozed_until = $5::date where instance_id = $1 and id = $2',
)

export async function updateKept(tx: Transaction, { instanceId, id }: TaskKey, kept: Kept): Promise<void> {
  await tx.rows(update, [instanceId, id, kept.assignee, kept.assignee_id, kept.snoozed_until])
}

const insertNote = statement(
  'tasks.insertNote',
  `insert into task_note (instance_id, id, task_id, text, noted_by) values ($1, gen_random_uuid(), $2, $3, $4)
   on conflict do nothing`,
)

/** Once for the same words of the same person. */
export async function insertNoteRow(
  tx: Transaction,
  { instanceId, id }: TaskKey,
  { text, by }: { readonly text: string; readonly by: string },
): Promise<void> {
  await tx.rows(insertNote, [instanceId, id, text, by])
}

type TaskNote = { readonly text: string; readonly noted_by: string; readonly noted_at: string }

const notes = statement(
  'tasks.notes',
  `select text, noted_by, to_char(noted_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as noted_at from task_note
   where instance_id = $1 and task_id = $2 order by task_note.noted_at, task_note.id`,
)

/** The oldest first. */
export function readNotes(db: Connection, { instanceId, id }: TaskKey): Promise<TaskNote[]> {
  return db.rows<TaskNote>(notes, [instanceId, id])
}
