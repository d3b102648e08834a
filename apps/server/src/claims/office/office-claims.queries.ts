/** The SQL of a creditor's claims. Everything starts from OFFICE: what is the creditor's $2 at the instance $1. */
import { CLAIM_STATUSES } from '@kvitt/domain/claims/claim.ts'
import { CURRENCIES } from '@kvitt/domain/money.ts'
import { isOfNobodyResting } from '../../ledger/resting-debts.queries.ts'
import { amount, asWritten, sqlJson, word } from '../../platform/database/sql-json.ts'
import { creditorJson, OFFICE_DEBTOR } from '../../staff/office-debtor.queries.ts'
import { openOfficeList, openOfficeRow, type OfficeListShape, type Whose } from '../../staff/office-list.ts'
import { openOfficeSet } from '../../staff/office-set.ts'

/** A claim `c` with its debtor `d` and its next step `n`. */
const office = (whose: Whose): string => `claim c
   join debtor d on d.instance_id = c.instance_id and d.id = c.debtor_id
   left join lateral (
     select s.type, s.planned_date from collection_step s
     where s.instance_id = c.instance_id and s.debt_id = c.id and s.status = 'PLANNED'
     order by s.planned_date, s.id limit 1) n on true
   where c.instance_id = $1 and ${whose('c.creditor_id')}`

const JSON_OF_CLAIM = sqlJson({
  id: word('c.id'),
  version: asWritten('c.xmin::text'),
  collectionBatchNumber: word('c.claim_number'),
  paymentReference: word('c.payment_reference'),
  status: word('c.status'),
  stopReason: 'c.stop_reason',
  pauseReason: `case when c.status = 'PAUSED' then c.pause_reason end`,
  resumeDate: `case when c.status = 'PAUSED' then c.resume_date end`,
  dates: { openedOn: 'c.opened_on', expireDate: 'c.expire_date', today: '$3::date' },
  balances: {
    total: amount('c.balance_minor'),
    principal: amount('c.principal_minor'),
    costs: amount('c.costs_minor'),
    interest: amount('c.interest_minor'),
  },
  totals: { totalToPay: amount('c.total_minor') },
  currency: word('c.currency'),
  isPartPayment: asWritten(`case when c.is_part_payment then 'true' else 'false' end`),
  partPaymentVariant: 'c.part_payment_variant',
  invoiceCount: asWritten(
    `(select count(*)::text from invoice m where m.instance_id = c.instance_id and m.claim_id = c.id)`,
  ),
  isResting: asWritten(`case when ${isOfNobodyResting('c.debtor_id')} then 'false' else 'true' end`),
  nextStep: asWritten(
    `case when n.type is null or not (${isOfNobodyResting('c.debtor_id')}) then 'null' else ${sqlJson({ type: word('n.type'), plannedDate: 'n.planned_date' })} end`,
  ),
  debtor: OFFICE_DEBTOR,
  creditor: creditorJson('c.instance_id', 'c.creditor_id'),
})

const SHAPE: OfficeListShape = {
  name: 'claims.office',
  from: office,
  json: JSON_OF_CLAIM,
  targets: {
    invoiceNumber: 'c.claim_number',
    paymentReference: 'c.payment_reference',
    name: 'd.name',
    identificationNumber: `coalesce(d.identification_number, '')`,
  },
  filters: {
    id: { kind: 'id', sql: 'c.id::text' },
    status: { kind: 'choice', values: CLAIM_STATUSES, sql: 'c.status' },
    currency: { kind: 'choice', values: CURRENCIES, sql: 'c.currency' },
    'creditor.id': { kind: 'id', sql: 'c.creditor_id::text' },
    'debtor.id': { kind: 'id', sql: 'c.debtor_id::text' },
    'debtor.type': { kind: 'choice', values: ['PERSON', 'COMPANY'], sql: 'd.kind' },
    isPartPayment: { kind: 'flag', sql: 'c.is_part_payment::text' },
    isExpired: { kind: 'flag', sql: '(c.expire_date < $3::date)::text' },
    'dates.openedOn': { kind: 'day', sql: 'c.opened_on' },
    'dates.expireDate': { kind: 'day', sql: 'c.expire_date' },
    'balances.total': { kind: 'amount', sql: 'c.balance_minor' },
    'totals.totalToPay': { kind: 'amount', sql: 'c.total_minor' },
  },
  orders: {
    id: 'c.created_at',
    collectionBatchNumber: 'c.claim_number::numeric',
    'dates.openedOn': 'c.opened_on',
    'dates.expireDate': 'c.expire_date',
    'balances.total': 'c.balance_minor',
    'totals.totalToPay': 'c.total_minor',
    'debtor.name': 'd.name',
  },
  tie: 'c.id',
}

export const searchClaimRows = openOfficeList(SHAPE)

export const claimSet = openOfficeSet({
  ...SHAPE,
  worth: 'c.balance_minor',
  alsoWorth: ['c.total_minor'],
  currency: 'c.currency',
})

/** One of the creditor's claims. */
export const readOfficeClaim = openOfficeRow(SHAPE)
