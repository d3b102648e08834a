/** The SQL of tasks. */
import type { TaskKind } from '@kvitt/domain/tasks/task-kind.ts'
import {
  statement,
  type Connection,
  type Statement,
  type Transaction,
} from '../platform/database/database.ts'

export type NewTask = {
  readonly instanceId: string
  readonly kind: TaskKind
  /** Names the cause, such as `payment:{id}`: the same cause is asked about once. No personal data. */
  readonly about: string
  readonly details: object
  /** YYYY-MM-DD: the day of the cause, where it has one of its own; else today. The time to act counts from it. */
  readonly madeOn?: string
}

/** Each of them once; today is that of the product's clock, which the demo moves. */
const NEW_TASKS = `insert into task (instance_id, id, kind, about, details, made_on)
   select n.instance_id, gen_random_uuid(), n.kind, n.about, n.details,
     coalesce(n.made_on,
       ((now() at time zone i.time_zone) + make_interval(days => coalesce((select days from clock_shift), 0)))::date)
   from unnest($1::uuid[], $2::text[], $3::text[], $4::jsonb[], $5::date[]) as n (instance_id, kind, about, details, made_on)
   join instance i on i.id = n.instance_id`

/** `stands`: which tasks are left as they are but for `met_at`. */
const opening = (name: string, stands: string) =>
  statement(
    name,
    `${NEW_TASKS} on conflict (instance_id, kind, about) do update set
       met_at = statement_timestamp(), done_at = null, done_by = null,
       opened_at = case when task.done_at is null then task.opened_at else statement_timestamp() end,
       made_on = case when task.done_at is null then task.made_on else excluded.made_on end,
       snoozed_until = case when task.done_at is null then task.snoozed_until end,
       details = case when task.done_at is null then task.details else excluded.details end
     where ${stands} returning about, opened_at = met_at as is_new`,
  )
/** What a person decided stands: the same is not asked again. */
const open = opening('tasks.open', 'task.done_at is null or task.done_by is null')
const reopen = opening('tasks.reopen', 'true')

/** In one order for everybody, so that two transactions that meet the same causes wait, never deadlock. */
function columns(unsorted: readonly NewTask[]): unknown[] {
  const tasks = unsorted.toSorted((a, b) => (a.about < b.about ? -1 : 1))
  return [
    tasks.map((task) => task.instanceId),
    tasks.map((task) => task.kind),
    tasks.map((task) => task.about),
    tasks.map((task) => JSON.stringify(task.details)),
    tasks.map((task) => task.madeOn ?? null),
  ]
}

async function newOf(db: Connection, sql: Statement, tasks: readonly NewTask[]): Promise<string[]> {
  if (tasks.length === 0) return []
  const rows = await db.rows<{ about: string; is_new: boolean }>(sql, columns(tasks))
  return rows.filter(({ is_new: isNew }) => isNew).map(({ about }) => about)
}

/** Makes the tasks, and opens again what had ended by itself. Answers the `about` of both. */
export function insertTaskRows(db: Connection, tasks: readonly NewTask[]): Promise<string[]> {
  return newOf(db, open, tasks)
}

/** As insertTaskRows, in a statement that is not waited for. */
export function sendTaskRows(tx: Transaction, tasks: readonly NewTask[]): void {
  if (tasks.length > 0) tx.send(open, columns(tasks))
}

/** As insertTaskRows; opens also again what a person had done. */
export function reopenTaskRows(db: Connection, tasks: readonly NewTask[]): Promise<string[]> {
  return newOf(db, reopen, tasks)
}

const endOpen = statement(
  'tasks.endOpen',
  `update task set done_at = now(), done_by = $4
   where instance_id = $1 and kind = $2 and about = any ($3) and done_at is null returning about`,
)

export type EndedTasks = {
  readonly instanceId: string
  readonly kind: TaskKind
  readonly abouts: readonly string[]
  /** The person who decided; left out when the cause is gone. */
  readonly by?: string
}

/** Ends those of the tasks that are open. Answers their `about`. */
export async function endTaskRows(db: Connection, ended: EndedTasks): Promise<string[]> {
  const { instanceId, kind, abouts, by = null } = ended
  if (abouts.length === 0) return []
  const rows = await db.rows<{ about: string }>(endOpen, [instanceId, kind, abouts, by])
  return rows.map(({ about }) => about)
}

const move = statement(
  'tasks.move',
  `update task set made_on = $4::date where instance_id = $1 and kind = $2 and about = $3 and done_at is null`,
)

