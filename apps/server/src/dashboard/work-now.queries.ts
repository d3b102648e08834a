/** The SQL of what waits and of how counterparties answer: of the instance $1. Each is found through an index, whatever lies beside it. */
import { ALL_TASKS } from '@kvitt/domain/tasks/task-kind.ts'
import type { Counterparty, StuckKind } from '@kvitt/domain/dashboard/dashboard.ts'
import { statement, type Connection } from '../platform/database/database.ts'
import { amount, asWritten, instantText, sqlJson, word } from '../platform/database/sql-json.ts'
import { ofAll, ofCreditor, type Whose } from '../staff/office-list.ts'
import { tasksOf } from '../tasks/tasks.ts'

const list = (rows: string): ReturnType<typeof asWritten> =>
  asWritten(`'[' || coalesce((${rows}), '') || ']'`)

const tasksCounted = (whose: Whose): string => `select string_agg(${sqlJson({
  kind: word('s.kind'),
  count: asWritten('s.count::text'),
})}, ',' order by s.count desc, s.kind)
  from (select k.kind, count(*) as count from ${tasksOf(ALL_TASKS)} k
    where k.instance_id = $1 and ${whose('k.creditor_id')} group by k.kind) s`

/** What nobody could place is no one creditor's, unless it came to that creditor's own account. */
const suspenseOf = (isOne: boolean): string => `select string_agg(${sqlJson({
  currency: word('s.currency'),
  count: asWritten('s.count::text'),
  amount: amount('s.minor'),
  oldest: word('s.oldest'),
})}, ',' order by s.currency)
  from (select l.currency, count(*) as count, sum(l.amount_minor) as minor, min(l.bank_date) as oldest from bank_line l
    where l.instance_id = $1 and l.status = 'SUSPENSE' and l.kind = 'PAYMENT'
      ${isOne ? 'and l.creditor_ids @> array[$2::uuid]' : ''} group by l.currency) s`

const waitingOf = (name: string, whose: Whose, isOne: boolean) =>
  statement(
    name,
    `select ${sqlJson({ tasks: list(tasksCounted(whose)), suspense: list(suspenseOf(isOne)) })} as json`,
  )
const ofOne = waitingOf('dashboard.waiting', ofCreditor, true)
const ofEach = waitingOf('dashboard.waiting.all', ofAll, false)

/** What waits for a person, as the wire has it. */
export async function readWaiting(
  db: Connection,
  of: { readonly instanceId: string; readonly creditorId: string | null },
): Promise<string> {
  const { instanceId, creditorId } = of
  const [row] = await db.rows<{ json: string }>(creditorId === null ? ofEach : ofOne, [
    instanceId,
    creditorId,
  ])
  return row?.json ?? ''
}

/** What should have left by now has been due for longer than a busy minute. */
const LATE = `interval '10 minutes'`

const STUCK: Readonly<Record<StuckKind, string>> = {
  MESSAGES_DEAD: `select count(*) as n, min(created_at) as since from mail_outbox where instance_id = $1 and status = 'DEAD'`,
  MESSAGES_LATE: `select count(*), min(next_at) from mail_outbox
     where instance_id = $1 and status = 'WAITING' and next_at < now() - ${LATE}`,
  // Of each work its newest day alone: what failed before has been done since.
  RUNS_FAILED: `select count(*), min(r.listed_at) from (select distinct work from job_run where instance_id = $1) w
     cross join lateral (select status, listed_at from job_run
       where instance_id = $1 and work = w.work order by day desc, listed_at desc limit 1) r
     where r.status in ('FAILED', 'CUT_OFF')`,
  PAYMENTS_UNCLEAR: `select count(*), min(p.changed_at) from (
       select changed_at from payment where instance_id = $1 and status in ('CREATED', 'IN_PROGRESS', 'AUTHORIZED') and is_stale
       union all
       select changed_at from payment where instance_id = $1 and status = 'FAILED' and is_outcome_unknown) p`,
  BANK_LINES_WAITING: `select count(*), min(f.received_at) from bank_line l
     join bank_file f on f.instance_id = l.instance_id and f.id = l.file_id
     where l.instance_id = $1 and l.status = 'WAITING' and f.received_at < now() - ${LATE}`,
  WEBHOOKS_OFF: `select count(*), min(off_since) from webhook
     where instance_id = $1 and removed_at is null and off_reason in ('FAILED', 'GONE')`,
}

