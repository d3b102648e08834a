/** The SQL by which is kept what a job did for an instance on a day. */
import type { RunWork } from '@kvitt/domain/runs/run.ts'
import { statement, type Connection, type Transaction } from '../platform/database/database.ts'
import { tasksOf } from '../tasks/tasks.ts'

export type RunKey = { readonly instanceId: string; readonly id: string }
export type WorkOfDay = { readonly instanceId: string; readonly work: RunWork; readonly day: string }

const cutOff = statement(
  'runs.cutOff',
  `update job_run set status = 'CUT_OFF', ended_at = greatest(started_at, $4)
   where instance_id = $1 and work = $2 and day <= $3 and status = 'RUNNING'`,
)

/** What runs by its row, while we hold its work, has no process any more. */
export async function cutOffRows(tx: Transaction, { instanceId, work, day }: WorkOfDay, at: string) {
  await tx.rows(cutOff, [instanceId, work, day, at])
}

/** The one that somebody wants, else the one of this day that has not come to its end. */
const goOn = statement(
  'runs.goOn',
  `update job_run r set status = 'RUNNING', day = $3, started_at = coalesce(r.started_at, $4), ended_at = null, error = null,
     begun_at = statement_timestamp(), tries = r.tries + 1, listed_at = coalesce(r.started_at, $4)
   from (
     select id from job_run where instance_id = $1 and work = $2
       and (status = 'ASKED' or day = $3 and status in ('WAITS', 'FAILED', 'CUT_OFF')
         and id = (select id from job_run where instance_id = $1 and work = $2 and day = $3 order by listed_at desc, id desc limit 1))
     order by (status = 'ASKED') desc limit 1 for update) as next
   where r.instance_id = $1 and r.id = next.id returning r.id`,
)

const insert = statement(
  'runs.insert',
  `insert into job_run (instance_id, id, work, day, status, started_at, begun_at, tries, listed_at)
   values ($1, $2, $3, $4, 'RUNNING', $5, statement_timestamp(), 1, $5)`,
)

/** Begins a run, or goes on with one; answers which. */
export async function beginRunRow(
  tx: Transaction,
  work: WorkOfDay,
  { id, at }: { readonly id: string; readonly at: string },
): Promise<string> {
  const [next] = await tx.rows<{ id: string }>(goOn, [work.instanceId, work.work, work.day, at])
  if (next) return next.id
  await tx.rows(insert, [work.instanceId, id, work.work, work.day, at])
  return id
}

/** Names with counts are added up over the tries. What was left is as the last try left it. */
const end = statement(
  'runs.end',
  `update job_run r set status = $3, ended_at = greatest(r.started_at, $4), error = $5,
     took_ms = coalesce(r.took_ms, 0) + (extract(epoch from clock_timestamp() - r.begun_at) * 1000)::bigint,
     done = (select coalesce(jsonb_object_agg(name, n), '{}') from (
       select name, sum(n) as n from (
         select key as name, value::bigint as n from jsonb_each_text(r.done)
         union all select key, value::bigint from jsonb_each_text($6)) one
       group by name having sum(n) > 0) of),
     quarantined = (select coalesce(jsonb_agg(jsonb_build_object('about', about, 'error', coalesce(details ->> 'error', '')) order by about), '[]')
       from (select about, details from ${tasksOf(['work_stuck'])} k where k.instance_id = $1
         and k.met_at >= r.begun_at and not exists (select from unnest($7::text[]) begins where starts_with(k.about, begins))
       order by about limit 100) stuck)
   where r.instance_id = $1 and r.id = $2 and r.status = 'RUNNING'`,
)

export async function endRunRow(
  db: Connection,
  { instanceId, id }: RunKey,
  ended: {
    readonly status: 'DONE' | 'WAITS' | 'FAILED'
    readonly at: string
    readonly error: string | null
    readonly done: Readonly<Record<string, number>>
    /** Begin what no run meets: it is left out of what this one has left. */
    readonly butFor: readonly string[]
  },
): Promise<void> {
  const { status, at, error, done, butFor } = ended
  await db.rows(end, [instanceId, id, status, at, error, JSON.stringify(done), butFor])
}

const ask = statement(
  'runs.ask',
  `insert into job_run (instance_id, id, work, day, status, asked_by, asked_at, listed_at)
   values ($1, $2, $3, $4, 'ASKED', $5, $6, $6)
   on conflict (instance_id, work) where status = 'ASKED' do nothing returning id`,
)
const asked = statement(
  'runs.asked',
  `select id from job_run where instance_id = $1 and work = $2 and status = 'ASKED'`,
)

/** Asks for a run; answers its id, and whether somebody had asked for the same. Undefined when that has just begun. */
export async function askForRunRow(
  tx: Transaction,
  work: WorkOfDay,
  { id, by, at }: { readonly id: string; readonly by: string; readonly at: string },
): Promise<{ readonly id: string; readonly isNew: boolean } | undefined> {
  const of = [work.instanceId, id, work.work, work.day, by, at]
  if ((await tx.rows(ask, of)).length > 0) return { id, isNew: true }
  const [before] = await tx.rows<{ id: string }>(asked, [work.instanceId, work.work])
  return before && { id: before.id, isNew: false }
}

const allAsked = statement(
  'runs.allAsked',
  `select instance_id as "instanceId", work from job_run where status = 'ASKED' order by asked_at`,
)

/** What people want to have run, the first first. */
export function readAskedRuns(db: Connection): Promise<{ instanceId: string; work: RunWork }[]> {
  return db.rows(allAsked)
}
