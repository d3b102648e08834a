/** The SQL of what is over its time. What erases are functions of the database, which look for themselves whether it is over. */
import type { RetentionKind } from '@kvitt/domain/data-protection/retention.ts'
import { statement, type Connection } from '../platform/database/database.ts'
import { instantText } from '../platform/database/sql-json.ts'

/**
 * An invoice `i`, with its end `o`, that may be archived. A bill of a plan is never archived: its plan would say that it was stopped;
 * nor one that was stopped with something left on it (inv_i15).
 */
const TO_ARCHIVE = `o.ended_on <= current_date - interval '24 months'
    and i.status in ('CLOSED', 'STOPPED') and i.balance_minor = 0 and i.claim_id is null and i.type in ('INVOICE', 'INTEREST_INVOICE', 'MEMBERSHIP_FEE')
    and not exists (select from part_payment_member m where m.instance_id = i.instance_id and m.debt_id = i.id)`

/**
 * What is over, as (kind, subject_id, since), of the instance $1 and, unless null, of the debtor $2 alone. What has gone is not found
 * again, except what came after. No books are kept for less than five years: younger debtors are not asked about one by one.
 */
export const ALL_OVER = `
  select 'ARCHIVE' as kind, o.debt_id as subject_id, o.ended_on as since from debt_over o
  join invoice i on i.instance_id = o.instance_id and i.id = o.debt_id
  where o.instance_id = $1 and ($2::uuid is null or o.debtor_id = $2) and ${TO_ARCHIVE}
  union all
  select 'NEWS', e.payment_id, min(e.received_at)::date from gateway_event e
  join payment p on p.instance_id = e.instance_id and p.id = e.payment_id
  where e.instance_id = $1 and e.body <> '{}' and e.received_at < now() - interval '13 months'
    and (e.applied_at is not null or e.parked_reason is not null) and not is_asked_about(e.instance_id, e.payment_id)
    and ($2::uuid is null or exists (select from invoice i where i.instance_id = $1 and i.debtor_id = $2 and i.id = p.debt_id)
      or exists (select from claim c where c.instance_id = $1 and c.debtor_id = $2 and c.id = p.debt_id))
  group by e.payment_id
  union all
  select 'CASE', o.debt_id, o.ended_on from debt_over o
  where o.instance_id = $1 and ($2::uuid is null or o.debtor_id = $2) and o.ended_on <= current_date - interval '36 months' and (
    exists (select from dispute s where s.instance_id = $1 and s.debt_id = o.debt_id and s.reason <> '[erased]')
    or exists (select from conversation v join conversation_message m on m.instance_id = v.instance_id and m.conversation_id = v.id
      where v.instance_id = $1 and v.debt_id = o.debt_id and m.text <> '[erased]')
    or exists (select from mail_outbox m where m.instance_id = $1 and coalesce(m.claim_id, m.invoice_id) = o.debt_id
      and m.status <> 'WAITING' and (m.recipient <> '[erased]' or m.subject <> '[erased]' or m.text_body <> '[erased]'))
    or exists (select from direct_payment p where p.instance_id = $1 and (p.invoice_id = o.debt_id or p.claim_id = o.debt_id)
      and p.note is not null))
  union all
  select 'CASE', q.id, q.answered_on from data_request q
  where q.instance_id = $1 and ($2::uuid is null or q.debtor_id = $2) and q.answered_on <= current_date - interval '36 months'
    and (q.words <> '[erased]' or q.reason <> '[erased]' or q.extension_reason <> '[erased]' or has_notes(q.instance_id, 'data-request:' || q.id))
  union all
  select 'BOOKS', d.id, k.until from debtor d cross join lateral (select person_kept_until(d.instance_id, d.id) as until) k
  where d.instance_id = $1 and ($2::uuid is null or d.id = $2) and d.created_at < now() - interval '5 years' and k.until <= current_date
    and (d.identity <> 'erased ' || d.id or has_later_words(d.instance_id, d.id))
  union all
  select 'FILES', f.id, books_kept_until(n.country, f.execution_on) from payout_file f join instance n on n.id = f.instance_id
  where f.instance_id = $1 and $2::uuid is null and f.kind = 'REFUND' and f.content <> '[erased]'
    and books_kept_until(n.country, f.execution_on) <= current_date`

