/** The SQL of the collection schedule. Set-based: a daily run handles invoices by the thousand. */
import { RECORDED_STEPS } from '@kvitt/domain/collection/schedule-table.ts'
import type { Debt } from '@kvitt/domain/ledger/booking.ts'
import { performedSteps } from '../claims/claims.ts'
import { isNotResting } from '../ledger/resting-debts.queries.ts'
import type { Clock } from '../platform/clock.ts'
import { idLike, statement, type Connection, type Transaction } from '../platform/database/database.ts'

/** The limit has each invoice's step looked up by its key; as "not exists" every page would read all steps. */
const planFirst = statement(
  'collection.planFirst',
  `with page as (
     select i.instance_id, i.id, i.type, i.balance_minor, i.expire_date, i.part_payment_variant
     from invoice i
     where i.instance_id = $1 and i.status = 'ACTIVATED' and i.expire_date < $2::date
       and (i.expire_date, i.id) > ($3::date, $4::uuid)
     order by i.expire_date, i.id limit $5
   ), planned as (
     insert into collection_step (instance_id, id, invoice_id, type, number, planned_date, status)
     select i.instance_id, ${idLike('$6')}, i.id, 'EXPIRED', 1, greatest(i.expire_date, t.booked_on) + 1, 'PLANNED'
     from page i
     join ledger_transaction t on t.instance_id = i.instance_id and t.cause = 'invoice:' || i.id
     where i.type <> 'CREDIT_INVOICE' and i.balance_minor > 0 and i.part_payment_variant is null
       and greatest(i.expire_date, t.booked_on) < $2::date
       and (select true from collection_step s where s.instance_id = i.instance_id and s.debt_id = i.id
         and s.type = 'EXPIRED' limit 1) is null
     on conflict do nothing
   )
   select expire_date as date, id from page order by expire_date desc, id desc limit 1`,
)

const NO_ID = '00000000-0000-0000-0000-000000000000'
const PAGE_INVOICES = 20_000

/** Gives every invoice that is overdue on `day`, and has no schedule yet, its first step; `id` is like theirs. */
export async function planFirstSteps(
  db: Connection,
  { instanceId, day, id }: { instanceId: string; day: string; id: string },
): Promise<void> {
  let after: { date: string; id: string } | undefined = { date: '0001-01-01', id: NO_ID }
  while (after) {
    const values: unknown[] = [instanceId, day, after.date, after.id, PAGE_INVOICES, id]
    after = (await db.rows<{ date: string; id: string }>(planFirst, values))[0]
  }
}

export type EndedStep = {
  id: string
  status: 'PERFORMED' | 'SKIPPED' | 'ASKED'
  lastPayDate: string | null
  /** How many steps of its debt had been performed when it was decided. */
  performedBefore: number
  /** The day up to which interest was in the books, and what was left over, when the step posts more of it. */
  interestBefore: string | null
  restBefore: number | null
}

const endSteps = statement(
  'collection.endSteps',
  `update collection_step s set status = e.status, last_pay_date = e.last_pay_date, interest_before = e.interest_before,
     rest_before = e.rest_before,
     performed_date = case when e.status = 'PERFORMED' then $2::date end
   from unnest($3::uuid[], $4::text[], $5::date[], $6::date[], $7::bigint[], $8::int[])
     as e (id, status, last_pay_date, interest_before, rest_before, performed_before)
   where s.instance_id = $1 and s.id = e.id and s.status = 'PLANNED'
     and (select count(*) ${performedSteps('s.instance_id', 's.debt_id')}) = e.performed_before
     and (s.type = any ($9) or ${isNotResting('s.debt_id')})
   returning s.id`,
)

/**
 * Ends planned steps on `day`. Answers the identifiers of those that still were planned, on debts of which no other step has
 * been performed or undone since theirs was decided, and whose debtor has not been flagged since: what is read before a lock is had
 * may be older than the lock. What a person records has happened all the same.
 */
export async function endStepRows(
  tx: Transaction,
  { instanceId, day }: { instanceId: string; day: string },
  steps: readonly EndedStep[],
): Promise<Set<string>> {
  const rows = await tx.rows<{ id: string }>(endSteps, [
    instanceId,
    day,
    steps.map((s) => s.id),
    steps.map((s) => s.status),
    steps.map((s) => s.lastPayDate),
    steps.map((s) => s.interestBefore),
    steps.map((s) => s.restBefore),
    steps.map((s) => s.performedBefore),
    RECORDED_STEPS,
  ])
  return new Set(rows.map((row) => row.id))
}