/** The open task counts from another day. */
export async function moveTaskRow(
  db: Connection,
  { instanceId, kind, about, madeOn }: Omit<NewTask, 'details' | 'madeOn'> & { readonly madeOn: string },
): Promise<void> {
  await db.rows(move, [instanceId, kind, about, madeOn])
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

const endUnder = statement(
  'tasks.endUnder',
  `update task set done_at = now()
   where instance_id = $1 and kind = $2 and done_at is null and starts_with(about, $3)`,
)

/** Ends what is open of a kind about whatever begins with `under`. */
export async function endUnderRows(
  db: Connection,
  { instanceId, kind, under }: { instanceId: string; kind: TaskKind; under: string },
): Promise<void> {
  await db.rows(endUnder, [instanceId, kind, under])
}

const endUnmet = statement(
  'tasks.endUnmet',
  `update task set done_at = now()
   where instance_id = $1 and kind = any ($2) and done_at is null and met_at < $3
     and not exists (select from unnest($4::text[]) begins where starts_with(about, begins))
   returning about`,
)

/** Ends open tasks of these kinds whose cause has not been met since a moment, but for those about what begins so. */
export async function endUnmetRows(
  db: Connection,
  unmet: {
    readonly instanceId: string
    readonly kinds: readonly TaskKind[]
    readonly since: string
    readonly butFor: readonly string[]
  },
): Promise<string[]> {
  const values = [unmet.instanceId, unmet.kinds, unmet.since, unmet.butFor]
  return (await db.rows<{ about: string }>(endUnmet, values)).map(({ about }) => about)
}

const moment = statement('tasks.moment', 'select statement_timestamp()::text as now')

/** The database's own time, to compare with when a cause was met. */
export async function readMoment(db: Connection): Promise<string> {
  return (await db.rows<{ now: string }>(moment))[0]?.now ?? ''
}

/** SQL for the identifier behind `prefix` in what a task is about; null when there is none, so that nothing matches. */
export const idIn = (about: string, prefix: string): string =>
  `case when ${about} ~ '^${prefix}[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then substr(${about}, ${prefix.length + 1})::uuid end`

/**
 * The end of a statement that ends causes: `ended` selects instance_id and about of what is gone, and the tasks of a kind about
 * it end with it.
 */
export function endingTasks(kind: TaskKind, ended: string): string {
  return `update task set done_at = now() from (${ended}) gone
    where task.instance_id = gone.instance_id and task.kind = '${kind}' and task.about = gone.about
      and task.done_at is null`
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
 * columns instance_id, id, creditor_id, kind, about, details, made_on, created_at and met_at.
 */
export function tasksOf(kinds: readonly TaskKind[], which: 'open' | 'all' = 'open'): string {
  const named = kinds.map((kind) => `'${kind}'`).join(', ')
  return `(select instance_id, id, creditor_id, kind, about, details, made_on, created_at, met_at from task
     where kind in (${named})${which === 'open' ? ' and done_at is null' : ''})`
}

const countOpen = statement(
  'tasks.countOpen',
  `select count(*)::int as open,
     (count(*) filter (where t.snoozed_until > (to_timestamp($2 / 1000.0) at time zone i.time_zone)::date))::int as aside
   from task t join instance i on i.id = t.instance_id where t.done_at is null and t.kind = any ($1)`,
)

/** Of the open tasks, `aside` are out of the list until their day. */
export type OpenTasks = { readonly open: number; readonly aside: number }

/** How many tasks of these kinds are open at `nowMs`, of all instances. */
export async function countOpenTaskRows(
  db: Connection,
  kinds: readonly TaskKind[],
  nowMs: number,
): Promise<OpenTasks> {
  return (await db.rows<OpenTasks>(countOpen, [kinds, nowMs]))[0] ?? { open: 0, aside: 0 }
}

export type TaskRow = {
  readonly instance_id: string
  readonly id: string
  readonly kind: TaskKind
  readonly about: string
  readonly details: Readonly<Record<string, unknown>>
  readonly made_on: string
  readonly done_at: string | null
  readonly done_by: string | null
  /** Who looks after it, and the day on which it is back in the list; null: nobody in particular, and it is there. */
  readonly assignee: string | null
  readonly snoozed_until: string | null
  /** The provider's alias, and whose bank days its clocks keep. */
  readonly alias: string
  readonly country: string
  readonly time_zone: string
}

const TASKS = `select t.instance_id, t.id, t.kind, t.about, t.details, t.made_on, t.done_at, t.done_by, t.assignee,
   t.snoozed_until::text as snoozed_until, i.url_alias as alias, i.country, i.time_zone from task t join instance i on i.id = t.instance_id`

const listOpen = statement(
  'tasks.list',
  `${TASKS} where t.done_at is null and ($1::uuid is null or t.instance_id = $1) and ($2::text is null or t.kind = $2)
   order by i.url_alias, t.opened_at, t.id`,
)

/** Open tasks, the oldest first, of one instance or of all (null), of one kind or of all (null). */
export function listTaskRows(
  db: Connection,
  { instanceId, kind }: { readonly instanceId: string | null; readonly kind: TaskKind | null },
): Promise<TaskRow[]> {
  return db.rows<TaskRow>(listOpen, [instanceId, kind])
}

const oneTask = statement('tasks.one', `${TASKS} where t.instance_id = $1 and t.id = $2`)

/** The task, open or done; undefined when the instance has none of that name. */
export async function readTaskRow(
  db: Connection,
  { instanceId, id }: { readonly instanceId: string; readonly id: string },
): Promise<TaskRow | undefined> {
  return (await db.rows<TaskRow>(oneTask, [instanceId, id]))[0]
}

const endingSo = statement(
  'tasks.endingSo',
  `select id from task where instance_id = $1 and right(id::text, length($2)) = $2 order by done_at is null desc, id limit 2`,
)

/** The ids that end so, of open tasks first; more than one is told by two. */
export async function readTaskIdsEnding(
  db: Connection,
  { instanceId, ending }: { readonly instanceId: string; readonly ending: string },
): Promise<string[]> {
  return (await db.rows<{ id: string }>(endingSo, [instanceId, ending])).map(({ id }) => id)
}
