/** The SQL of what was paid to a creditor's debts. Everything starts from OFFICE: what is the creditor's $2 at the instance $1. */
import { CURRENCIES } from '@kvitt/domain/money.ts'
import { OFFICE_PAYMENT_STATUSES, PAYMENT_WAYS } from '@kvitt/domain/payments/office-payment.ts'
import { amount, asWritten, sqlJson, word } from '../../platform/database/sql-json.ts'
import { creditorJson } from '../../staff/office-debtor.queries.ts'
import { openOfficeList, openOfficeRow, type OfficeListShape, type Whose } from '../../staff/office-list.ts'

/** What stands in the books of a debt `o`, each share of a payment by itself. */
const BOOKED = `select t.id, t.xmin::text as version, t.booked_on, coalesce(t.value_on, t.booked_on) as value_on,
     t.posted_at as created_at, p.gateway, (
       select sum(g.amount_minor) from posting g
       join ledger_account a on a.instance_id = g.instance_id and a.id = g.account_id and a.kind = 'clearing'
       where g.instance_id = t.instance_id and g.transaction_id = t.id)::bigint as amount_minor,
     case when exists (
       select from ledger_transaction r where r.instance_id = t.instance_id and r.cause = 'reversal:' || t.cause)
       then 'REVERSED' else 'COMPLETED' end as status,
     case when p.id is not null then 'GATEWAY' when exists (
       select from bank_line l where l.instance_id = t.instance_id and l.id = substring(t.cause from '^payment:([0-9a-f-]{36})')::uuid)
       then 'BANK' else 'DIRECT' end as way
   from ledger_transaction t
   left join payment p on p.instance_id = t.instance_id and p.id = t.payment_id
   where t.kind = 'PAYMENT' and t.instance_id = o.instance_id`

/** What a gateway knows of and the books do not. */
const UNDER_WAY = `select p.id, p.xmin::text, null::date, null::date, p.created_at, p.gateway, p.amount_minor, p.status, 'GATEWAY'
   from payment p
   where p.instance_id = o.instance_id and not exists (
     select from ledger_transaction t where t.instance_id = p.instance_id and t.payment_id = p.id and t.kind = 'PAYMENT')`

/** Of an invoice or of a claim: `o` with its payments `y`. */
const of = (whose: Whose, [table, number, type]: readonly ['invoice' | 'claim', string, string]): string =>
  `select o.instance_id, o.creditor_id, o.debtor_id, o.id as debt_id, o.${number} as number, o.payment_reference, o.currency,
     '${type}' as type, y.*
   from ${table} o cross join lateral (
     ${BOOKED} and t.${table}_id = o.id union all ${UNDER_WAY} and p.${table}_id = o.id) y
   where o.instance_id = $1 and ${whose('o.creditor_id')}`

const office = (whose: Whose): string => `(${of(whose, ['invoice', 'invoice_number', 'invoices'])} union all
     ${of(whose, ['claim', 'claim_number', 'collection-batches'])}) y
   join debtor d on d.instance_id = y.instance_id and d.id = y.debtor_id
   where y.instance_id = $1 and ${whose('y.creditor_id')}`

const JSON_OF_PAYMENT = sqlJson({
  id: word('y.id'),
  version: asWritten('y.version'),
  status: word('y.status'),
  amount: amount('coalesce(y.amount_minor, 0)'),
  currency: word('y.currency'),
  way: word('y.way'),
  gateway: 'y.gateway',
  bookedOn: 'y.booked_on',
  valueOn: 'y.value_on',
  createdAt: `to_char(y.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
  subject: {
    type: word('y.type'),
    id: word('y.debt_id'),
    number: 'y.number',
    paymentReference: word('y.payment_reference'),
  },
  debtor: { id: word('d.id'), name: 'd.name' },
  creditor: creditorJson('y.instance_id', 'y.creditor_id'),
})

const SHAPE: OfficeListShape = {
  name: 'payments.office',
  from: office,
  json: JSON_OF_PAYMENT,
  targets: {
    invoiceNumber: 'y.number',
    paymentReference: 'y.payment_reference',
    name: 'd.name',
    identificationNumber: `coalesce(d.identification_number, '')`,
  },
  filters: {
    id: { kind: 'id', sql: 'y.id::text' },
    status: { kind: 'choice', values: OFFICE_PAYMENT_STATUSES, sql: 'y.status' },
    way: { kind: 'choice', values: PAYMENT_WAYS, sql: 'y.way' },
    gateway: { kind: 'text', sql: 'y.gateway' },
    currency: { kind: 'choice', values: CURRENCIES, sql: 'y.currency' },
    'subject.id': { kind: 'id', sql: 'y.debt_id::text' },
    'creditor.id': { kind: 'id', sql: 'y.creditor_id::text' },
    'debtor.id': { kind: 'id', sql: 'y.debtor_id::text' },
    bookedOn: { kind: 'day', sql: 'y.booked_on' },
    amount: { kind: 'amount', sql: 'y.amount_minor' },
  },
  orders: {
    id: 'y.created_at',
    bookedOn: 'y.booked_on',
    amount: 'y.amount_minor',
    'debtor.name': 'd.name',
  },
  tie: 'y.id',
}

export const searchPaymentRows = openOfficeList(SHAPE)

/** One of the creditor's payments. */
export const readOfficePayment = openOfficeRow(SHAPE)
