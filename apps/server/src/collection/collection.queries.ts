/** The SQL of the collection schedule. Set-based: a night handles invoices by the thousand. */
import type { InvoiceStatus } from '@kvitt/domain/invoices/invoice.ts'
import type { Debt } from '@kvitt/domain/ledger/booking.ts'
import type { Currency } from '@kvitt/domain/money.ts'
import { performedAsJson, performedSteps, type InvoiceSchedule } from '../claims/claims.ts'
import { CHARGED_ON_INVOICE, lateDaysOf, type LateDays } from '../ledger/ledger.ts'
import { hasUnsentLetter } from '../mail/mail.ts'
import { idLike, statement, type Connection, type Transaction } from '../platform/database.ts'

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

export type DueStep = InvoiceSchedule & {
  step_id: string
  step_type: string
  number: number
  planned_date: string
  invoice_id: string
  creditor_id: string
  debtor_id: string
  status: InvoiceStatus
  currency: Currency
  balance_minor: number
  principal_minor: number
  costs_minor: number
  interest_minor: number
  total_minor: number
  invoice_number: string
  claim_id: string | null
  debtor_zip: string
  is_part_payment: boolean
  interest_posted_to: string | null
  /** What the postings have left over, in PARTS_OF_MINOR. */
  interest_rest: number
  late_days: LateDays[]
  /** Costs charged and not taken back, for a step whose fee depends on them. */
  charged_minor: number
  /** The instance's debts are real. */
  is_live: boolean
  has_authorized: boolean
  has_paid: boolean
  /** A letter about an earlier step has not left yet. */
  has_unsent_letter: boolean
}

/** Asked once for a statement whose $1 is the instance. */
export const IS_LIVE = `(select n.mode = 'live' from instance n where n.id = $1) as is_live`

/** Due steps `s` of a source, with their invoices `i` and what decides about them. */
export const dueStepsOf = (source: string, day: string): string =>
  `select s.id as step_id, s.type as step_type, s.number, s.planned_date, i.id as invoice_id, i.creditor_id, i.debtor_id,
     i.type as invoice_type, i.status, i.currency, i.balance_minor, i.principal_minor, i.costs_minor, i.interest_minor,
     i.total_minor, i.invoice_number, i.claim_id, d.zip as debtor_zip, i.expire_date,
     coalesce(i.sent_date, i.issue_date) as sent_date, i.is_part_payment, i.interest_posted_to, i.interest_rest,
     d.kind, c.country,
     coalesce(c.reminder_fee_agreed_on <= i.issue_date, false) as reminder_fee_agreed, ${IS_LIVE},
     (select t.booked_on from ledger_transaction t
       where t.instance_id = i.instance_id and t.cause = 'invoice:' || i.id) as booked_on,
     exists (select from payment p where p.instance_id = i.instance_id and p.invoice_id = i.id
       and (p.status = 'AUTHORIZED' or p.is_outcome_unknown)) as has_authorized,
     exists (select from ledger_transaction t where t.instance_id = i.instance_id and t.invoice_id = i.id
       and t.kind = 'PAYMENT') as has_paid,
     ${hasUnsentLetter('i.instance_id', 'i.id')} as has_unsent_letter,
     ${CHARGED_ON_INVOICE},
     ${lateDaysOf('i.instance_id', 'i.id', day)},
     ${performedAsJson('i.instance_id', 'i.id')}
   from (${source}) s
   join invoice i on i.instance_id = s.instance_id and i.id = s.invoice_id
   join creditor c on c.instance_id = i.instance_id and c.id = i.creditor_id
   join debtor d on d.instance_id = i.instance_id and d.id = i.debtor_id`

/**
 * A page of planned steps of some types. Debts of one day in the order in which they came: what belongs to neighbours
 * lies together.
 */
const PAGE = `select * from collection_step
     where instance_id = $1 and status = 'PLANNED' and planned_date <= $2::date and type = any($6)
       and (planned_date, debt_id, id) > ($3::date, $4::uuid, $7::uuid)
     order by planned_date, debt_id, id limit $5`

