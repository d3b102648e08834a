/** The SQL of steps whose letter was never sent. */
import type { PlannedStep } from '@kvitt/domain/collection/schedule.ts'
import { debtId, type Debt } from '@kvitt/domain/ledger/booking.ts'
import { restatedMinor } from '../ledger/ledger.ts'
import { statement, type Connection, type Transaction } from '../platform/database/database.ts'
import { tasksOf } from '../tasks/tasks.ts'

type StepKey = { readonly instanceId: string; readonly stepId: string }

const ownerOfStep = statement(
  'unsentLetters.ownerOfStep',
  'select invoice_id, claim_id from collection_step where instance_id = $1 and id = $2',
)

/** The invoice or claim that a step belongs to. */
export async function readOwnerOfStep(tx: Transaction, { instanceId, stepId }: StepKey): Promise<Debt> {
  type Row = { invoice_id: string; claim_id: null } | { invoice_id: null; claim_id: string }
  const row = (await tx.rows<Row>(ownerOfStep, [instanceId, stepId]))[0]
  if (!row) throw new Error(`step ${stepId} does not exist`)
  return row.claim_id === null ? { invoiceId: row.invoice_id } : { claimId: row.claim_id }
}

const undoStep = statement(
  'unsentLetters.undoStep',
  `update collection_step s set status = 'SKIPPED', performed_date = null, last_pay_date = null, left_on = null
   from collection_step was
   where s.instance_id = $1 and s.id = $2 and s.status = 'PERFORMED' and s.type = any($3)
     and was.instance_id = s.instance_id and was.id = s.id
   returning was.performed_date, s.interest_before, s.rest_before`,
)

export type UndoneStep = {
  performed_date: string
  interest_before: string | null
  rest_before: number | null
}

/** The step did not happen. Undefined when it is of another type, or does not stand as performed. */
export async function undoStepRow(
  tx: Transaction,
  { instanceId, stepId }: StepKey,
  types: readonly string[],
): Promise<UndoneStep | undefined> {
  return (await tx.rows<UndoneStep>(undoStep, [instanceId, stepId, types]))[0]
}

/** Of `t`, whose money is owed on `debt`: a credit, or a decision for the debtor, has taken the charge back since. */
const forgiven = (debt: string): string => `exists (
  select from ledger_transaction r where r.instance_id = t.instance_id and r.cause = 'credited:' || t.cause)
  or exists (
  select from ledger_transaction r where r.instance_id = t.instance_id
    and coalesce(r.claim_id, r.invoice_id) = ${debt}
    and (r.cause like 'dispute-fees:%' or r.cause like 'upheld:%') and r.posted_at >= t.posted_at)`

/** Of interest that a claim has borne, what credits about some of its invoices have taken back (minor units). */
const givenBack = (claim: string, step: string): string => `coalesce((
  select sum(o.amount_minor) from ledger_transaction r
  join posting o on o.instance_id = r.instance_id and o.transaction_id = r.id and o.amount_minor > 0
  where r.instance_id = $1 and r.claim_id = ${claim} and r.cause like 'credited:interest:' || ${step} || ':%'), 0)`

/** A person has waived some of the interest `t`: they saw its days, which are not counted again. */
const isWaived = (charge: string): string => `exists (
  select from ledger_transaction w where w.instance_id = ${charge}.instance_id and w.restates_id = ${charge}.id
    and w.cause like 'waived:%')`

const chargesOf = statement(
  'unsentLetters.chargesOf',
  `select coalesce(sum(p.amount_minor - ${restatedMinor('t')}) filter (where a.kind = 'costs'), 0)::bigint as costs_minor,
     greatest(0, coalesce(sum(p.amount_minor - ${restatedMinor('t')}) filter (where a.kind = 'interest' and not ${isWaived('t')}), 0)
       - ${givenBack('$3', '$2::text')})::bigint as interest_minor,
     (select coalesce(sum(o.amount_minor), 0) from ledger_transaction w
       join posting o on o.instance_id = w.instance_id and o.transaction_id = w.id and o.amount_minor > 0
       where w.instance_id = $1 and w.kind = 'WRITE_OFF' and (w.claim_id = $3 or w.invoice_id = $3 and w.claim_id is null)
         and w.posted_at >= min(t.posted_at))::bigint as written_off_minor
   from ledger_transaction t
   join posting p on p.instance_id = t.instance_id and p.transaction_id = t.id
   join ledger_account a on a.instance_id = p.instance_id and a.id = p.account_id and a.kind in ('costs', 'interest')
   where t.instance_id = $1 and t.cause in ('step:' || $2::text, 'interest:' || $2::text)
     and not (${forgiven('$3')})`,
)