/** Without what a legal hold keeps, or an open request. */
const OVER = `select o.* from (${ALL_OVER}) o
  where not exists (select from held_subject h where h.instance_id = $1 and h.subject_id = o.subject_id)`

/** Of one run: the rest is found by the next. */
const MOST = 20_000

const NOT_UNDER_WAY = `not exists (select from retention_item k join retention_run w on w.instance_id = k.instance_id and w.id = k.run_id
       where k.instance_id = $1 and w.status = 'APPROVED' and w.id <> r.id and k.kind = o.kind and k.subject_id = o.subject_id)`
/** What is over is looked for once, for the run and for its items. */
const findAll = statement(
  'retention.findAll',
  `with over as materialized (${OVER.replaceAll('$2::uuid', 'null::uuid').replaceAll('= $2', '= null::uuid')}),
   opened as (
     insert into retention_run (instance_id, id, status) select $1, $2, 'FOUND' where exists (select from over)
     on conflict (instance_id) where status = 'FOUND' do nothing returning id)
   insert into retention_item (instance_id, run_id, kind, subject_id, since)
   select $1, r.id, o.kind, o.subject_id, o.since
   from (select id from opened union all select id from retention_run where instance_id = $1 and status = 'FOUND') r, over o
   where ${NOT_UNDER_WAY} order by o.since limit ${MOST} on conflict do nothing`,
)
const addFound = statement(
  'retention.addFound',
  `insert into retention_item (instance_id, run_id, kind, subject_id, since)
   select $1, r.id, o.kind, o.subject_id, o.since
   from retention_run r, (${OVER}) o
   where r.instance_id = $1 and r.id = $3 and ${NOT_UNDER_WAY}
   order by o.since limit ${MOST} on conflict do nothing`,
)

/** Finds what is over at an instance, once for the run that nobody has approved yet: what it had found is not found twice. */
export async function findOver(tx: Connection, instanceId: string, newRunId: string): Promise<void> {
  await tx.rows(findAll, [instanceId, newRunId])
}

const countOver = statement(
  'retention.countOver',
  `select o.kind, count(*)::int as count from (${OVER}) o group by o.kind order by o.kind`,
)

export type OverCount = { readonly kind: RetentionKind; readonly count: number }

/** How much of a person's is over, by kind. */
export function countOverOf(db: Connection, instanceId: string, debtorId: string): Promise<OverCount[]> {
  return db.rows<OverCount>(countOver, [instanceId, debtorId])
}

const openOfOne = statement(
  'retention.openOfOne',
  `insert into retention_run (instance_id, id, debtor_id, status, approved_by, reason, approved_at)
   values ($1, $2, $3, 'APPROVED', $4, $5, now())`,
)

export type RunOfOne = {
  readonly instanceId: string
  readonly id: string
  readonly debtorId: string
  readonly by: string
  readonly reason: string
}

/** A run of one person who asked, approved as it is made. */
export async function insertRunOfOne(tx: Connection, run: RunOfOne): Promise<void> {
  await tx.rows(openOfOne, [run.instanceId, run.id, run.debtorId, run.by, run.reason])
  await tx.rows(addFound, [run.instanceId, run.debtorId, run.id])
}

const lockRun = statement(
  'retention.lockRun',
  `select r.status, r.approved_by, (select count(*)::int from retention_item k where k.instance_id = r.instance_id and k.run_id = r.id) as count,
     (select count(*)::int from retention_item k where k.instance_id = r.instance_id and k.run_id = r.id and k.state = 'FOUND'
       and k.subject_id in (select h.subject_id from held_subject h where h.instance_id = $1)) as held
   from retention_run r where r.instance_id = $1 and r.id = $2 and r.debtor_id is null for update`,
)

export type LockedRun = {
  readonly status: 'FOUND' | 'APPROVED' | 'DONE'
  readonly approved_by: string | null
  readonly count: number
  readonly held: number
}

export async function lockRunRow(
  tx: Connection,
  instanceId: string,
  id: string,
): Promise<LockedRun | undefined> {
  return (await tx.rows<LockedRun>(lockRun, [instanceId, id]))[0]
}

