/**
 * The SQL of what is measured by provider, of all providers in each statement. Of a table that grows no more is read than a
 * provider's newest rows, a day of it, or MOST rows of what waits, each by an index: of suspense and of each kind of task the
 * oldest of a provider, of messages and webhooks those that are due first, of the other queues any.
 */
import type { TaskKind } from '@kvitt/domain/tasks/task-kind.ts'
import type { Clock } from '../platform/clock.ts'
import { statement, type Connection } from '../platform/database/database.ts'
import { tasksOf } from '../tasks/tasks.ts'

/** A hundred thousand letters wait after a great night: that it is so many, no alarm needs to know. */
const MOST = 10_000

const ageOf = (moment: string): string => `extract(epoch from now() - ${moment})::float8`

const runs = statement(
  'watch.runs',
  `select i.url_alias as provider, i.time_zone as "timeZone", n.day::text as day,
     extract(epoch from r.ended_at)::float8 as "endedAt", r.took_ms::float8 / 1000 as seconds
   from instance i
   left join lateral (select day from collection_night where instance_id = i.id order by day desc limit 1) n on true
   left join lateral (select ended_at, took_ms from job_run
     where instance_id = i.id and work = 'DAILY_RUN' and status = 'DONE' order by day desc, listed_at desc limit 1) r on true`,
)

export type RunRow = {
  readonly provider: string
  readonly timeZone: string
  /** The last day whose run has ended; null when there was none. */
  readonly day: string | null
  /** Of that which was done last, in seconds since 1970; how long it took, where that was measured. */
  readonly endedAt: number | null
  readonly seconds: number | null
}

export function readRuns(db: Connection): Promise<RunRow[]> {
  return db.rows<RunRow>(runs)
}

const files = statement(
  'watch.files',
  `select i.url_alias as provider, extract(epoch from l.received_at)::float8 as "lastAt",
     (select count(*)::int from bank_file where instance_id = i.id and received_at > now() - interval '1 day') as day
   from instance i
   left join lateral (select received_at from bank_file where instance_id = i.id order by received_at desc limit 1) l on true`,
)

export type FilesRow = {
  readonly provider: string
  /** When the last file came, in seconds since 1970. */
  readonly lastAt: number | null
  /** How many came in 24 hours. */
  readonly day: number
}

export function readFiles(db: Connection): Promise<FilesRow[]> {
  return db.rows<FilesRow>(files)
}

const suspense = statement(
  'watch.suspense',
  `select i.url_alias as provider, l.currency, count(*)::int as lines, sum(l.amount_minor)::float8 as minor, min(l.bank_date)::text as day
   from instance i cross join lateral (
     select currency, amount_minor, bank_date from bank_line where instance_id = i.id and status = 'SUSPENSE' and kind = 'PAYMENT'
     order by bank_date limit ${MOST}) l
   group by 1, 2`,
)

export type SuspenseRow = {
  readonly provider: string
  readonly currency: string
  readonly lines: number
  readonly minor: number
  /** The bank's day of the oldest. */
  readonly day: string
}

/** Of the MOST oldest lines of each provider. */
export function readSuspense(db: Connection): Promise<SuspenseRow[]> {
  return db.rows<SuspenseRow>(suspense)
}

const outbox = statement(
  'watch.outbox',
  `select i.url_alias as provider, m.channel as way, m.n as waiting, m.oldest from (
     select instance_id, channel, count(*)::int as n, ${ageOf('min(created_at)')} as oldest
     from (select instance_id, channel, created_at from mail_outbox where status = 'WAITING' order by next_at limit ${MOST}) w
     group by 1, 2) m join instance i on i.id = m.instance_id`,
)

export type WaitingMailRow = {
  readonly provider: string
  readonly way: string
  readonly waiting: number
  /** For how many seconds the oldest of them has waited. */
  readonly oldest: number
}

/** Of the MOST messages that are due first. */
export function readWaitingMail(db: Connection): Promise<WaitingMailRow[]> {
  return db.rows<WaitingMailRow>(outbox)
}