const stuck = statement(
  'dashboard.stuck',
  Object.entries(STUCK)
    .map(
      ([kind, sql]) =>
        `select '${kind}' as kind, x.n::int as count, ${instantText('x.since')} as since from (${sql}) x (n, since) where x.n > 0`,
    )
    .join(' union all '),
)

export type StuckRow = { readonly kind: StuckKind; readonly count: number; readonly since: string }

export function readStuck(db: Connection, instanceId: string): Promise<StuckRow[]> {
  return db.rows<StuckRow>(stuck, [instanceId])
}

/** So many of its newest messages say how a channel does: a night writes a hundred thousand, most of them of one channel. */
const NEWEST = 1000

/** `waiting`: asked and not answered in time. `failed`: refused for good. `isLastFailed`: nothing went through after that. */
/** Each by its name: the planner then knows that few are of it, and goes by the channel. */
const newestOf = (
  channel: string,
): string => `(select channel, status, sent_at, next_at, created_at from mail_outbox
       where instance_id = $1 and channel = '${channel}' and created_at >= $3::timestamptz
       order by created_at desc limit ${NEWEST})`

const health = statement(
  'dashboard.health',
  `with paid as (
     select gateway as counterparty,
       max(changed_at) filter (where status in ('AUTHORIZED', 'COMPLETED')) as last_at,
       count(*) filter (where status in ('CREATED', 'IN_PROGRESS', 'AUTHORIZED') and is_stale or is_outcome_unknown) as waiting,
       count(*) filter (where status = 'FAILED' and failure = 'never_made') as failed,
       max(changed_at) filter (where status = 'FAILED' and failure = 'never_made') as failed_at
     from payment where instance_id = $1 and id >= $2::uuid and gateway in ('DIRECT_BANK', 'SWISH') group by gateway
   ), sent as (
     select channel as counterparty, max(sent_at) as last_at,
       count(*) filter (where status = 'WAITING' and next_at < now() - ${LATE}) as waiting,
       count(*) filter (where status = 'DEAD') as failed, max(created_at) filter (where status = 'DEAD') as failed_at
     from (${['EMAIL', 'SMS', 'LETTER'].map(newestOf).join(' union all ')}) m
     group by channel
   ), files as (
     select 'BANK' as counterparty, (select max(received_at) from bank_file where instance_id = $1) as last_at, 0::bigint as waiting,
       count(*) as failed, max(k.created_at) as failed_at
     from ${tasksOf(['bank_file_missing', 'bank_file_gap', 'bank_file_refused'])} k where k.instance_id = $1
   ), tried as (
     select t.kind as counterparty, max(t.tried_at) filter (where t.is_accepted) as last_at, 0::bigint as waiting,
       count(*) filter (where not t.is_accepted) as failed, max(t.tried_at) filter (where not t.is_accepted) as failed_at
     from credential_trial t where t.instance_id = $1 group by t.kind)
   select counterparty, ${instantText('max(last_at)')} as "lastAt", sum(waiting)::int as waiting, sum(failed)::int as failed,
     coalesce(max(failed_at) > coalesce(max(last_at), '-infinity'), false) as "isLastFailed",
     coalesce(max(last_at) >= $3::timestamptz, false) as "isHeard"
   from (select * from paid union all select * from sent union all select * from files union all select * from tried) x
   group by counterparty`,
)

export type HealthRow = {
  readonly counterparty: Counterparty
  readonly lastAt: string | null
  readonly waiting: number
  readonly failed: number
  readonly isLastFailed: boolean
  readonly isHeard: boolean
}

/** `firstId`: the lowest identifier of a moment, and `from` that moment, since which it is looked. */
export function readHealth(
  db: Connection,
  instanceId: string,
  { firstId, from }: { readonly firstId: string; readonly from: string },
): Promise<HealthRow[]> {
  return db.rows<HealthRow>(health, [instanceId, firstId, from])
}