const approve = statement(
  'retention.approve',
  `update retention_run set status = 'APPROVED', approved_by = $3, reason = $4, approved_at = now() where instance_id = $1 and id = $2`,
)

export async function approveRunRow(
  tx: Connection,
  run: { readonly instanceId: string; readonly id: string; readonly by: string; readonly reason: string },
): Promise<void> {
  await tx.rows(approve, [run.instanceId, run.id, run.by, run.reason])
}

const pick = statement(
  'retention.pick',
  `select k.kind, k.subject_id as "subjectId" from retention_item k
   where k.instance_id = $1 and k.run_id = $2 and k.state = 'FOUND'
   order by array_position(array['ARCHIVE', 'NEWS', 'CASE', 'FILES', 'BOOKS'], k.kind), k.subject_id limit $3`,
)

const each = (erase: string): string =>
  `select s.id as "subjectId", ${erase}($1, s.id) as "isDone" from unnest($2::uuid[]) s (id)`
/** ARCHIVE is a move of the table of states that people may make too; the others are the database's own functions. */
const ERASE = {
  ARCHIVE: statement(
    'retention.archive',
    `with archived as (update invoice i set status = 'ARCHIVED' where i.instance_id = $1 and i.id = any ($2::uuid[])
       and exists (select from debt_over o where o.instance_id = i.instance_id and o.debt_id = i.id and ${TO_ARCHIVE})
       and not exists (select from held_subject h where h.instance_id = i.instance_id and h.subject_id = i.id) returning i.id)
     select s.id as "subjectId", s.id in (select id from archived) as "isDone" from unnest($2::uuid[]) s (id)`,
  ),
  NEWS: statement('retention.eraseNews', each('erase_news')),
  CASE: statement('retention.eraseCase', each('erase_case')),
  FILES: statement('retention.eraseFile', each('erase_file')),
  BOOKS: statement('retention.erasePerson', each('erase_person')),
} satisfies Record<RetentionKind, unknown>
const mark = statement(
  'retention.mark',
  `update retention_item k set state = case when w."isDone" then 'DONE' else 'LEFT' end
   from jsonb_to_recordset($3::jsonb) w (kind text, "subjectId" uuid, "isDone" boolean)
   where k.instance_id = $1 and k.run_id = $2 and k.kind = w.kind and k.subject_id = w."subjectId"`,
)
const lockWork = statement(
  'retention.lockWork',
  `select id from retention_run where instance_id = $1 and id = $2 and status = 'APPROVED' for update skip locked`,
)
const end = statement(
  'retention.end',
  `update retention_run r set status = 'DONE', ended_at = now() where r.instance_id = $1 and r.id = $2
     and not exists (select from retention_item k where k.instance_id = $1 and k.run_id = $2 and k.state = 'FOUND')`,
)

const lockBatch = statement('retention.lockBatch', 'select lock_to_erase($1, $2, $3)')

/** The debts and people of a batch, locked in the order of whoever moves money, before the first of it is judged. */
async function lockPicked(
  tx: Connection,
  instanceId: string,
  picked: readonly { kind: RetentionKind; subjectId: string }[],
): Promise<void> {
  const idsOf = (...kinds: RetentionKind[]): string[] =>
    picked.filter(({ kind }) => kinds.includes(kind)).map(({ subjectId }) => subjectId)
  await tx.rows(lockBatch, [instanceId, idsOf('ARCHIVE', 'CASE'), idsOf('BOOKS')])
}

/** Erases some of an approved run, and marks them, in the caller's transaction; ends the run when nothing is left. Answers how many. */
export async function eraseSomeOf(
  tx: Connection,
  { instanceId, id }: { readonly instanceId: string; readonly id: string },
  most: number,
): Promise<number> {
  if ((await tx.rows(lockWork, [instanceId, id])).length === 0) return 0
  const picked = await tx.rows<{ kind: RetentionKind; subjectId: string }>(pick, [instanceId, id, most])
  await lockPicked(tx, instanceId, picked)
  for (const kind of new Set(picked.map((item) => item.kind))) {
    const ids = picked.filter((item) => item.kind === kind).map(({ subjectId }) => subjectId)
    const gone = await tx.rows<{ subjectId: string; isDone: boolean }>(ERASE[kind], [instanceId, ids])
    await tx.rows(mark, [instanceId, id, JSON.stringify(gone.map((item) => ({ kind, ...item })))])
  }
  await tx.rows(end, [instanceId, id])
  return picked.length
}