/** By the day they were made on: each kind's last day follows from that. Of each provider and kind the MOST oldest. */
export const openTasksOf = (kinds: readonly TaskKind[]) => {
  const tasks = statement(
    'watch.tasks',
    `select i.url_alias as provider, i.country, i.time_zone as "timeZone", t.kind, t.made_on::text as "madeOn", count(*)::int as tasks
     from instance i cross join unnest(array[${kinds.map((kind) => `'${kind}'`).join(', ')}]) k (kind)
     cross join lateral (select kind, made_on from ${tasksOf(kinds)} o
       where o.instance_id = i.id and o.kind = k.kind order by created_at limit ${MOST}) t
     group by 1, 2, 3, 4, 5`,
  )
  return (db: Connection): Promise<OpenTasksRow[]> => db.rows<OpenTasksRow>(tasks)
}

export type OpenTasksRow = {
  readonly provider: string
  readonly country: string
  readonly timeZone: string
  readonly kind: TaskKind
  readonly madeOn: string
  readonly tasks: number
}

const money = statement(
  'watch.money',
  `with d as (select i.id, i.url_alias, d.today from unnest($1::uuid[], $2::date[]) d (id, today) join instance i on i.id = d.id)
   select f.url_alias as provider, f.currency, f.method, sum(f.n)::int as n, sum(f.minor)::float8 as minor
   from (
     select d.url_alias, k.currency, k.method, k.n, k.minor from d cross join lateral (
       select currency, method, n, minor from figure_kept where instance_id = d.id
         and creditor_id = '00000000-0000-0000-0000-000000000000' and figure = 'IN' and day = d.today) k
     union all
     select d.url_alias, m.currency, m.method, m.n, m.minor from figure_move m join d on d.id = m.instance_id and d.today = m.day
     where m.figure = 'IN') f
   group by 1, 2, 3`,
)

export type MoneyRow = {
  readonly provider: string
  readonly currency: string
  /** The clearing account that it came to: a gateway's or the bank files'. */
  readonly method: string
  readonly n: number
  readonly minor: number
}

const zones = statement('watch.zones', 'select id, time_zone as "timeZone" from instance')

/** What was booked today, on each provider's day. */
export async function readMoney(db: Connection, clock: Clock): Promise<MoneyRow[]> {
  const all = await db.rows<{ id: string; timeZone: string }>(zones)
  const days = all.map(({ timeZone }) => clock.today(timeZone))
  return db.rows<MoneyRow>(money, [all.map(({ id }) => id), days])
}

/**
 * What waits to be done by a job: [name, what is selected of whom, since when, and of how many]. What is not due yet does not wait.
 */
const QUEUES: readonly (readonly [name: string, rows: string])[] = [
  ['gateway_events', 'instance_id, received_at, 1 from gateway_event where applied_at is null and parked_reason is null'],
  ['imports', 'instance_id, created_at, 1 from import where work is not null'],
  ['bank_lines', `l.instance_id, f.received_at, l.n from (
       select instance_id, file_id, count(*) from (select instance_id, file_id from bank_line where status = 'WAITING' limit ${MOST}) w
       group by instance_id, file_id) l (instance_id, file_id, n)
     cross join lateral (select received_at from bank_file where instance_id = l.instance_id and id = l.file_id) f`],
  ['webhooks', `instance_id, next_try_at, 1 from webhook_delivery where status = 'WAITING' and next_try_at < now()
     order by next_try_at`],
  ['acts', `instance_id, due_at, 1 from waiting_act where state = 'WAITING' and due_at < now()`],
  ['bulk_acts', 'instance_id, made_at, 1 from bulk_act where ended_at is null'],
  ['asked_runs', `instance_id, asked_at, 1 from job_run where status = 'ASKED'`],
] // biome-ignore format: a table

const queues = statement(
  'watch.queues',
  `select i.url_alias as provider, q.queue, q.n as waiting, q.oldest from (${QUEUES.map(
    ([name, rows]) =>
      `select '${name}' as queue, instance_id, sum(n)::int as n, ${ageOf('min(since)')} as oldest
       from (select ${rows} limit ${MOST}) r (instance_id, since, n) group by instance_id`,
  ).join(' union all ')}) q join instance i on i.id = q.instance_id`,
)

export type QueueRow = {
  readonly provider: string
  readonly queue: string
  readonly waiting: number
  /** For how many seconds the oldest has waited. */
  readonly oldest: number
}

/** Of each queue at most MOST of all providers; one in which nothing waits has no row. */
export function readQueues(db: Connection): Promise<QueueRow[]> {
  return db.rows<QueueRow>(queues)
}
