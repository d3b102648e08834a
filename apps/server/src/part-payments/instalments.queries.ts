/** The SQL that bills instalments: their invoices, what is written about it on the plan's invoices, and the days. */
import { debtId, type Debt } from '@kvitt/domain/ledger/booking.ts'
import type { InvoiceType } from '@kvitt/domain/invoices/invoice.ts'
import type { PlanVariant } from '@kvitt/domain/part-payments/part-payment.ts'
import { statement, type Connection, type Transaction } from '../platform/database.ts'

type PlanKey = { readonly instance_id: string; readonly id: string }

const due = statement(
  'partPayments.dueInstalments',
  `select distinct p.id, t.language from part_payment_instalment n
   join instance t on t.id = n.instance_id
   join part_payment p on p.instance_id = n.instance_id and p.id = n.part_payment_id and p.status = 'ACTIVE'
   where n.instance_id = $1 and n.invoice_id is null and n.send_date <= $2::date
   union
   select p.id, t.language from part_payment p
   join instance t on t.id = p.instance_id
   join part_payment_member m on m.instance_id = p.instance_id and m.part_payment_id = p.id
   left join invoice i on i.instance_id = m.instance_id and i.id = m.invoice_id and i.status = 'ACTIVATED'
   left join claim c on c.instance_id = m.instance_id and c.id = m.claim_id and c.status in ('OPEN', 'RESUME')
   where p.instance_id = $1 and p.status = 'ACTIVE' and coalesce(i.balance_minor, c.balance_minor) > 0
     and not exists (select from part_payment_instalment n
       where n.instance_id = p.instance_id and n.part_payment_id = p.id and n.invoice_id is null)
   order by id`,
)

/**
 * Running plans that have an instalment to bill on `day`, and the language of their instance. A balance that has
 * grown after the last instalment is billed as one more.
 */
export function readPlansToBill(
  db: Connection,
  instanceId: string,
  day: string,
): Promise<{ id: string; language: string }[]> {
  return db.rows(due, [instanceId, day])
}

const learnSizes = statement('partPayments.learnSizes', 'select learn_plan_sizes()')

/** Lets the planner know how large the tables of plans have become, while they are small enough to change fast. */
export async function learnPlanSizes(db: Connection): Promise<void> {
  await db.rows(learnSizes)
}

const billed = statement(
  'partPayments.markBilled',
  `update part_payment_instalment set invoice_id = $3, due_date = $4, send_date = $5, principal_minor = $6,
     interest_minor = $7
   where instance_id = $1 and id = $2 and invoice_id is null returning id`,
)

/** The instalment has its invoice now. Answers false when it had one already. */
export async function markBilledRow(
  tx: Transaction,
  key: { instanceId: string; id: string },
  as: { invoiceId: string; dueDate: string; sentOn: string; principalMinor: number; interestMinor: number },
): Promise<boolean> {
  const rows = await tx.rows(billed, [
    key.instanceId,
    key.id,
    as.invoiceId,
    as.dueDate,
    as.sentOn,
    as.principalMinor,
    as.interestMinor,
  ])
  return rows.length === 1
}

const shift = statement(
  'partPayments.shift',
  `update part_payment_instalment set send_date = send_date + $3::int, due_date = due_date + $3::int
   where instance_id = $1 and part_payment_id = $2 and invoice_id is null`,
)

/** Everything still to be billed comes so many days later. */
export async function shiftUnbilledRows(tx: Transaction, plan: PlanKey, days: number): Promise<void> {
  if (days > 0) await tx.rows(shift, [plan.instance_id, plan.id, days])
}

const insertReference = statement(
  'partPayments.insertReference',
  `insert into payment_reference (instance_id, reference, debtor_id, creditor_id) values ($1, $2, $3, $4)
   on conflict do nothing returning reference`,
)

/** Takes a reference. Answers false when it is somebody's already. */
export async function insertReferenceRow(
  tx: Transaction,
  plan: { instance_id: string; debtor_id: string; creditor_id: string },
  reference: string,
): Promise<boolean> {
  const values = [plan.instance_id, reference, plan.debtor_id, plan.creditor_id]
  return (await tx.rows(insertReference, values)).length === 1
}

