/** The SQL of a creditor's invoices. Everything starts from OFFICE: what is the creditor's $2 at the instance $1. */
import { INVOICE_STATUSES, INVOICE_TYPES } from '@kvitt/domain/invoices/invoice.ts'
import { CURRENCIES } from '@kvitt/domain/money.ts'
import { statement, type Connection } from '../../platform/database/database.ts'
import { isOfNobodyResting } from '../../ledger/resting-debts.queries.ts'
import { amount, asWritten, sqlJson, word } from '../../platform/database/sql-json.ts'
import { creditorJson, OFFICE_DEBTOR } from '../../staff/office-debtor.queries.ts'
import { openOfficeList, openOfficeRow, type OfficeListShape, type Whose } from '../../staff/office-list.ts'
import { openOfficeSet } from '../../staff/office-set.ts'
import type { ClientPrincipal } from '../../staff/staff.ts'

/** An invoice `i` with its debtor `d` and its claim `b`. */
const office = (whose: Whose): string => `invoice i
   join debtor d on d.instance_id = i.instance_id and d.id = i.debtor_id
   left join claim b on b.instance_id = i.instance_id and b.id = i.claim_id
   left join lateral (
     select s.type, s.planned_date from collection_step s
     where s.instance_id = i.instance_id and s.invoice_id = i.id and s.status = 'PLANNED'
     order by s.planned_date, s.id limit 1) n on true
   where i.instance_id = $1 and ${whose('i.creditor_id')}`

const flag = (sql: string) => asWritten(`case when ${sql} then 'true' else 'false' end`)

const JSON_OF_INVOICE = sqlJson({
  id: word('i.id'),
  // Another with every change of the row.
  version: asWritten('i.xmin::text'),
  invoiceNumber: 'i.invoice_number',
  paymentReference: word('i.payment_reference'),
  originalReference: 'i.original_reference',
  type: word('i.type'),
  statuses: { main: word('i.status') },
  dates: {
    invoiceDate: 'i.issue_date',
    sentDate: 'i.sent_date',
    expireDate: 'i.expire_date',
    today: '$3::date',
  },
  balances: {
    total: amount('i.balance_minor'),
    principal: amount('i.principal_minor'),
    costs: amount('i.costs_minor'),
    interest: amount('i.interest_minor'),
  },
  totals: { totalToPay: amount('i.total_minor') },
  currency: { invoiceCurrency: 'i.currency' },
  isPartPayment: flag('i.is_part_payment'),
  partPaymentVariant: 'i.part_payment_variant',
  collectionBatch: asWritten(
    `case when b.id is null then 'null' else ${sqlJson({ id: word('b.id'), collectionBatchNumber: 'b.claim_number' })} end`,
  ),
  isResting: asWritten(`case when ${isOfNobodyResting('i.debtor_id')} then 'false' else 'true' end`),
  nextStep: asWritten(
    `case when n.type is null or not (${isOfNobodyResting('i.debtor_id')}) then 'null' else ${sqlJson({ type: word('n.type'), plannedDate: 'n.planned_date' })} end`,
  ),
  property: 'i.property',
  distribution: 'i.distribution',
  customerNumber: 'i.customer_number',
  language: 'i.language',
  debtor: OFFICE_DEBTOR,
  creditor: creditorJson('i.instance_id', 'i.creditor_id'),
})

const SHAPE: OfficeListShape = {
  name: 'invoices.office',
  from: office,
  json: JSON_OF_INVOICE,
  targets: {
    invoiceNumber: 'i.invoice_number',
    paymentReference: `concat_ws(' ', i.payment_reference, i.original_reference)`,
    name: 'd.name',
    identificationNumber: `coalesce(d.identification_number, '')`,
  },
  filters: {
    id: { kind: 'id', sql: 'i.id::text' },
    'statuses.main': { kind: 'choice', values: INVOICE_STATUSES, sql: 'i.status' },
    type: { kind: 'choice', values: INVOICE_TYPES, sql: 'i.type' },
    'currency.invoiceCurrency': { kind: 'choice', values: CURRENCIES, sql: 'i.currency' },
    'creditor.id': { kind: 'id', sql: 'i.creditor_id::text' },
    'debtor.id': { kind: 'id', sql: 'i.debtor_id::text' },
    'debtor.type': { kind: 'choice', values: ['PERSON', 'COMPANY'], sql: 'd.kind' },
    'collectionBatch.id': { kind: 'id', sql: 'i.claim_id::text' },
    isInCollectionBatch: { kind: 'flag', sql: '(i.claim_id is not null)::text' },
    isPartPayment: { kind: 'flag', sql: 'i.is_part_payment::text' },
    isExpired: { kind: 'flag', sql: '(i.expire_date < $3::date)::text' },
    'dates.invoiceDate': { kind: 'day', sql: 'i.issue_date' },
    'dates.expireDate': { kind: 'day', sql: 'i.expire_date' },
    'dates.sentDate': { kind: 'day', sql: 'i.sent_date' },
    'balances.total': { kind: 'amount', sql: 'i.balance_minor' },
    'totals.totalToPay': { kind: 'amount', sql: 'i.total_minor' },
  },
  orders: {
    id: 'i.created_at',
    invoiceNumber: 'i.invoice_number',
    'dates.invoiceDate': 'i.issue_date',
    'dates.expireDate': 'i.expire_date',
    'balances.total': 'i.balance_minor',
    'totals.totalToPay': 'i.total_minor',
    'debtor.name': 'd.name',
  },
  tie: 'i.id',
}

export const searchInvoiceRows = openOfficeList(SHAPE)

/** A draft is owed by nobody yet: it comes to what it will ask for. */
export const invoiceSet = openOfficeSet({
  ...SHAPE,
  worth: `case when i.status in ('CREATED', 'PENDING') then i.total_minor else i.balance_minor end`,
  alsoWorth: ['i.balance_minor', 'i.total_minor'],
  currency: 'i.currency',
})

/** One of the creditor's invoices. */
export const readOfficeInvoice = openOfficeRow(SHAPE)

const key = statement(
  'invoices.officeKey',
  `select i.id, i.instance_id, i.creditor_id, i.debtor_id, i.status, i.type, i.claim_id, i.balance_minor, i.currency
   from invoice i where i.instance_id = $1 and i.creditor_id = $2 and i.id = $3`,
)

export type OfficeInvoiceKey = {
  id: string
  instance_id: string
  creditor_id: string
  debtor_id: string
  status: (typeof INVOICE_STATUSES)[number]
  type: (typeof INVOICE_TYPES)[number]
  claim_id: string | null
  balance_minor: number
  currency: (typeof CURRENCIES)[number]
}

export async function readOfficeInvoiceKey(
  db: Connection,
  { instance, creditorId }: ClientPrincipal,
  id: string,
): Promise<OfficeInvoiceKey | undefined> {
  return (await db.rows<OfficeInvoiceKey>(key, [instance.id, creditorId, id]))[0]
}