const dueSteps = statement(
  'collection.dueSteps',
  `${dueStepsOf(PAGE, '$2::date')} order by s.planned_date, s.debt_id, s.id for no key update of i skip locked`,
)

/** A step's place among those that are due. */
export type Place = { readonly date: string; readonly debt: string; readonly step: string }
export const FIRST_PLACE: Place = { date: '0001-01-01', debt: NO_ID, step: NO_ID }

export type DuePage = {
  readonly instanceId: string
  readonly day: string
  /** A page begins where the last one ended. */
  readonly after: Place
  readonly limit: number
  readonly types: readonly string[]
}

/** Steps that are due on a day, their invoices locked. Invoices that somebody else holds are left for later. */
export function lockDueSteps(tx: Transaction, page: DuePage): Promise<DueStep[]> {
  return tx.rows<DueStep>(dueSteps, [
    page.instanceId,
    page.day,
    page.after.date,
    page.after.debt,
    page.limit,
    page.types,
    page.after.step,
  ])
}

const pageOfSteps = statement(
  'collection.pageOfSteps',
  `select planned_date as date, debt_id as debt, id as step, count(*) over ()::int as steps
   from (${PAGE}) p order by planned_date desc, debt_id desc, id desc limit 1`,
)

/** Where a page ends, and how many steps it has, with those whose debts somebody else holds. Undefined when it is empty. */
export async function readPage(
  tx: Transaction,
  page: DuePage,
): Promise<{ readonly last: Place; readonly steps: number } | undefined> {
  const [row] = await tx.rows<Place & { steps: number }>(pageOfSteps, [
    page.instanceId,
    page.day,
    page.after.date,
    page.after.debt,
    page.limit,
    page.types,
    page.after.step,
  ])
  return row && { last: { date: row.date, debt: row.debt, step: row.step }, steps: row.steps }
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
   returning s.id`,
)

/**
 * Ends planned steps on `day`. Answers the identifiers of those that still were planned, on debts of which no other step has
 * been performed or undone since theirs was decided: what is read before a lock is had may be older than the lock.
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
  `update invoice i set interest_posted_to = $2::date, interest_rest = n.rest
   from unnest($3::uuid[], $4::bigint[]) as n (id, rest)
   where i.instance_id = $1 and i.id = n.id`,
)

/** Interest of these invoices is in the books up to and including `day`, but for what was left over. */
export async function setInterestDayRows(
  tx: Transaction,
  { instanceId, day }: { instanceId: string; day: string },
  invoices: readonly { id: string; restParts: number }[],
): Promise<void> {
  if (invoices.length === 0) return
  const rests = invoices.map(({ restParts }) => restParts)
  await tx.rows(setInterestDay, [instanceId, day, invoices.map(({ id }) => id), rests])
}

const lastNight = statement(
  'collection.lastNight',
  `select (select max(day) from collection_night where instance_id = $1) as day`,
)
const insertNight = statement(
  'collection.insertNight',
  `insert into collection_night (instance_id, day, performed) values ($1, $2, $3) on conflict do nothing`,
)

export async function readLastNight(db: Connection, instanceId: string): Promise<string | null> {
  return (await db.rows<{ day: string | null }>(lastNight, [instanceId]))[0]?.day ?? null
}

export async function insertNightRow(
  db: Connection,
  night: { instanceId: string; day: string; performed: number },
): Promise<void> {
  await db.rows(insertNight, [night.instanceId, night.day, night.performed])
}

const resuming = statement(
  'collection.resuming',
  `select id from invoice where instance_id = $1 and status = 'PAUSED' and resume_date <= $2::date order by id`,
)

/** Paused invoices that go on by themselves on `day`. */
export async function readResuming(db: Connection, instanceId: string, day: string): Promise<string[]> {
  return (await db.rows<{ id: string }>(resuming, [instanceId, day])).map((row) => row.id)
}
