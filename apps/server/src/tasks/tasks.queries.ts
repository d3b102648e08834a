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

/** Each of them once; today is that of the product's clock, which the demo moves. */
const NEW_TASKS = `insert into task (instance_id, id, kind, about, details, made_on)
   select n.instance_id, gen_random_uuid(), n.kind, n.about, n.details,
     ((now() at time zone i.time_zone) + make_interval(days => coalesce((select days from clock_shift), 0)))::date
   from unnest($1::uuid[], $2::text[], $3::text[], $4::jsonb[]) as n (instance_id, kind, about, details)
   join instance i on i.id = n.instance_id`

const insertOnce = statement(
  'tasks.insertOnce',
  `${NEW_TASKS} on conflict (instance_id, kind, about) do nothing returning about`,
)

const insertOrReopen = statement(
  'tasks.insertOrReopen',
  `${NEW_TASKS} on conflict (instance_id, kind, about) do update
     set done_at = null, details = excluded.details, made_on = excluded.made_on, met_at = now()
     where task.done_at is not null returning about`,
)

const meet = statement(
  'tasks.meet',
  `${NEW_TASKS} on conflict (instance_id, kind, about) do update
     set done_at = null, details = excluded.details, met_at = now(),
       made_on = case when task.done_at is null then task.made_on else excluded.made_on end`,
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

/** Makes the task or opens it again, and says that its cause has just been met. */
export async function meetTaskRow(db: Connection, task: NewTask): Promise<void> {
  await db.rows(meet, columns([task]))
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

const endAbout = statement(
  'tasks.endAbout',
  `update task set done_at = now() where instance_id = $1 and kind = any ($2) and about = $3 and done_at is null`,
)

/** As endTaskRows, of several kinds about one cause, in a statement that is not waited for. */
export function sendTaskEndRows(
  tx: Transaction,
  { instanceId, kinds, about }: { instanceId: string; kinds: readonly TaskKind[]; about: string },
): void {
  tx.send(endAbout, [instanceId, kinds, about])
}

const findOpen = statement(
  'tasks.findOpen',
  `select from task where instance_id = $1 and kind = $2 and about = $3 and done_at is null`,
)

/** Whether nobody has solved the task yet. */
export async function isTaskRowOpen(db: Connection, task: Omit<NewTask, 'details'>): Promise<boolean> {
  return (await db.rows(findOpen, [task.instanceId, task.kind, task.about])).length === 1
}

/**
 * The tasks of some kinds as SQL to select from, for what a feature has to know of them in a statement of its own. Has the
 * columns instance_id, kind, about, details and created_at.
 */
export function tasksOf(kinds: readonly TaskKind[], which: 'open' | 'all' = 'open'): string {
  const named = kinds.map((kind) => `'${kind}'`).join(', ')
  return `(select instance_id, kind, about, details, created_at from task
     where kind in (${named})${which === 'open' ? ' and done_at is null' : ''})`
}

const countOpen = statement('tasks.countOpen', 'select count(*)::int as open from task where done_at is null')

/** How many tasks are open, of all instances. */
export async function countOpenTaskRows(db: Connection): Promise<number> {
  return (await db.rows<{ open: number }>(countOpen))[0]?.open ?? 0
}