export type Charges = { costs_minor: number; interest_minor: number; written_off_minor: number }

/**
 * What a step charged, unless a decision for the debtor has taken all charges back since, and what was written off of
 * `debt`, where it is owed, since then.
 */
export async function readChargesOfStep(
  tx: Transaction,
  { instanceId, stepId }: StepKey,
  debt: Debt,
): Promise<Charges> {
  const row = (await tx.rows<Charges>(chargesOf, [instanceId, stepId, debtId(debt)]))[0]
  return row ?? { costs_minor: 0, interest_minor: 0, written_off_minor: 0 }
}

const waitingCharges = statement(
  'unsentLetters.waitingCharges',
  `select coalesce(sum(greatest(0, p.amount_minor - ${restatedMinor('t')}
     - case when a.kind = 'interest' then ${givenBack('s.claim_id', 's.id')} else 0 end)), 0)::bigint as minor
   from collection_step s
   join mail_outbox m on m.instance_id = $1 and m.cause = 'step:' || s.id and m.step_id = s.id and m.status = 'WAITING'
   join ledger_transaction t on t.instance_id = $1
     and t.cause = any(array['step:' || s.id, case when s.debt_id = $2 then 'interest:' || s.id end])
   join posting p on p.instance_id = t.instance_id and p.transaction_id = t.id
   join ledger_account a on a.instance_id = p.instance_id and a.id = p.account_id and a.kind in ('costs', 'interest')
   where s.instance_id = $1 and s.status = 'PERFORMED' and s.type = any($3)
     and s.debt_id = any(array(
       select $2::uuid union all select i.id from invoice i where i.instance_id = $1 and i.claim_id = $2))
     and not (${forgiven('$2')})
     and not (a.kind = 'interest' and ${isWaived('t')})
     and not (a.kind = 'interest' and exists (
       select from collection_step u
       join ledger_transaction v on v.instance_id = $1 and v.cause = 'interest:' || u.id
       where u.instance_id = $1 and u.debt_id = s.debt_id and u.status = 'PERFORMED' and u.performed_date > s.performed_date
         and not exists (select from mail_outbox w where w.instance_id = $1 and w.cause = 'step:' || u.id
           and w.step_id = u.id and w.status = 'WAITING')))`,
)

/**
 * As readChargesOfStep, of all steps of these types whose letters wait; of a claim and its invoices together. Interest is not
 * taken back while a later posting stands.
 */
export async function readWaitingCharges(
  db: Connection,
  { instanceId, debt }: { readonly instanceId: string; readonly debt: Debt },
  types: readonly string[],
): Promise<number> {
  const rows = await db.rows<{ minor: number }>(waitingCharges, [instanceId, debtId(debt), types])
  return rows[0]?.minor ?? 0
}

const interestBack = (table: 'invoice' | 'claim', startsAt: string) =>
  statement(
    `unsentLetters.interestBack.${table}`,
    `update ${table} set interest_posted_to = $3, interest_rest = coalesce($5, interest_rest)
     where instance_id = $1 and id = $2 and interest_posted_to = $4::date and coalesce(interest_waived_to < $4::date, true)
     returning ${startsAt} as before`,
  )
const invoiceInterestBack = interestBack('invoice', 'greatest($3::date, expire_date)')
const claimInterestBack = interestBack('claim', '$3::date')

/**
 * Interest is in the books up to the day before the step again, unless something has moved that day since: answers up to
 * which, undefined then.
 */
export async function setInterestDayBack(
  tx: Transaction,
  { instanceId, debt }: { instanceId: string; debt: Debt },
  { performed_date, interest_before, rest_before }: UndoneStep,
): Promise<string | undefined> {
  const update = 'claimId' in debt ? claimInterestBack : invoiceInterestBack
  const values = [instanceId, debtId(debt), interest_before, performed_date, rest_before]
  return (await tx.rows<{ before: string }>(update, values))[0]?.before
}

const leavingStep = statement(
  'unsentLetters.leavingStep',
  `select s.type, s.last_pay_date, exists (
     select from collection_step x where x.instance_id = s.instance_id and x.debt_id = s.debt_id and x.status = 'PERFORMED'
       and x.id <> s.id and x.performed_date > s.performed_date and x.type <> 'DELAYED_PENALTY_FEE'
       and x.type <> 'PART_INVOICE') as is_followed
   from collection_step s where s.instance_id = $1 and s.id = $2 and s.status = 'PERFORMED'`,
)

/** A performed step whose letter leaves, and whether another has been performed after it. */
export async function readLeavingStep(
  tx: Transaction,
  { instanceId, stepId }: StepKey,
): Promise<{ type: string; last_pay_date: string | null; is_followed: boolean } | undefined> {
  type Row = { type: string; last_pay_date: string | null; is_followed: boolean }
  return (await tx.rows<Row>(leavingStep, [instanceId, stepId]))[0]
}

