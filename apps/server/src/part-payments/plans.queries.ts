/** The SQL of plans, their invoices and instalments, one plan at a time. */
import type { PlanStatus } from '@kvitt/domain/part-payments/part-payment.ts'
import { debtId, type Debt } from '@kvitt/domain/ledger/booking.ts'
import type { Currency } from '@kvitt/domain/money.ts'
import { statement, type Connection, type Transaction } from '../platform/database/database.ts'

export type PlanRow = {
  instance_id: string
  id: string
  setting_id: string
  creditor_id: string
  debtor_id: string
  currency: Currency
  status: PlanStatus
  number: string
  amount_minor: number
  started_on: string
  /** Null: a company has no right to withdraw. */
  withdraw_until: string | null
  ended_on: string | null
  idempotency_key: string
  request_hash: Buffer
}

const COLUMNS = `p.instance_id, p.id, p.setting_id, p.creditor_id, p.debtor_id, p.currency, p.status, p.number,
  p.amount_minor, p.started_on, p.withdraw_until, p.ended_on, p.idempotency_key, p.request_hash`

const planOfDebt = statement(
  'partPayments.planOfDebt',
  `select ${COLUMNS} from part_payment p
   where p.instance_id = $1 and p.id = coalesce(
     (select part_payment_id from part_payment_member where instance_id = $1 and debt_id = $2),
     (select part_payment_id from part_payment_instalment where instance_id = $1 and invoice_id = $2))`,
)

/** The plan that an invoice or claim is in or was in, or that an invoice is an instalment of. */
export async function readPlanOfDebt(
  db: Connection,
  instanceId: string,
  debtId: string,
): Promise<PlanRow | undefined> {
  return (await db.rows<PlanRow>(planOfDebt, [instanceId, debtId]))[0]
}

const lockPlans = statement(
  'partPayments.lock',
  `select ${COLUMNS} from part_payment p where p.instance_id = $1 and p.id = any($2) order by p.id for no key update`,
)

/**
 * Plans, locked until the transaction ends. Whoever locks invoices as well: first the instalments' ones, then the
 * plan, then the plan's own.
 */
export function lockPlanRows(
  tx: Transaction,
  instanceId: string,
  planIds: readonly string[],
): Promise<PlanRow[]> {
  return tx.rows<PlanRow>(lockPlans, [instanceId, planIds])
}

/** As lockPlanRows, for one. */
export async function lockPlanRow(tx: Transaction, instanceId: string, planId: string): Promise<PlanRow> {
  const row = (await lockPlanRows(tx, instanceId, [planId]))[0]
  if (!row) throw new Error(`plan ${planId} does not exist`)
  return row
}

const insertPlan = statement(
  'partPayments.insert',
  `insert into part_payment (instance_id, id, setting_id, creditor_id, debtor_id, currency, status, number,
     amount_minor, started_on, withdraw_until, agreement, idempotency_key, request_hash)
   values ($1, $2, $3, $4, $5, $6, 'ACTIVE', $7, $8, $9, $10, $11, $12, $13)`,
)

export type NewPlan = Omit<PlanRow, 'status' | 'ended_on'> & { agreement: unknown }

export async function insertPlanRow(tx: Transaction, p: NewPlan): Promise<void> {
  await tx.rows(insertPlan, [
    p.instance_id, p.id, p.setting_id, p.creditor_id, p.debtor_id, p.currency, p.number, p.amount_minor,
    p.started_on, p.withdraw_until, JSON.stringify(p.agreement), p.idempotency_key, p.request_hash,
  ]) // biome-ignore format: in the order of the columns
}

const movePlan = statement(
  'partPayments.move',
  `update part_payment set status = $4, ended_on = $5
   where instance_id = $1 and id = $2 and status = $3 returning id`,
)

/** Moves the status when it still is what the row says. Answers whether it was. */
export async function movePlanRow(
  tx: Transaction,
  plan: Pick<PlanRow, 'instance_id' | 'id' | 'status'>,
  to: { status: PlanStatus; on: string },
): Promise<boolean> {
  const rows = await tx.rows(movePlan, [plan.instance_id, plan.id, plan.status, to.status, to.on])
  return rows.length === 1
}

const growPlan = statement(
  'partPayments.grow',
  'update part_payment set amount_minor = amount_minor + $3 where instance_id = $1 and id = $2',
)
const growMember = statement(
  'partPayments.growMember',
  'update part_payment_member set amount_minor = amount_minor + $3 where instance_id = $1 and debt_id = $2',
)
/** What a member brought in has grown. */
export async function growMemberRow(
  tx: Transaction,
  plan: { instance_id: string },
  { debt, byMinor }: { debt: Debt; byMinor: number },
): Promise<void> {
  await tx.rows(growMember, [plan.instance_id, debtId(debt), byMinor])
}

export async function growPlanRow(
  tx: Transaction,
  plan: { instance_id: string; id: string },
  amountMinor: number,
): Promise<void> {
  await tx.rows(growPlan, [plan.instance_id, plan.id, amountMinor])
}

const members = statement(
  'partPayments.members',
  `select part_payment_id, invoice_id, claim_id from part_payment_member
   where instance_id = $1 and part_payment_id = any($2) order by added_on, debt_id`,
)

