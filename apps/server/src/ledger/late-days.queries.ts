/**
 * The SQL of late days: what was owed on other days than it is now. Principal that was paid late bears interest until its
 * day; what was paid and taken back bears none while it looked paid. Written down with the money, counted by the next
 * posting of interest, or by the bill for it once nothing is owed.
 */
import { date } from '@kvitt/domain/calendar.ts'
import type { OwedDays } from '@kvitt/domain/collection/interest-posting.ts'
import { debtId, type Debt } from '@kvitt/domain/ledger/booking.ts'
import { statement, type Transaction } from '../platform/database/database.ts'

/** Signed principal with its first and last day, as JSON gives it. */
export type LateDays = { principalMinor: number; from: string; to: string }

export type DebtKey = { readonly instanceId: string; readonly debt: Debt }

export function owedDays({ principalMinor, from, to }: LateDays): OwedDays {
  return { principalMinor, from: date(from), to: date(to) }
}

const AS_JSON = `coalesce(json_agg(json_build_object('principalMinor', l.principal_minor, 'from', l.from_day, 'to', l.to_day)
       order by l.from_day, l.to_day), '[]')`

/** What of the debt `id` no posting has counted up to `day`, for a statement about many. */
export const lateDaysOf = (instance: string, id: string, day: string): string =>
  `(select ${AS_JSON} from late_days l where l.instance_id = ${instance} and l.debt_id = ${id} and l.status = 'WAITING'
       and l.to_day <= ${day}) as late_days`

const ofInvoice = statement(
  'lateDays.ofInvoice',
  `insert into late_days (instance_id, payment_id, is_back, invoice_id, principal_minor, from_day, to_day)
   select $1, $3, $4::bigint < $6::bigint, i.id, $4 - $6, greatest(i.interest_posted_to, i.expire_date) + 1, $5::date
   from invoice i where i.instance_id = $1 and i.id = $2 and not i.is_part_payment and $4 <> $6
     and i.type in ('INVOICE', 'MEMBERSHIP_FEE') and i.expire_date <= $5::date`,
)
/** A claim bears interest from the day after it was opened: what came on that day leaves it no late ones. */
const ofClaim = statement(
  'lateDays.ofClaim',
  `insert into late_days (instance_id, payment_id, is_back, claim_id, principal_minor, from_day, to_day)
   select $1, $3, n.minor < 0, c.id, n.minor, c.interest_posted_to + 1, $5::date
   from claim c
   cross join lateral (select greatest(0, $4::bigint - c.interest_free_minor)
     - greatest(0, $6::bigint - c.interest_free_minor) as minor) n
   where c.instance_id = $1 and c.id = $2 and not c.is_part_payment and c.opened_on < $5::date and n.minor <> 0`,
)

/**
 * Keeps that the principal was `wasMinor` until `to`, and is `isMinor` now: money came, or was taken back. Only the days
 * since interest was last posted are kept; none when that was posted up to that day or a later one, but the posting may still
 * be taken back. Under the debt's lock.
 */
export function insertLateDays(
  tx: Transaction,
  late: {
    readonly instanceId: string
    readonly debt: Debt
    /** The share of a payment that came, or was taken back. */
    readonly shareId: string
    readonly wasMinor: number
    readonly isMinor: number
    readonly to: string
  },
): void {
  const { instanceId, debt, shareId, wasMinor, isMinor, to } = late
  if (wasMinor === isMinor) return
  tx.send('claimId' in debt ? ofClaim : ofInvoice, [instanceId, debtId(debt), shareId, wasMinor, to, isMinor])
}

const planned = (of: 'invoice' | 'claim', bearing: string, postedTo: string, bearsInterest: string) =>
  statement(
    `lateDays.planned.${of}`,
    `insert into late_days (instance_id, payment_id, is_back, by_plan, ${of}_id, principal_minor, from_day, to_day)
     select d.instance_id, $3, false, true, d.id, ${bearing}, ${postedTo} + 1, $4::date
     from ${of} d where d.instance_id = $1 and d.id = $2 and ${bearing} > 0 and ${postedTo} < $4::date${bearsInterest}`,
  )