const setLastPayDate = statement(
  'unsentLetters.setLastPayDate',
  `update collection_step set last_pay_date = $3, left_on = $4
   where instance_id = $1 and id = $2 and status = 'PERFORMED'`,
)
const setClaimExpires = statement(
  'unsentLetters.setClaimExpires',
  'update claim set expire_date = $3 where instance_id = $1 and id = $2 and expire_date < $3::date',
)

/** A step gives another last day to pay, and with it the claim that it is of. */
export async function setLastDay(
  tx: Transaction,
  { instanceId, stepId, debt }: StepKey & { readonly debt: Debt },
  { lastDay, leftOn }: { readonly lastDay: string; readonly leftOn: string },
): Promise<void> {
  await tx.rows(setLastPayDate, [instanceId, stepId, lastDay, leftOn])
  if ('claimId' in debt) await tx.rows(setClaimExpires, [instanceId, debt.claimId, lastDay])
}

const moveNext = statement(
  'unsentLetters.moveNext',
  `update collection_step set planned_date = $5
   where instance_id = $1 and debt_id = $2 and type = $3 and number = $4::smallint and planned_date < $5::date
     and status in ('PLANNED', 'ON_HOLD')`,
)

/** What follows a letter that leaves later comes later, never sooner. */
export async function moveFollowing(
  tx: Transaction,
  { instanceId, debt }: { readonly instanceId: string; readonly debt: Debt },
  { type, number, plannedDate }: PlannedStep,
): Promise<void> {
  await tx.rows(moveNext, [instanceId, debtId(debt), type, number, plannedDate])
}

/** Compensation is owed beside the letters, and waits for none of them. */
const cancelFollowing = statement(
  'unsentLetters.cancelFollowing',
  `update collection_step set status = 'CANCELLED'
   where instance_id = $1 and debt_id = $2 and status in ('PLANNED', 'ON_HOLD', 'ASKED') and type <> 'DELAYED_PENALTY_FEE'
     and (type, number) <> ($3, $4::smallint)`,
)
const planAgain = statement(
  'unsentLetters.planAgain',
  `insert into collection_step (instance_id, id, invoice_id, claim_id, type, number, planned_date, status)
   values ($1, $2, $3, $4, $5, $6, $7, $8) on conflict do nothing`,
)

type LetterAgain = { instanceId: string; debt: Debt; id: string; status: 'PLANNED' | 'ON_HOLD' }

/** A letter comes instead of all that was planned. */
export async function planLetterAgain(
  tx: Transaction,
  { instanceId, debt, id, status }: LetterAgain,
  { type, number, plannedDate }: PlannedStep,
): Promise<void> {
  await tx.rows(cancelFollowing, [instanceId, debtId(debt), type, number])
  await tx.rows(planAgain, [
    instanceId,
    id,
    'invoiceId' in debt ? debt.invoiceId : null,
    'claimId' in debt ? debt.claimId : null,
    type,
    number,
    plannedDate,
    status,
  ])
}

const releaseHeld = (table: 'invoice' | 'claim', running: string) =>
  statement(
    `unsentLetters.releaseHeld.${table}`,
    `with free as (
       select s.id from collection_step s
       join ${table} o on o.instance_id = s.instance_id and o.id = s.${table}_id and o.status in (${running})
       where s.instance_id = $1 and s.status = 'ON_HOLD' and s.type = any($3)
         and not exists (
           select from collection_step u
           join mail_outbox m on m.instance_id = $1 and m.cause = 'step:' || u.id
           join ${tasksOf(['mail_undeliverable'])} k on k.instance_id = $1 and k.about = 'mail:' || m.id
           where u.instance_id = $1 and u.debt_id = s.debt_id)
       order by o.id for no key update of o)
     update collection_step s set status = 'PLANNED', planned_date = greatest(s.planned_date, $2::date)
     from free where s.instance_id = $1 and s.id = free.id and s.status = 'ON_HOLD'`,
  )
const [releaseOfInvoices, releaseOfClaims] = [
  releaseHeld('invoice', `'ACTIVATED'`),
  releaseHeld('claim', `'OPEN', 'RESUME'`),
]

/** What a running invoice or claim holds without an open task comes again; who pauses or disputes is waited for. */
export async function releaseHeldRows(
  db: Connection,
  { instanceId, day }: { instanceId: string; day: string },
  types: readonly string[],
): Promise<void> {
  for (const release of [releaseOfInvoices, releaseOfClaims]) await db.rows(release, [instanceId, day, types])
}