type MemberRow = { part_payment_id: string } & (
  | { invoice_id: string; claim_id: null }
  | { invoice_id: null; claim_id: string }
)

export type Member = { readonly planId: string; readonly debt: Debt }

/** What these plans pay, each in the order in which it is paid off. */
export async function readMembersOf(
  db: Connection,
  instanceId: string,
  planIds: readonly string[],
): Promise<Member[]> {
  const rows = await db.rows<MemberRow>(members, [instanceId, planIds])
  return rows.map((row) => ({
    planId: row.part_payment_id,
    debt: row.claim_id === null ? { invoiceId: row.invoice_id } : { claimId: row.claim_id },
  }))
}

/** As readMembersOf, for one. */
export async function readMembers(
  db: Connection,
  plan: { instance_id: string; id: string },
): Promise<Debt[]> {
  return (await readMembersOf(db, plan.instance_id, [plan.id])).map(({ debt }) => debt)
}

const leftToBill = statement(
  'partPayments.leftToBill',
  `select coalesce(sum(coalesce(i.balance_minor, c.balance_minor)), 0)::bigint as minor
   from part_payment_member m
   left join invoice i on i.instance_id = m.instance_id and i.id = m.invoice_id
   left join claim c on c.instance_id = m.instance_id and c.id = m.claim_id
   where m.instance_id = $1 and m.part_payment_id = $2
     and coalesce(i.status, c.status) not in ('CLOSED', 'STOPPED', 'ARCHIVED')`,
)

/** What still stands on the invoices and claims that the plan pays, in minor units: it is billed month by month. */
export async function readLeftToBill(
  db: Connection,
  plan: { instance_id: string; id: string },
): Promise<number> {
  return (await db.rows<{ minor: number }>(leftToBill, [plan.instance_id, plan.id]))[0]?.minor ?? 0
}

export type InstalmentRow = {
  part_payment_id: string
  id: string
  number: number
  send_date: string
  due_date: string
  principal_minor: number
  interest_minor: number
  fee_minor: number
  start_fee_minor: number
  invoice_id: string | null
  invoice_number: string | null
  payment_reference: string | null
  balance_minor: number | null
  /** Why its invoice was stopped; null when it was not. */
  stop_reason: string | null
}

const instalments = statement(
  'partPayments.instalments',
  `select n.part_payment_id, n.id, n.number, n.send_date, n.due_date, n.principal_minor, n.interest_minor, n.fee_minor,
     n.start_fee_minor, n.invoice_id, i.invoice_number, i.payment_reference, i.balance_minor,
     case when i.status = 'STOPPED' then i.stop_reason end as stop_reason
   from part_payment_instalment n
   left join invoice i on i.instance_id = n.instance_id and i.id = n.invoice_id
   where n.instance_id = $1 and n.part_payment_id = any($2) order by n.part_payment_id, n.number`,
)

export function readInstalmentsOf(
  db: Connection,
  instanceId: string,
  planIds: readonly string[],
): Promise<InstalmentRow[]> {
  return db.rows<InstalmentRow>(instalments, [instanceId, planIds])
}

/** As readInstalmentsOf, for one. */
export function readInstalments(
  db: Connection,
  plan: { instance_id: string; id: string },
): Promise<InstalmentRow[]> {
  return readInstalmentsOf(db, plan.instance_id, [plan.id])
}

const insertInstalments = statement(
  'partPayments.insertInstalments',
  `insert into part_payment_instalment (instance_id, id, part_payment_id, number, send_date, due_date,
     principal_minor, interest_minor, fee_minor, start_fee_minor)
   select $1, n.id, $2, n.number, n.send_date, n.due_date, n.principal, n.interest, n.fee, n.start_fee
   from unnest($3::uuid[], $4::smallint[], $5::date[], $6::date[], $7::bigint[], $8::bigint[], $9::bigint[],
     $10::bigint[]) as n (id, number, send_date, due_date, principal, interest, fee, start_fee)`,
)

export type NewInstalment = Omit<
  InstalmentRow,
  'part_payment_id' | 'invoice_id' | 'invoice_number' | 'payment_reference' | 'balance_minor' | 'stop_reason'
>

export async function insertInstalmentRows(
  tx: Transaction,
  plan: { instance_id: string; id: string },
  rows: readonly NewInstalment[],
): Promise<void> {
  await tx.rows(insertInstalments, [
    plan.instance_id,
    plan.id,
    rows.map((n) => n.id),
    rows.map((n) => n.number),
    rows.map((n) => n.send_date),
    rows.map((n) => n.due_date),
    rows.map((n) => n.principal_minor),
    rows.map((n) => n.interest_minor),
    rows.map((n) => n.fee_minor),
    rows.map((n) => n.start_fee_minor),
  ])
}

const removeUnbilled = statement(
  'partPayments.removeUnbilled',
  `delete from part_payment_instalment where instance_id = $1 and part_payment_id = $2 and invoice_id is null`,
)

/** What was not billed yet never will be: the plan is over, or its schedule is written anew. */
export async function removeUnbilledRows(
  tx: Transaction,
  plan: { instance_id: string; id: string },
): Promise<void> {
  await tx.rows(removeUnbilled, [plan.instance_id, plan.id])
}