const insertInvoice = statement(
  'partPayments.insertInvoice',
  `insert into invoice (instance_id, id, creditor_id, debtor_id, type, status, invoice_number, payment_reference, zip,
     issue_date, sent_date, expire_date, currency, total_minor, payment_account_id, property, rows, part_payment_variant)
   select $1, $3, m.creditor_id, m.debtor_id, $4, 'ACTIVATED', $5, $6, m.zip, $7, $7, $8, m.currency, $9,
     m.payment_account_id, m.property, $10, $11
   from (
     select creditor_id, debtor_id, zip, currency, payment_account_id, property
     from invoice where instance_id = $1 and id = $2
     union all
     select creditor_id, debtor_id, zip, currency, null, null from claim where instance_id = $1 and id = $2) m`,
)

export type InstalmentInvoice = {
  readonly id: string
  /** The invoice or claim that it takes creditor, debtor, zip and account from. */
  readonly motherId: string
  readonly type: InvoiceType
  readonly variant: PlanVariant
  readonly number: string
  readonly reference: string
  readonly sentOn: string
  readonly dueDate: string
  readonly totalMinor: number
  readonly lines: unknown
}

export async function insertInstalmentInvoice(
  tx: Transaction,
  instanceId: string,
  i: InstalmentInvoice,
): Promise<void> {
  await tx.rows(insertInvoice, [
    instanceId, i.motherId, i.id, i.type, i.number, i.reference, i.sentOn, i.dueDate, i.totalMinor,
    JSON.stringify(i.lines), i.variant,
  ]) // biome-ignore format: in the order of the columns
}

const planStep = statement(
  'partPayments.planStep',
  `insert into collection_step (instance_id, id, invoice_id, claim_id, type, number, planned_date, status)
   select $1, gen_random_uuid(), x.invoice_id, x.claim_id, $3, $4, $5, 'PLANNED'
   from (
     select id as invoice_id, null::uuid as claim_id from invoice
     where instance_id = $1 and id = any($2) and status = 'ACTIVATED'
     union all
     select null, id from claim where instance_id = $1 and id = any($2) and status in ('OPEN', 'RESUME')) x
   on conflict do nothing`,
)

export type Debts = { readonly instanceId: string; readonly debts: readonly Debt[] }

/** Plans a step on each of these invoices and claims that is open. */
export async function planStepRows(
  tx: Transaction,
  { instanceId, debts }: Debts,
  step: { type: string; number: number; day: string },
): Promise<void> {
  await tx.rows(planStep, [instanceId, debts.map(debtId), step.type, step.number, step.day])
}

const endStep = statement(
  'partPayments.endStep',
  `update collection_step set status = 'CANCELLED'
   where instance_id = $1 and debt_id = any($2) and type = $3 and status in ('PLANNED', 'ON_HOLD')`,
)
const performStep = statement(
  'partPayments.performStep',
  `insert into collection_step (instance_id, id, invoice_id, claim_id, type, number, planned_date, performed_date, status)
   select $1, gen_random_uuid(), x.invoice_id, x.claim_id, $3, $4, $5, $5, 'PERFORMED'
   from (
     select id as invoice_id, null::uuid as claim_id from invoice where instance_id = $1 and id = any($2)
     union all
     select null, id from claim where instance_id = $1 and id = any($2)) x
   on conflict do nothing`,
)

/** A step that happened on `day`; one of its type that was planned on the debt gives way to it. */
export async function performStepRows(
  tx: Transaction,
  { instanceId, debts }: Debts,
  step: { type: string; number: number; day: string },
): Promise<void> {
  const ids = debts.map(debtId)
  await tx.rows(endStep, [instanceId, ids, step.type])
  await tx.rows(performStep, [instanceId, ids, step.type, step.number, step.day])
}

const creditorCountry = statement(
  'partPayments.creditorCountry',
  'select country from creditor where instance_id = $1 and id = $2',
)

export async function readCreditorCountry(
  db: Connection,
  plan: { instance_id: string; creditor_id: string },
): Promise<string> {
  const rows = await db.rows<{ country: string }>(creditorCountry, [plan.instance_id, plan.creditor_id])
  return rows[0]?.country ?? ''
}
