/** The SQL of tasks. */
import type { TaskKind } from '@kvitt/domain/tasks/task-kind.ts'
import { statement, type Connection, type Transaction } from '../platform/database.ts'

export type NewTask = {
  readonly instanceId: string
  readonly kind: TaskKind
  /** Names the cause, such as `payment:{id}`: the same cause is asked about once. No personal data. */
  readonly about: string
  readonly details: object
}

const insertOnce = statement(
  'tasks.insertOnce',
  `insert into task (instance_id, id, kind, about, details)
   select n.instance_id, gen_random_uuid(), n.kind, n.about, n.details
   from unnest($1::uuid[], $2::text[], $3::text[], $4::jsonb[]) as n (instance_id, kind, about, details)
   on conflict (instance_id, kind, about) do nothing returning about`,
)

const insertOrReopen = statement(
  'tasks.insertOrReopen',
  `insert into task (instance_id, id, kind, about, details)
   select n.instance_id, gen_random_uuid(), n.kind, n.about, n.details
   from unnest($1::uuid[], $2::text[], $3::text[], $4::jsonb[]) as n (instance_id, kind, about, details)
   on conflict (instance_id, kind, about) do update set done_at = null, details = excluded.details
   where task.done_at is not null returning about`,
)

function columns(tasks: readonly NewTask[]): unknown[] {
  return [
    tasks.map((task) => task.instanceId),
    tasks.map((task) => task.kind),
    tasks.map((task) => task.about),
    tasks.map((task) => JSON.stringify(task.details)),
  ]
}

/** Makes the tasks; one that was made before, open or done, stays as it is. Answers the `about` of the new ones. */
export async function insertTaskRows(db: Connection, tasks: readonly NewTask[]): Promise<string[]> {
  if (tasks.length === 0) return []
  const rows = await db.rows<{ about: string }>(insertOnce, columns(tasks))
  return rows.map(({ about }) => about)
}

/** As insertTaskRows, in a statement that is not waited for. */
export function sendTaskRows(tx: Transaction, tasks: readonly NewTask[]): void {
  if (tasks.length > 0) tx.send(insertOnce, columns(tasks))
}

/** Makes the tasks, and opens again those that were done. Answers the `about` of the new and the reopened ones. */
export async function reopenTaskRows(db: Connection, tasks: readonly NewTask[]): Promise<string[]> {
  if (tasks.length === 0) return []
  const rows = await db.rows<{ about: string }>(insertOrReopen, columns(tasks))
  return rows.map(({ about }) => about)
}

const endOpen = statement(
  'tasks.endOpen',
  `update task set done_at = now()
   where instance_id = $1 and kind = $2 and about = any ($3) and done_at is null returning about`,
)

/** Ends those of the tasks that are open. Answers their `about`. */
export async function endTaskRows(
  db: Connection,
  {
    instanceId,
    kind,
    abouts,
  }: { readonly instanceId: string; readonly kind: TaskKind; readonly abouts: readonly string[] },
): Promise<string[]> {
  if (abouts.length === 0) return []
  const rows = await db.rows<{ about: string }>(endOpen, [instanceId, kind, abouts])
  return rows.map(({ about }) => about)
}

const findOpen = statement(
  'tasks.findOpen',
  `select from task where instance_id = $1 and kind = $2 and about = $3 and done_at is null`,
)

/** Whether nobody has solved the task yet. */
export async function isTaskRowOpen(db: Connection, task: Omit<NewTask, 'details'>): Promise<boolean> {
  return (await db.rows(findOpen, [task.instanceId, task.kind, task.about])).length === 1
}
