/** The SQL that bills instalments: their invoices, what is written about it on the plan's invoices, and the days. */
import { debtId, type Debt } from '@kvitt/domain/ledger/booking.ts'
import type { InvoiceType } from '@kvitt/domain/invoices/invoice.ts'
import type { PlanVariant } from '@kvitt/domain/part-payments/part-payment.ts'
import { isOfNobodyResting } from '../../ledger/resting-debts.queries.ts'
import { statement, type Connection, type Transaction } from '../../platform/database/database.ts'

const due = statement(
  'partPayments.dueInstalments',
  `select distinct p.id, t.language from part_payment_instalment n
   join instance t on t.id = n.instance_id
   join part_payment p on p.instance_id = n.instance_id and p.id = n.part_payment_id and p.status = 'ACTIVE'
   where n.instance_id = $1 and n.invoice_id is null and n.send_date <= $2::date
     and ${isOfNobodyResting('p.debtor_id')}
   union
   select p.id, t.language from part_payment p
   join instance t on t.id = p.instance_id
   join part_payment_member m on m.instance_id = p.instance_id and m.part_payment_id = p.id
   left join invoice i on i.instance_id = m.instance_id and i.id = m.invoice_id and i.status = 'ACTIVATED'
   left join claim c on c.instance_id = m.instance_id and c.id = m.claim_id and c.status in ('OPEN', 'RESUME')
   where p.instance_id = $1 and p.status = 'ACTIVE' and coalesce(i.balance_minor, c.balance_minor) > 0
     and not exists (select from part_payment_instalment n
       where n.instance_id = p.instance_id and n.part_payment_id = p.id and n.invoice_id is null)
     and ${isOfNobodyResting('p.debtor_id')}
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

export type InstalmentInvoice = {
  readonly id: string
  readonly instalmentId: string
  /** The invoice or claim that it takes creditor, debtor, zip and account from. */
  readonly motherId: string
  readonly type: InvoiceType
  readonly variant: PlanVariant
  readonly number: string
  readonly reference: string
  readonly sentOn: string
  readonly dueDate: string
  readonly totalMinor: number
  readonly principalMinor: number
  readonly interestMinor: number
  readonly lines: unknown
}

const insertInvoices = statement(
  'partPayments.insertInvoices',
  `insert into invoice (instance_id, id, creditor_id, debtor_id, type, status, invoice_number, payment_reference, zip,
     issue_date, sent_date, expire_date, currency, total_minor, payment_account_id, property, rows, part_payment_variant)
   select $1, n.id, m.creditor_id, m.debtor_id, n.type, 'ACTIVATED', n.number, n.reference, m.zip, n."sentOn", n."sentOn",
     n."dueDate", m.currency, n."totalMinor", m.payment_account_id, m.property, n.lines, n.variant
   from json_to_recordset($2) as n (id uuid, "motherId" uuid, type text, variant text, number text, reference text,
     "sentOn" date, "dueDate" date, "totalMinor" bigint, lines jsonb)
   cross join lateral (
     select creditor_id, debtor_id, zip, currency, payment_account_id, property
     from invoice where instance_id = $1 and id = n."motherId"
     union all
     select creditor_id, debtor_id, zip, currency, null, null from claim where instance_id = $1 and id = n."motherId") m`,
)
const markBilled = statement(
  'partPayments.markBilled',
  `update part_payment_instalment i set invoice_id = n.id, due_date = n."dueDate", send_date = n."sentOn",
     principal_minor = n."principalMinor", interest_minor = n."interestMinor"
   from json_to_recordset($2) as n (id uuid, "instalmentId" uuid, "sentOn" date, "dueDate" date,
     "principalMinor" bigint, "interestMinor" bigint)
   where i.instance_id = $1 and i.id = n."instalmentId" and i.invoice_id is null returning i.id`,
)

/** The invoices of instalments, and which each belongs to. Answers how many of those had none before. */
export async function insertInstalmentInvoices(
  tx: Transaction,
  instanceId: string,
  invoices: readonly InstalmentInvoice[],
): Promise<number> {
  const values = [instanceId, JSON.stringify(invoices)]
  await tx.rows(insertInvoices, values)
  return (await tx.rows(markBilled, values)).length
}

const shift = statement(
  'partPayments.shift',
  `update part_payment_instalment i set send_date = i.send_date + n.days, due_date = i.due_date + n.days
   from unnest($2::uuid[], $3::int[]) as n (plan_id, days)
   where i.instance_id = $1 and i.part_payment_id = n.plan_id and i.invoice_id is null`,
)

/** Everything still to be billed by these plans comes so many days later. */
export async function shiftUnbilledRows(
  tx: Transaction,
  instanceId: string,
  shifts: readonly { readonly planId: string; readonly days: number }[],
): Promise<void> {
  if (shifts.length === 0) return
  await tx.rows(shift, [instanceId, shifts.map((s) => s.planId), shifts.map((s) => s.days)])
}

/** A step of an invoice or claim on a day. */
export type DebtStep = {
  readonly debt: Debt
  readonly type: string
  readonly number: number
  readonly day: string
}

const stepValues = (instanceId: string, steps: readonly DebtStep[]): unknown[] => [
  instanceId,
  steps.map((s) => debtId(s.debt)),
  steps.map((s) => s.type),
  steps.map((s) => s.number),
  steps.map((s) => s.day),
]
const STEPS = 'unnest($2::uuid[], $3::text[], $4::int[], $5::date[]) as n (debt_id, type, number, day)'

const planStep = statement(
  'partPayments.planStep',
  `insert into collection_step (instance_id, id, invoice_id, claim_id, type, number, planned_date, status)
   select $1, gen_random_uuid(), i.id, c.id, n.type, n.number, n.day, 'PLANNED'
   from ${STEPS}
   left join invoice i on i.instance_id = $1 and i.id = n.debt_id and i.status = 'ACTIVATED'
   left join claim c on c.instance_id = $1 and c.id = n.debt_id and c.status in ('OPEN', 'RESUME')
   where num_nonnulls(i.id, c.id) = 1
   on conflict do nothing`,
)

/** Plans steps on those of these invoices and claims that are open. */
export async function planStepRows(
  tx: Transaction,
  instanceId: string,
  steps: readonly DebtStep[],
): Promise<void> {
  if (steps.length > 0) await tx.rows(planStep, stepValues(instanceId, steps))
}

const performPlanned = statement(
  'partPayments.performPlanned',
  `update collection_step s set status = 'PERFORMED', performed_date = n.day from ${STEPS}
   where s.instance_id = $1 and s.debt_id = n.debt_id and s.type = n.type and s.number = n.number
     and s.status in ('PLANNED', 'ON_HOLD')`,
)
const endStep = statement(
  'partPayments.endStep',
  `update collection_step s set status = 'CANCELLED' from ${STEPS}
   where s.instance_id = $1 and s.debt_id = n.debt_id and s.type = n.type and s.status in ('PLANNED', 'ON_HOLD')`,
)
const performStep = statement(
  'partPayments.performStep',
  `insert into collection_step (instance_id, id, invoice_id, claim_id, type, number, planned_date, performed_date, status)
   select $1, gen_random_uuid(), i.id, c.id, n.type, n.number, n.day, n.day, 'PERFORMED'
   from ${STEPS}
   left join invoice i on i.instance_id = $1 and i.id = n.debt_id
   left join claim c on c.instance_id = $1 and c.id = n.debt_id
   on conflict do nothing`,
)

/** Steps that happened; what was planned of the same type on the same debt gives way to them. */
export async function performStepRows(
  tx: Transaction,
  instanceId: string,
  steps: readonly DebtStep[],
): Promise<void> {
  const values = stepValues(instanceId, steps)
  await tx.rows(performPlanned, values)
  await tx.rows(endStep, values)
  await tx.rows(performStep, values)
}

const creditorCountries = statement(
  'partPayments.creditorCountries',
  'select id, country from creditor where instance_id = $1 and id = any($2)',
)

/** The countries of creditors, by their identifiers. */
export async function readCreditorCountries(
  db: Connection,
  instanceId: string,
  creditorIds: readonly string[],
): Promise<Map<string, string>> {
  const values = [instanceId, creditorIds]
  const rows = await db.rows<{ id: string; country: string }>(creditorCountries, values)
  return new Map(rows.map(({ id, country }) => [id, country]))
}
