/** The SQL of a creditor's plans for its staff. Everything starts from `office`: what is the creditor's $2 at the instance $1. */
import { CURRENCIES, type Currency } from '@kvitt/domain/money.ts'
import { PLAN_STATUSES, type PlanStatus } from '@kvitt/domain/part-payments/part-payment.ts'
import { statement, type Connection } from '../../platform/database/database.ts'
import { amount, asWritten, sqlJson, word } from '../../platform/database/sql-json.ts'
import { creditorJson } from '../../staff/office-debtor.queries.ts'
import { openOfficeList, openOfficeRow, type OfficeListShape, type Whose } from '../../staff/office-list.ts'
import type { ClientPrincipal } from '../../staff/staff.ts'

/** What stands on the debts of a plan and will be billed. */
const TO_BILL = `select coalesce(sum(coalesce(i.balance_minor, c.balance_minor))
     filter (where coalesce(i.status, c.status) not in ('CLOSED', 'STOPPED', 'ARCHIVED')), 0)::bigint as minor
   from part_payment_member m
   left join invoice i on i.instance_id = m.instance_id and i.id = m.invoice_id
   left join claim c on c.instance_id = m.instance_id and c.id = m.claim_id
   where m.instance_id = p.instance_id and m.part_payment_id = p.id`

const IS_OPEN = `b.status not in ('CLOSED', 'STOPPED', 'ARCHIVED')`

/** What was billed, and what is still to come. */
const INSTALMENTS = `select count(b.id)::int as billed, count(b.id) filter (where b.status = 'CLOSED')::int as paid,
     coalesce(sum(b.balance_minor) filter (where ${IS_OPEN}), 0)::bigint as open_minor,
     coalesce(sum(b.balance_minor) filter (where ${IS_OPEN} and n.due_date < $3::date), 0)::bigint as late_minor,
     count(b.id) filter (where ${IS_OPEN} and n.due_date < $3::date)::int as missed,
     min(n.due_date) filter (where n.due_date >= $3::date and case when b.id is null then t.minor > 0 else ${IS_OPEN} end) as next_due
   from part_payment_instalment n
   left join invoice b on b.instance_id = n.instance_id and b.id = n.invoice_id
   where n.instance_id = p.instance_id and n.part_payment_id = p.id`

/** What a plan that has ended was about is owed by itself again, or not at all. */
const active = (sql: string, otherwise: string): string =>
  `(case when p.status = 'ACTIVE' then ${sql} else ${otherwise} end)`
const LEFT = active('t.minor + n.open_minor', '0')
const LATE = active('n.late_minor', '0')
const NEXT_DUE = active('n.next_due', 'null')

const DEBTS = `'[' || coalesce((select string_agg(${sqlJson({
  type: word(`case when m.claim_id is null then 'invoices' else 'collection-batches' end`),
  id: word('coalesce(m.claim_id, m.invoice_id)'),
  number: 'coalesce(c.claim_number, i.invoice_number)',
})}, ',' order by m.added_on, m.debt_id)
   from part_payment_member m
   left join invoice i on i.instance_id = m.instance_id and i.id = m.invoice_id
   left join claim c on c.instance_id = m.instance_id and c.id = m.claim_id
   where m.instance_id = p.instance_id and m.part_payment_id = p.id), '') || ']'`

/** The numbers of all that it pays. */
const NUMBERS = `coalesce((select string_agg(coalesce(c.claim_number, i.invoice_number), ' ')
   from part_payment_member m
   left join invoice i on i.instance_id = m.instance_id and i.id = m.invoice_id
   left join claim c on c.instance_id = m.instance_id and c.id = m.claim_id
   where m.instance_id = p.instance_id and m.part_payment_id = p.id), '')`

const office = (whose: Whose): string => `part_payment p
   join debtor d on d.instance_id = p.instance_id and d.id = p.debtor_id
   cross join lateral (${TO_BILL}) t
   cross join lateral (${INSTALMENTS}) n
   where p.instance_id = $1 and ${whose('p.creditor_id')}`

