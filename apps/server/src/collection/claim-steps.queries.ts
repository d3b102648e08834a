/** The SQL of claims in the collection schedule. Set-based, like that of invoices. */
import type { ClaimStatus } from '@kvitt/domain/claims/claim.ts'
import type { Currency } from '@kvitt/domain/money.ts'
import { performedAsJson, type ClaimKey, type ClaimSchedule } from '../claims/claims.ts'
import { CHARGED_ON_CLAIM, FELL_DUE_ON, lateDaysOf, type LateDays } from '../ledger/ledger.ts'
import { hasUnsentLetter } from '../mail/mail.ts'
import { statement, type Connection, type Transaction } from '../platform/database/database.ts'
import { IS_LIVE, lockingPages, type DuePage } from './due-steps.queries.ts'

export type DueClaimStep = ClaimSchedule & {
  step_id: string
  step_type: string
  number: number
  planned_date: string
  claim_id: string
  creditor_id: string
  debtor_id: string
  status: ClaimStatus
  currency: Currency
  balance_minor: number
  principal_minor: number
  costs_minor: number
  /** Of its oldest invoice. */
  fell_due_on: string
  interest_posted_to: string
  interest_rest: number
  /** Of its principal, what is itself interest. */
  interest_free_minor: number
  late_days: LateDays[]
  /** As of a due step of an invoice; of all its invoices as well. */
  charged_minor: number
  is_live: boolean
  claim_number: string
  is_part_payment: boolean
  has_authorized: boolean
  has_paid: boolean
  has_unsent_letter: boolean
}

/** Due steps `s` of a source, with their claims `c` and what decides about them; $2 is the day. */
const dueClaimStepsOf = (source: string, lock = 'for no key update of c'): string =>
  `select s.id as step_id, s.type as step_type, s.number, s.planned_date, c.id as claim_id, c.creditor_id,
     c.debtor_id, c.status, c.currency, c.balance_minor, c.principal_minor, c.costs_minor, c.opened_on,
     ${FELL_DUE_ON.claim('c')},
     c.interest_posted_to, c.interest_rest, c.interest_free_minor, c.is_part_payment, d.kind, k.country,
     exists (select from payment p where p.instance_id = c.instance_id
       and (p.status = 'AUTHORIZED' or p.is_outcome_unknown)
       and p.debt_id in (select c.id union all
         select i.id from invoice i where i.instance_id = c.instance_id and i.claim_id = c.id)) as has_authorized,
     exists (select from ledger_transaction t where t.instance_id = c.instance_id and t.claim_id = c.id
       and t.kind = 'PAYMENT') as has_paid,
     ${hasUnsentLetter('c.instance_id', 'c.id')} as has_unsent_letter,
     ${CHARGED_ON_CLAIM}, ${IS_LIVE}, c.claim_number,
     ${lateDaysOf('c.instance_id', 'c.id', '$2::date')},
     ${performedAsJson('c.instance_id', 'c.id')}
   from (${source}) s
   join claim c on c.instance_id = s.instance_id and c.id = s.claim_id
   join creditor k on k.instance_id = c.instance_id and k.id = c.creditor_id
   join debtor d on d.instance_id = c.instance_id and d.id = c.debtor_id
   order by s.planned_date, s.debt_id, s.id
   ${lock}`

const lockDue = lockingPages('claim', 'dueClaimSteps', (page) => `${dueClaimStepsOf(page)} skip locked`)

/** Claims' steps that are due on a day, their claims locked. Claims that somebody else holds are left for later. */
export function lockDueClaimSteps(tx: Transaction, page: DuePage): Promise<DueClaimStep[]> {
  return lockDue<DueClaimStep>(tx, page)
}

const dueClaimStep = statement(
  'collection.dueClaimStep',
  dueClaimStepsOf('select * from collection_step where instance_id = $1 and id = $3'),
)

/** One planned step of a claim, as lockDueClaimSteps. */
export async function lockDueClaimStep(
  tx: Transaction,
  { instanceId, day, stepId }: { instanceId: string; day: string; stepId: string },
): Promise<DueClaimStep> {
  const row = (await tx.rows<DueClaimStep>(dueClaimStep, [instanceId, day, stepId]))[0]
  if (!row) throw new Error(`step ${stepId} does not exist`)
  return row
}

const wouldBeStep = statement(
  'collection.wouldBeClaimStep',
  dueClaimStepsOf(
    `select $1::uuid as instance_id, $3::uuid as claim_id, $3::uuid as debt_id, null::uuid as id, $4 as type, 1 as number,
       $2::date as planned_date`,
    '',
  ),
)