const plannedInvoice = planned(
  'invoice',
  'd.principal_minor',
  'greatest(d.interest_posted_to, d.expire_date)',
  ` and d.type in ('INVOICE', 'MEMBERSHIP_FEE')`,
)
const plannedClaim = planned(
  'claim',
  '(d.principal_minor - d.interest_free_minor)',
  'd.interest_posted_to',
  '',
)

/**
 * A plan takes all of it up on the day `on`: what it bore since interest was last posted is no part of the plan. From then on the
 * plan's own terms say what it costs. Under the debt's lock, without letters that wait.
 */
export async function insertPlannedDays(
  tx: Transaction,
  { instanceId, debt, id, on }: DebtKey & { readonly id: string; readonly on: string },
): Promise<void> {
  await tx.rows('claimId' in debt ? plannedClaim : plannedInvoice, [instanceId, debtId(debt), id, on])
}

const beforePlan = statement(
  'lateDays.beforePlan',
  `insert into late_days (instance_id, payment_id, is_back, invoice_id, claim_id, principal_minor, from_day, to_day)
   select instance_id, gen_random_uuid(), true, invoice_id, claim_id, -least(principal_minor, $3::bigint),
     greatest(from_day, $4::date + 1), to_day
   from late_days
   where instance_id = $1 and debt_id = $2 and by_plan and status = 'WAITING' and to_day > $4::date and $3::bigint > 0`,
)

/** Money of before the plan: so much of what the plan took up was not owed from the day after `valueOn`. */
export async function lessenPlannedDays(
  tx: Transaction,
  { instanceId, debt }: DebtKey,
  { principalMinor, valueOn }: { readonly principalMinor: number; readonly valueOn: string },
): Promise<void> {
  await tx.rows(beforePlan, [instanceId, debtId(debt), principalMinor, valueOn])
}

const post = statement(
  'lateDays.post',
  `update late_days l set status = 'POSTED', step_id = n.step_id
   from unnest($3::uuid[], $4::uuid[]) as n (debt_id, step_id)
   where l.instance_id = $1 and l.debt_id = n.debt_id and l.status = 'WAITING' and l.to_day <= $2::date`,
)

/** The steps have posted what the late days of their debts bore up to `day`. */
export async function postLateDays(
  tx: Transaction,
  { instanceId, day }: { instanceId: string; day: string },
  steps: readonly { debt: Debt; stepId: string }[],
): Promise<void> {
  if (steps.length === 0) return
  await tx.rows(post, [instanceId, day, steps.map((s) => debtId(s.debt)), steps.map((s) => s.stepId)])
}

const unpost = statement(
  'lateDays.unpost',
  `update late_days set status = 'WAITING', step_id = null where instance_id = $1 and step_id = $2`,
)
const reachBack = statement(
  'lateDays.reachBack',
  `update late_days set from_day = $4::date + 1
   where instance_id = $1 and debt_id = $2 and status = 'WAITING' and from_day = $3::date + 1`,
)

/**
 * The posting of a step has been taken back: interest is in the books up to `before` and no longer to `postedTo`. What
 * it counted is to be counted again, and what was paid since bears interest from there.
 */
export async function unpostLateDays(
  tx: Transaction,
  { instanceId, debt, stepId }: { instanceId: string; debt: Debt; stepId: string },
  { postedTo, before }: { postedTo: string; before: string },
): Promise<void> {
  await tx.rows(reachBack, [instanceId, debtId(debt), postedTo, before])
  await tx.rows(unpost, [instanceId, stepId])
}

const settle = (name: string, to: 'DROPPED' | 'WAITING', from: string) =>
  statement(
    `lateDays.${name}`,
    `update late_days set status = '${to}' where instance_id = $1 and debt_id = $2 and status in (${from})`,
  )
const drop = settle('drop', 'DROPPED', `'WAITING', 'SMALL'`)
const reopen = settle('reopen', 'WAITING', `'SMALL'`)

/** The principal was not owed after all: nobody counts its days. */
export async function dropLateDays(tx: Transaction, { instanceId, debt }: DebtKey): Promise<void> {
  await tx.rows(drop, [instanceId, debtId(debt)])
}

/** The debt has come back: what was too little to bill when it ended is counted with what it bears now. */
export async function reopenLateDays(tx: Transaction, { instanceId, debt }: DebtKey): Promise<void> {
  await tx.rows(reopen, [instanceId, debtId(debt)])
}