const SHAPE: OfficeListShape = {
  name: 'plans.office',
  from: office,
  json: sqlJson({
    id: word('p.id'),
    version: asWritten('p.xmin::text'),
    number: 'p.number',
    status: word('p.status'),
    currency: word('p.currency'),
    startedOn: word('p.started_on'),
    endedOn: 'p.ended_on',
    credit: amount('p.amount_minor'),
    left: amount(LEFT),
    late: amount(LATE),
    missed: asWritten(`${active('n.missed', '0')}::text`),
    instalments: { paid: asWritten('n.paid::text'), billed: asWritten('n.billed::text') },
    nextDue: NEXT_DUE,
    debtor: { id: word('d.id'), name: 'd.name' },
    creditor: creditorJson('p.instance_id', 'p.creditor_id'),
    debts: asWritten(DEBTS),
  }),
  targets: {
    number: 'p.number',
    invoiceNumber: NUMBERS,
    name: 'd.name',
    identificationNumber: `coalesce(d.identification_number, '')`,
  },
  filters: {
    id: { kind: 'id', sql: 'p.id::text' },
    status: { kind: 'choice', values: PLAN_STATUSES, sql: 'p.status' },
    isLate: { kind: 'choice', values: ['true', 'false'], sql: `(${LATE} > 0)::text` },
    currency: { kind: 'choice', values: CURRENCIES, sql: 'p.currency' },
    'creditor.id': { kind: 'id', sql: 'p.creditor_id::text' },
    'debtor.id': { kind: 'id', sql: 'p.debtor_id::text' },
    startedOn: { kind: 'day', sql: 'p.started_on' },
    nextDue: { kind: 'day', sql: NEXT_DUE },
    left: { kind: 'amount', sql: LEFT },
  },
  orders: {
    id: 'p.started_on',
    startedOn: 'p.started_on',
    nextDue: NEXT_DUE,
    left: LEFT,
    late: LATE,
    'debtor.name': 'd.name',
  },
  tie: 'p.id',
}

export const searchPlanRows = openOfficeList(SHAPE)

/** One of the creditor's plans, as it is on a day. */
export const readOfficePlanRow = openOfficeRow(SHAPE)

const bills = statement(
  'plans.office.bills',
  `select n.number, b.id, b.status, (
       select max(coalesce(t.value_on, t.booked_on)) from ledger_transaction t
       where t.instance_id = b.instance_id and t.invoice_id = b.id and t.kind = 'PAYMENT') as "paidOn"
   from part_payment_instalment n join invoice b on b.instance_id = n.instance_id and b.id = n.invoice_id
   where n.instance_id = $1 and n.part_payment_id = $2 order by n.number`,
)

export type BillRow = {
  readonly number: number
  readonly id: string
  readonly status: string
  readonly paidOn: string | null
}

/** The invoices of a plan's instalments. The caller has looked whose it is. */
export function readBills(db: Connection, instanceId: string, planId: string): Promise<BillRow[]> {
  return db.rows<BillRow>(bills, [instanceId, planId])
}

const heads = statement(
  'plans.office.head',
  `select p.instance_id, p.id, p.setting_id as "settingId", p.currency, p.status from part_payment p
   where p.instance_id = $1 and p.creditor_id = $2 and p.id = $3`,
)

export type PlanHead = {
  readonly instance_id: string
  readonly id: string
  readonly settingId: string
  readonly currency: Currency
  readonly status: PlanStatus
}

/** Undefined for what is another's, or not there. */
export async function readPlanHead(
  db: Connection,
  { instance, creditorId }: ClientPrincipal,
  id: string,
): Promise<PlanHead | undefined> {
  return (await db.rows<PlanHead>(heads, [instance.id, creditorId, id]))[0]
}