const leave = statement(
  'retention.leave',
  `update retention_item k set state = 'LEFT' where k.instance_id = $1 and k.run_id = $2 and k.kind = $3 and k.subject_id = $4`,
)

/** Leaves what would be next: it cannot be erased as it stands. Answers what it is; undefined where nothing is left to do. */
export async function leaveNextOf(
  tx: Connection,
  { instanceId, id }: { readonly instanceId: string; readonly id: string },
): Promise<{ kind: RetentionKind; subjectId: string } | undefined> {
  if ((await tx.rows(lockWork, [instanceId, id])).length === 0) return undefined
  const [next] = await tx.rows<{ kind: RetentionKind; subjectId: string }>(pick, [instanceId, id, 1])
  if (next) await tx.rows(leave, [instanceId, id, next.kind, next.subjectId])
  await tx.rows(end, [instanceId, id])
  return next
}

const toDo = statement(
  'retention.toDo',
  `select instance_id as "instanceId", id from retention_run where status = 'APPROVED' order by approved_at`,
)

/** The runs that were approved and are not done, the oldest first. */
export function approvedRuns(db: Connection): Promise<{ instanceId: string; id: string }[]> {
  return db.rows(toDo)
}

/** Of what is still to go: the holds that keep it, as ids with spaces between, and whether an open request does. */
const HOLDS_OF_ITEM = `left join (select subject_id, string_agg(hold_id::text, ' ') as holds, bool_or(request_id is not null) as is_asked from held_subject
         where instance_id = $1 group by 1) h on h.subject_id = i.subject_id and i.state = 'FOUND'`
const runs = statement(
  'retention.runs',
  `select r.id, r.status, r.debtor_id is not null as "isOfOne", ${instantText('r.found_at')} as "foundAt",
     ${instantText('r.approved_at')} as "approvedAt",
     coalesce((select p.name from person p where p.id::text = split_part(r.approved_by, ':', 2)), r.approved_by) as "approvedBy", r.reason,
     ${instantText('r.ended_at')} as "endedAt", coalesce(s.count, 0) as count, coalesce(s.done, 0) as done,
     coalesce(s.left_over, 0) as "left", coalesce(s.held, 0) as held, coalesce(s.found, '[]') as found
   from retention_run r
   left join lateral (
     select sum(k.count)::int as count, sum(k.done)::int as done, sum(k.left_over)::int as left_over, sum(k.held)::int as held,
       jsonb_agg(jsonb_build_object('kind', k.kind, 'count', k.count, 'oldest', k.oldest, 'samples', k.samples,
         'held', k.held, 'holds', k.holds, 'asked', k.asked) order by k.kind) as found
     from (
       select i.kind, count(*) as count, count(*) filter (where i.state = 'DONE') as done,
         count(*) filter (where i.state = 'LEFT') as left_over, min(i.since) as oldest,
         (array_agg(i.subject_id order by i.since, i.subject_id))[1:3] as samples, count(h.subject_id) as held, count(*) filter (where h.is_asked) as asked, array(select distinct unnest(string_to_array(string_agg(h.holds, ' '), ' '))) as holds
       from retention_item i ${HOLDS_OF_ITEM} where i.instance_id = r.instance_id and i.run_id = r.id group by i.kind) k) s on true
   where r.instance_id = $1 order by r.found_at desc, r.id desc limit 20`,
)

export type RunRow = {
  readonly id: string
  readonly status: 'FOUND' | 'APPROVED' | 'DONE'
  readonly isOfOne: boolean
  readonly foundAt: string
  readonly approvedAt: string | null
  readonly approvedBy: string | null
  readonly reason: string | null
  readonly endedAt: string | null
  readonly count: number
  readonly done: number
  readonly left: number
  readonly held: number
  readonly found: (OverCount & {
    oldest: string
    samples: string[]
    held: number
    holds: string[]
    asked: number
  })[]
}

export function readRuns(db: Connection, instanceId: string): Promise<RunRow[]> {
  return db.rows<RunRow>(runs, [instanceId])
}