const creditedDays = statement(
  'lateDays.credited',
  `with paid as (
     select l.*, exists (select from late_days p where p.instance_id = l.instance_id and p.debt_id = l.debt_id and p.by_plan
         and p.status in ('WAITING', 'SMALL') and p.to_day >= l.to_day) as before_plan
     from late_days l
     where l.instance_id = $1 and l.debt_id = $2 and l.status in ('WAITING', 'SMALL') and not l.is_back
       and not exists (select from late_days b where b.instance_id = l.instance_id and b.payment_id = l.payment_id and b.is_back)
   ), summed as (
     select *, case when before_plan then $3::bigint else $3::bigint - $4::bigint end as credited_minor,
       sum(principal_minor) over (partition by before_plan order by by_plan desc, to_day desc, payment_id)
         - principal_minor as later_minor
     from paid
   )
   insert into late_days (instance_id, payment_id, is_back, invoice_id, claim_id, principal_minor, from_day, to_day, status)
   select instance_id, gen_random_uuid(), true, invoice_id, claim_id,
     -least(principal_minor, credited_minor - later_minor), from_day, to_day, status
   from summed where later_minor < credited_minor`,
)

/**
 * A credit of `creditMinor`, when `owedMinor` is owed: so much of what was paid as it is more than that, the last of it first, was not
 * owed on its days either. Of days before a plan all that was owed is written down, so that all of the credit is taken off
 * that. Of what no posting has counted.
 */
export async function creditLateDays(
  tx: Transaction,
  { instanceId, debt }: DebtKey,
  { creditMinor, owedMinor }: { readonly creditMinor: number; readonly owedMinor: number },
): Promise<void> {
  await tx.rows(creditedDays, [instanceId, debtId(debt), creditMinor, owedMinor])
}

const end = statement(
  'lateDays.end',
  `update late_days set status = case when $3::uuid is null then 'SMALL' else 'BILLED' end, bill_id = $3
   where instance_id = $1 and debt_id = $2 and status = 'WAITING'`,
)

/** What waits of an ended debt is billed by `billId`; without one it is too little. */
export async function endLateDays(
  tx: Transaction,
  { instanceId, debt }: DebtKey,
  billId: string | null,
): Promise<void> {
  await tx.rows(end, [instanceId, debtId(debt), billId])
}

const waiting = statement(
  'lateDays.waiting',
  `select principal_minor as "principalMinor", from_day as "from", to_day as "to" from late_days
   where instance_id = $1 and debt_id = $2 and status = 'WAITING' for update`,
)

/** What of a debt no posting has counted. Locked. */
export function lockLateDays(tx: Transaction, { instanceId, debt }: DebtKey): Promise<LateDays[]> {
  return tx.rows<LateDays>(waiting, [instanceId, debtId(debt)])
}

const addToBill = statement(
  'lateDays.addToBill',
  `update late_days set status = 'BILLED', bill_id = $4
   where instance_id = $1 and debt_id = $2 and payment_id = $3 and status = 'WAITING' and not is_back`,
)
const ofBill = statement(
  'lateDays.ofBill',
  `select principal_minor as "principalMinor", from_day as "from", to_day as "to" from late_days
   where instance_id = $1 and bill_id = $2`,
)

/** The days of a share are billed already, with those of what was told of before it. Answers all that the bill is for now. */
export async function joinBill(
  tx: Transaction,
  { instanceId, debt }: DebtKey,
  { shareId, billId }: { readonly shareId: string; readonly billId: string },
): Promise<LateDays[]> {
  await tx.rows(addToBill, [instanceId, debtId(debt), shareId, billId])
  return tx.rows<LateDays>(ofBill, [instanceId, billId])
}

const bills = statement(
  'lateDays.bills',
  'select distinct bill_id from late_days where instance_id = $1 and debt_id = $2 and bill_id is not null order by bill_id',
)

/** The invoices for interest on a debt. */
export async function readInterestBills(tx: Transaction, { instanceId, debt }: DebtKey): Promise<string[]> {
  const rows = await tx.rows<{ bill_id: string }>(bills, [instanceId, debtId(debt)])
  return rows.map(({ bill_id }) => bill_id)
}