/** A step of a claim as it would be if it were recorded now. Nothing is locked. */
export async function readWouldBeStep(
  db: Connection,
  { instanceId, claimId }: ClaimKey,
  { type, day }: { readonly type: string; readonly day: string },
): Promise<DueClaimStep | undefined> {
  return (await db.rows<DueClaimStep>(wouldBeStep, [instanceId, day, claimId, type]))[0]
}

const insertRecorded = statement(
  'collection.insertRecorded',
  `insert into collection_step (instance_id, id, claim_id, type, number, planned_date, status)
   select $1, $2, $3, $4, 1 + count(*), $5, 'PLANNED' from collection_step s
   where s.instance_id = $1 and s.debt_id = $3 and s.type = $4 and s.status in ('PLANNED', 'PERFORMED', 'ON_HOLD')`,
)

/** The next step of its type, which somebody records. Under the lock of the claim. */
export async function insertRecordedRow(
  tx: Transaction,
  step: { instanceId: string; id: string; claimId: string; type: string; on: string },
): Promise<void> {
  await tx.rows(insertRecorded, [step.instanceId, step.id, step.claimId, step.type, step.on])
}

const setPerformedDay = statement(
  'collection.setPerformedDay',
  `update collection_step set performed_date = $3 where instance_id = $1 and id = $2 and status = 'PERFORMED'`,
)

/** It happened on another day than the one on which it was written down. */
export async function setPerformedDayRow(
  tx: Transaction,
  step: { instanceId: string; id: string; on: string },
): Promise<void> {
  await tx.rows(setPerformedDay, [step.instanceId, step.id, step.on])
}

const instructed = statement(
  'collection.instructed',
  `select c.id from claim c
   where c.instance_id = $1 and c.id = any($3) and exists (
     select from court_instruction n where n.instance_id = $1 and n.creditor_id = c.creditor_id and n.ended_at is null
       and $2::date between n.valid_from and n.valid_to and n.currency = c.currency
       and c.balance_minor <= n.largest_claim_minor)`,
)

/** Which of these claims their creditors have told to take to the authority, once and for all. */
export async function readInstructed(
  tx: Transaction,
  { instanceId, day }: { instanceId: string; day: string },
  claimIds: readonly string[],
): Promise<Set<string>> {
  if (claimIds.length === 0) return new Set()
  return new Set((await tx.rows<{ id: string }>(instructed, [instanceId, day, claimIds])).map(({ id }) => id))
}

const setClaimDates = statement(
  'collection.setClaimDates',
  `update claim c set expire_date = coalesce(n.expire_date, c.expire_date),
     interest_posted_to = coalesce(n.interest_posted_to, c.interest_posted_to),
     interest_rest = coalesce(n.interest_rest, c.interest_rest)
   from unnest($2::uuid[], $3::date[], $4::date[], $5::bigint[]) as n (id, expire_date, interest_posted_to, interest_rest)
   where c.instance_id = $1 and c.id = n.id
     and (n.expire_date <> c.expire_date or n.interest_posted_to <> c.interest_posted_to
       or n.interest_rest <> c.interest_rest)`,
)

/** A new last day to pay, and the day up to which interest is in the books but for what was left over; null leaves what was. */
export async function setClaimDateRows(
  tx: Transaction,
  instanceId: string,
  claims: readonly {
    id: string
    dueDate: string | null
    interestPostedTo: string | null
    restParts: number | null
  }[],
): Promise<void> {
  if (claims.length === 0) return
  await tx.rows(setClaimDates, [
    instanceId,
    claims.map((c) => c.id),
    claims.map((c) => c.dueDate),
    claims.map((c) => c.interestPostedTo),
    claims.map((c) => c.restParts),
  ])
}

const resumingClaims = statement(
  'collection.resumingClaims',
  `select id from claim where instance_id = $1 and status = 'PAUSED' and resume_date <= $2::date order by id`,
)

/** Paused claims that go on by themselves on `day`. */
export async function readResumingClaims(db: Connection, instanceId: string, day: string): Promise<string[]> {
  return (await db.rows<{ id: string }>(resumingClaims, [instanceId, day])).map((row) => row.id)
}

const claimResumed = statement(
  'collection.claimResumed',
  'update claim set resume_date = $3 where instance_id = $1 and id = $2',
)

/** Keeps the day on which it went on, whatever day was foreseen. */
export async function setClaimResumed(tx: Transaction, key: ClaimKey, on: string): Promise<void> {
  await tx.rows(claimResumed, [key.instanceId, key.claimId, on])
}