export type NewStep = { id: string; debt: Debt; type: string; number: number; plannedDate: string }

const insertPlanned = statement(
  'collection.insertPlanned',
  `insert into collection_step (instance_id, id, invoice_id, claim_id, type, number, planned_date, status)
   select $1, n.id, n.invoice_id, n.claim_id, n.type, n.number, n.planned_date, 'PLANNED'
   from unnest($2::uuid[], $3::uuid[], $4::uuid[], $5::text[], $6::smallint[], $7::date[])
     as n (id, invoice_id, claim_id, type, number, planned_date)
   on conflict do nothing`,
)

export async function insertPlannedRows(
  tx: Transaction,
  instanceId: string,
  steps: readonly NewStep[],
): Promise<void> {
  if (steps.length === 0) return
  await tx.rows(insertPlanned, [
    instanceId,
    steps.map((s) => s.id),
    steps.map((s) => ('invoiceId' in s.debt ? s.debt.invoiceId : null)),
    steps.map((s) => ('claimId' in s.debt ? s.debt.claimId : null)),
    steps.map((s) => s.type),
    steps.map((s) => s.number),
    steps.map((s) => s.plannedDate),
  ])
}

const setInterestDay = statement(
  'collection.setInterestDay',
  `update invoice i set interest_posted_to = greatest(i.interest_posted_to, $2::date), interest_rest = n.rest
   from unnest($3::uuid[], $4::bigint[]) as n (id, rest)
   where i.instance_id = $1 and i.id = n.id`,
)

/**
 * Interest of these invoices is in the books up to and including `day`, but for what was left over; up to a later day where a person
 * has waived it before that day's run was caught up with.
 */
export async function setInterestDayRows(
  tx: Transaction,
  { instanceId, day }: { instanceId: string; day: string },
  invoices: readonly { id: string; restParts: number }[],
): Promise<void> {
  if (invoices.length === 0) return
  const rests = invoices.map(({ restParts }) => restParts)
  await tx.rows(setInterestDay, [instanceId, day, invoices.map(({ id }) => id), rests])
}

const lastRun = statement(
  'collection.lastRun',
  `select day, awaited_accounts from collection_night where instance_id = $1 order by day desc limit 1`,
)
const insertRun = statement(
  'collection.insertRun',
  `insert into collection_night as n (instance_id, day, performed, awaited_accounts) values ($1, $2, $3, $4)
   on conflict (instance_id, day) do update set performed = n.performed + excluded.performed,
     awaited_accounts = excluded.awaited_accounts`,
)

export type LastRun = {
  readonly day: string
  /** Whose debts it left waiting. */
  readonly awaited_accounts: readonly string[]
}

export async function readLastRun(db: Connection, instanceId: string): Promise<LastRun | undefined> {
  return (await db.rows<LastRun>(lastRun, [instanceId]))[0]
}

export async function insertRunRow(
  db: Connection,
  run: { instanceId: string; day: string; performed: number; awaited: readonly string[] },
): Promise<void> {
  await db.rows(insertRun, [run.instanceId, run.day, run.performed, run.awaited])
}

const lastRuns = statement(
  'collection.lastRuns',
  `select i.time_zone, (select max(n.day) from collection_night n where n.instance_id = i.id) as day from instance i`,
)

/** How many providers wait for a daily run: that of today, or one before it, has not ended. */
export async function countRunsDue(db: Connection, clock: Clock): Promise<number> {
  const runs = await db.rows<{ time_zone: string; day: string | null }>(lastRuns)
  return runs.filter((run) => run.day === null || run.day < clock.today(run.time_zone)).length
}

const awaited = statement(
  'collection.awaited',
  `select coalesce(sum(cardinality(n.awaited_accounts)), 0)::int as count from instance i cross join lateral (
     select awaited_accounts from collection_night where instance_id = i.id order by day desc limit 1) n`,
)

/** How many accounts the last daily runs of all instances left debts waiting for. */
export async function countAwaitedAccounts(db: Connection): Promise<number> {
  return (await db.rows<{ count: number }>(awaited))[0]?.count ?? 0
}

const resuming = statement(
  'collection.resuming',
  `select id from invoice where instance_id = $1 and status = 'PAUSED' and resume_date <= $2::date order by id`,
)

/** Paused invoices that go on by themselves on `day`. */
export async function readResuming(db: Connection, instanceId: string, day: string): Promise<string[]> {
  return (await db.rows<{ id: string }>(resuming, [instanceId, day])).map((row) => row.id)
}
