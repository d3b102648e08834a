/** The SQL of claims in the collection schedule. Set-based, like that of invoices. */
import type { ClaimStatus } from '@kvitt/domain/claims/claim.ts'
import type { Currency } from '@kvitt/domain/money.ts'
import { performedAsJson, type ClaimSchedule } from '../claims/claims.ts'
import { CHARGED_ON_CLAIM, lateDaysOf, type LateDays } from '../ledger/ledger.ts'
import { statement, type Connection, type Transaction } from '../platform/database.ts'
import type { DuePage } from './collection.queries.ts'

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
  interest_posted_to: string
  interest_rest: number
  /** Of its principal, what is itself interest. */
  interest_free_minor: number
  late_days: LateDays[]
  /** As of a due step of an invoice; of all its invoices as well. */
  charged_minor: number
  is_part_payment: boolean
  has_authorized: boolean
  has_paid: boolean
}

const dueClaimSteps = statement(
  'collection.dueClaimSteps',
  `select s.id as step_id, s.type as step_type, s.number, s.planned_date, c.id as claim_id, c.creditor_id,
     c.debtor_id, c.status, c.currency, c.balance_minor, c.principal_minor, c.costs_minor, c.opened_on,
     c.interest_posted_to, c.interest_rest, c.interest_free_minor, c.is_part_payment, d.kind, k.country,
     exists (select from payment p where p.instance_id = c.instance_id
       and (p.status = 'AUTHORIZED' or p.is_outcome_unknown)
       and p.debt_id in (select c.id union all
         select i.id from invoice i where i.instance_id = c.instance_id and i.claim_id = c.id)) as has_authorized,
     exists (select from ledger_transaction t where t.instance_id = c.instance_id and t.claim_id = c.id
       and t.kind = 'PAYMENT') as has_paid,
     ${CHARGED_ON_CLAIM},
     ${lateDaysOf('c.instance_id', 'c.id', '$2::date')},
     ${performedAsJson('c.instance_id', 'c.id')}
   from (
     select * from collection_step
     where instance_id = $1 and status = 'PLANNED' and planned_date <= $2::date and type = any($6)
       and (planned_date, debt_id, id) > ($3::date, $4::uuid, $7::uuid)
     order by planned_date, debt_id, id limit $5
   ) s
   join claim c on c.instance_id = s.instance_id and c.id = s.claim_id
   join creditor k on k.instance_id = c.instance_id and k.id = c.creditor_id
   join debtor d on d.instance_id = c.instance_id and d.id = c.debtor_id
   order by s.planned_date, s.debt_id, s.id
   for no key update of c skip locked`,
)

/** Claims' steps that are due on a day, their claims locked. Claims that somebody else holds are left for later. */
export function lockDueClaimSteps(tx: Transaction, page: DuePage): Promise<DueClaimStep[]> {
  return tx.rows<DueClaimStep>(dueClaimSteps, [
    page.instanceId,
    page.day,
    page.after.date,
    page.after.debt,
    page.limit,
    page.types,
    page.after.step,
  ])
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
    expireDate: string | null
    interestPostedTo: string | null
    restParts: number | null
  }[],
): Promise<void> {
  if (claims.length === 0) return
  await tx.rows(setClaimDates, [
    instanceId,
    claims.map((c) => c.id),
    claims.map((c) => c.expireDate),
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
