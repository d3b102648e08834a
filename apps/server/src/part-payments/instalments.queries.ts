/** The SQL that bills instalments: their invoices, what is written about it on the plan's invoices, and the days. */
import type { InvoiceType } from '@kvitt/domain/invoices/invoice.ts'
import type { PlanVariant } from '@kvitt/domain/part-payments/part-payment.ts'
import { statement, type Connection, type Transaction } from '../platform/database.ts'

type PlanKey = { readonly instance_id: string; readonly id: string }

const due = statement(
  'partPayments.dueInstalments',
  `select distinct p.id, t.language from part_payment_instalment n
   join instance t on t.id = n.instance_id
   join part_payment p on p.instance_id = n.instance_id and p.id = n.part_payment_id and p.status = 'ACTIVE'
   where n.instance_id = $1 and n.invoice_id is null and n.send_date <= $2::date order by p.id`,
)

/** Running plans that have an instalment to bill on `day`, and the language of their instance. */
export function readPlansToBill(
  db: Connection,
  instanceId: string,
  day: string,
): Promise<{ id: string; language: string }[]> {
  return db.rows(due, [instanceId, day])
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
   select instance_id, $3, creditor_id, debtor_id, $4, 'ACTIVATED', $5, $6, zip, $7, $7, $8, currency, $9,
     payment_account_id, property, $10, $11
   from invoice where instance_id = $1 and id = $2`,
)

export type InstalmentInvoice = {
  readonly id: string
  /** The plan's invoice that it takes creditor, debtor, zip and account from. */
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
  `insert into collection_step (instance_id, id, invoice_id, type, number, planned_date, status)
   select $1, gen_random_uuid(), i.id, $3, $4, $5, 'PLANNED'
   from invoice i where i.instance_id = $1 and i.id = any($2) and i.status = 'ACTIVATED'
   on conflict do nothing`,
)

/** Plans a step on each of these invoices that is open. */
export async function planStepRows(
  tx: Transaction,
  key: { instanceId: string; invoiceIds: readonly string[] },
  step: { type: string; number: number; day: string },
): Promise<void> {
  await tx.rows(planStep, [key.instanceId, key.invoiceIds, step.type, step.number, step.day])
}

const endStep = statement(
  'partPayments.endStep',
  `update collection_step set status = 'CANCELLED'
   where instance_id = $1 and invoice_id = any($2) and type = $3 and status in ('PLANNED', 'ON_HOLD')`,
)
const performStep = statement(
  'partPayments.performStep',
  `insert into collection_step (instance_id, id, invoice_id, type, number, planned_date, performed_date, status)
   select $1, gen_random_uuid(), n.id, $3, $4, $5, $5, 'PERFORMED' from unnest($2::uuid[]) as n (id)
   on conflict do nothing`,
)

/** A step that happened on `day`; one of its type that was planned on the invoice gives way to it. */
export async function performStepRows(
  tx: Transaction,
  key: { instanceId: string; invoiceIds: readonly string[] },
  step: { type: string; number: number; day: string },
): Promise<void> {
  await tx.rows(endStep, [key.instanceId, key.invoiceIds, step.type])
  await tx.rows(performStep, [key.instanceId, key.invoiceIds, step.type, step.number, step.day])
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
