/** The SQL of what joins a plan, and of purchases that were added to an account, each on an agreement of its own. */
import type { PlanVariant } from '@kvitt/domain/part-payments/part-payment.ts'
import { debtId, type Debt } from '@kvitt/domain/ledger/booking.ts'
import { statement, type Connection, type Transaction } from '../platform/database/database.ts'

const insertMember = statement(
  'partPayments.insertMember',
  `insert into part_payment_member (instance_id, invoice_id, claim_id, part_payment_id, added_on, amount_minor, agreement,
     withdraw_until, idempotency_key, request_hash)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
)
const markMember = statement(
  'partPayments.markMember',
  `update invoice set is_part_payment = true, part_payment_variant = $3 where instance_id = $1 and id = $2`,
)
const markClaim = statement(
  'partPayments.markClaim',
  `update claim set is_part_payment = true, part_payment_variant = $3 where instance_id = $1 and id = $2`,
)

export type NewMember = {
  readonly debt: Debt
  readonly addedOn: string
  readonly amountMinor: number
  readonly variant: PlanVariant
  /** What is added to an account is agreed on by itself. */
  readonly own?: OwnAgreement
}

export type OwnAgreement = {
  readonly agreement: unknown
  /** Null: a company has no right to withdraw. */
  readonly withdrawUntil: string | null
  readonly idempotencyKey: string
  readonly requestHash: Buffer
}

/** The balance of an invoice or claim is from now on paid by the plan. */
export async function insertMemberRow(
  tx: Transaction,
  plan: { instance_id: string; id: string },
  member: NewMember,
): Promise<void> {
  const { debt, addedOn, amountMinor, variant } = member
  const invoiceId = 'invoiceId' in debt ? debt.invoiceId : null
  const claimId = 'claimId' in debt ? debt.claimId : null
  const { own } = member
  await tx.rows(insertMember, [
    plan.instance_id, invoiceId, claimId, plan.id, addedOn, amountMinor, own ? JSON.stringify(own.agreement) : null,
    own?.withdrawUntil ?? null, own?.idempotencyKey ?? null, own?.requestHash ?? null,
  ]) // biome-ignore format: in the order of the columns
  await tx.rows(claimId ? markClaim : markMember, [plan.instance_id, debtId(debt), variant])
}

const addition = statement(
  'partPayments.addition',
  `select m.part_payment_id, m.added_on, m.amount_minor, m.withdraw_until, m.idempotency_key, m.request_hash,
     m.agreement->>'offerVersion' as "offerVersion"
   from part_payment_member m where m.instance_id = $1 and m.debt_id = $2 and m.agreement is not null`,
)

export type Addition = {
  part_payment_id: string
  added_on: string
  /** What it brought into the account. */
  amount_minor: number
  /** Null: a company has no right to withdraw. */
  withdraw_until: string | null
  idempotency_key: string
  request_hash: Buffer
  offerVersion: string | null
}

/** The purchase that was added to an account; undefined for what a plan began with, and what is in none. */
export async function readAddition(
  db: Connection,
  instanceId: string,
  debt: string,
): Promise<Addition | undefined> {
  return (await db.rows<Addition>(addition, [instanceId, debt]))[0]
}

const leaveAccount = statement(
  'partPayments.leaveAccount',
  `with left_plan as (
     insert into part_payment (instance_id, id, setting_id, creditor_id, debtor_id, currency, status, number,
       amount_minor, started_on, withdraw_until, ended_on, agreement, idempotency_key, request_hash)
     select m.instance_id, $3, p.setting_id, p.creditor_id, p.debtor_id, p.currency, 'WITHDRAWN', $4,
       m.amount_minor, m.added_on, m.withdraw_until, $5::date, m.agreement, m.idempotency_key, m.request_hash
     from part_payment_member m
     join part_payment p on p.instance_id = m.instance_id and p.id = m.part_payment_id
     where m.instance_id = $1 and m.debt_id = $2 and m.agreement is not null
     returning id
   ), shrunk as (
     update part_payment p set amount_minor = p.amount_minor - m.amount_minor
     from part_payment_member m
     where m.instance_id = $1 and m.debt_id = $2 and p.instance_id = m.instance_id and p.id = m.part_payment_id
   )
   update part_payment_member m set part_payment_id = l.id from left_plan l
   where m.instance_id = $1 and m.debt_id = $2`,
)

/** A purchase leaves its account for a plan of its own, with its agreement, which ends as withdrawn. */
export async function leaveAccountRows(
  tx: Transaction,
  { instanceId, debt }: { readonly instanceId: string; readonly debt: Debt },
  own: { readonly planId: string; readonly number: string; readonly on: string },
): Promise<void> {
  await tx.rows(leaveAccount, [instanceId, debtId(debt), own.planId, own.number, own.on])
}
