/**
 * The SQL of what debtors owed at the end of a day: what is owed now, less all that was booked since, both read in one statement. Once
 * nothing more is booked on a day, its answer stays the same.
 */
import { CURRENCIES } from '@kvitt/domain/money.ts'
import { AGE_BUCKETS, LAST_DAY_OF, type AgeBucket } from '@kvitt/domain/receivables/ageing.ts'
import { FELL_DUE_ON } from '../ledger/ledger.ts'
import { statement, type Connection } from '../platform/database/database.ts'
import { amount, asWritten, sqlJson, word } from '../platform/database/sql-json.ts'
import { creditorJson, OFFICE_DEBTOR } from '../staff/office-debtor.queries.ts'
import { ofAll, ofCreditor, openOfficeList, type Whose } from '../staff/office-list.ts'

/** The open debts of whose they are, at the instance $1, at the end of the day $3. */
const owedOn = (whose: Whose): string => `(
  with since as (
    select p.account_id, sum(p.amount_minor) as minor
    from ledger_transaction t
    join posting p on p.instance_id = t.instance_id and p.transaction_id = t.id
    where t.instance_id = $1 and t.booked_on > $3::date
    group by p.account_id
  ), debt as (
    select i.id, false as is_claim, i.invoice_number as number, i.payment_reference as reference, i.debtor_id, i.creditor_id,
      ${FELL_DUE_ON.invoice('i')}
    from invoice i where i.instance_id = $1 and ${whose('i.creditor_id')}
    union all
    select c.id, true, c.claim_number, c.payment_reference, c.debtor_id, c.creditor_id, ${FELL_DUE_ON.claim('c')}
    from claim c where c.instance_id = $1 and ${whose('c.creditor_id')}
  ), account as (
    select coalesce(a.claim_id, a.invoice_id) as debt_id, a.currency, a.kind, a.balance_minor - coalesce(s.minor, 0) as minor
    from ledger_account a left join since s on s.account_id = a.id
    where a.instance_id = $1 and a.kind in ('principal', 'costs', 'interest')
  ), owed as (
    select debt_id, currency, coalesce(sum(minor) filter (where kind = 'principal'), 0)::bigint as principal_minor,
      coalesce(sum(minor) filter (where kind = 'costs'), 0)::bigint as costs_minor,
      coalesce(sum(minor) filter (where kind = 'interest'), 0)::bigint as interest_minor, sum(minor)::bigint as total_minor
    from account where minor <> 0 group by debt_id, currency
  )
  select $1::uuid as instance_id, d.*, o.currency, o.principal_minor, o.costs_minor, o.interest_minor, o.total_minor,
    greatest(0, $3::date - d.fell_due_on) as days_late
  from owed o join debt d on d.id = o.debt_id
)`

const BUCKET = `case ${AGE_BUCKETS.map((bucket) => {
  const last = LAST_DAY_OF[bucket]
  return last === undefined ? `else '${bucket}'` : `when w.days_late <= ${last} then '${bucket}'`
}).join(' ')} end`

/** A list whose $3 is the day that is meant, where others have the day that it is. */
export const searchOwedRows = openOfficeList({
  name: 'receivables',
  from: (whose) =>
    `${owedOn(whose)} w join debtor d on d.instance_id = w.instance_id and d.id = w.debtor_id where true`,
  json: sqlJson({
    id: word('w.id'),
    type: word(`case when w.is_claim then 'collection-batches' else 'invoices' end`),
    number: word('w.number'),
    paymentReference: word('w.reference'),
    debtor: { id: word('d.id'), name: OFFICE_DEBTOR.name },
    creditor: creditorJson('w.instance_id', 'w.creditor_id'),
    currency: word('w.currency'),
    dueOn: word('w.fell_due_on'),
    daysLate: asWritten('w.days_late::text'),
    bucket: word(BUCKET),
    principal: amount('w.principal_minor'),
    costs: amount('w.costs_minor'),
    interest: amount('w.interest_minor'),
    total: amount('w.total_minor'),
  }),
  targets: {
    invoiceNumber: 'w.number',
    paymentReference: 'w.reference',
    name: `coalesce(d.name, '')`,
    identificationNumber: `coalesce(d.identification_number, '')`,
  },
  filters: {
    currency: { kind: 'choice', values: CURRENCIES, sql: 'w.currency' },
    bucket: { kind: 'choice', values: AGE_BUCKETS, sql: BUCKET },
    'creditor.id': { kind: 'id', sql: 'w.creditor_id::text' },
    'debtor.id': { kind: 'id', sql: 'w.debtor_id::text' },
  },
  orders: {
    id: 'w.id',
    number: 'w.number',
    dueOn: 'w.fell_due_on',
    total: 'w.total_minor',
    'debtor.name': 'd.name',
  },
  tie: 'w.id',
})

export type SumRow = {
  readonly currency: string
  readonly bucket: AgeBucket
  readonly count: number
  readonly principalMinor: number
  readonly costsMinor: number
  readonly interestMinor: number
  readonly totalMinor: number
}

/** $4 is a creditor, or nothing for all of them. */
const sumsOf = (name: string, whose: Whose) =>
  statement(
    name,
    `select w.currency, ${BUCKET} as bucket, count(*)::int as count, sum(w.principal_minor)::bigint as "principalMinor",
       sum(w.costs_minor)::bigint as "costsMinor", sum(w.interest_minor)::bigint as "interestMinor",
       sum(w.total_minor)::bigint as "totalMinor"
     from ${owedOn(whose)} w where $4::uuid is null or w.creditor_id = $4 group by 1, 2 order by 1, 2`,
  )
const keptOf = (name: string, whose: Whose) =>
  statement(
    name,
    `select k.currency, -sum(k.amount_minor)::bigint as minor from ledger_account_day k
     where k.instance_id = $1 and k.kind = 'claims_on_debtors' and k.booked_on <= $3::date and ${whose('k.creditor_id')}
       and ($4::uuid is null or k.creditor_id = $4)
     group by k.currency order by k.currency`,
  )

const sums = { own: sumsOf('receivables.sums', ofCreditor), all: sumsOf('receivables.sums.all', ofAll) }
const kept = { own: keptOf('receivables.kept', ofCreditor), all: keptOf('receivables.kept.all', ofAll) }

export type OwedOf = {
  readonly instanceId: string
  /** Of a creditor's staff: nobody else's. */
  readonly creditorId: string | null
  readonly day: string
  /** Of an operator's staff: one of the creditors alone. */
  readonly chosen?: string | undefined
}

const valuesOf = ({ instanceId, creditorId, day, chosen }: OwedOf) => [
  instanceId,
  creditorId,
  day,
  chosen ?? null,
]
const whoseOf = ({ creditorId }: OwedOf) => (creditorId === null ? 'all' : 'own')

/** By currency and age, what was owed at the end of the day. */
export function readOwedSums(db: Connection, of: OwedOf): Promise<SumRow[]> {
  return db.rows<SumRow>(sums[whoseOf(of)], valuesOf(of))
}

/** By currency, what the counterweight of all that is owed came to by then. */
export function readKept(db: Connection, of: OwedOf): Promise<{ currency: string; minor: number }[]> {
  return db.rows<{ currency: string; minor: number }>(kept[whoseOf(of)], valuesOf(of))
}

const allOf = (name: string, whose: Whose) =>
  statement(
    name,
    `select w.number, w.reference, ${OFFICE_DEBTOR.name} as debtor, k.name as creditor, w.fell_due_on::text as "dueOn",
       w.days_late as "daysLate", w.currency, w.principal_minor as "principalMinor", w.costs_minor as "costsMinor",
       w.interest_minor as "interestMinor", w.total_minor as "totalMinor"
     from ${owedOn(whose)} w
     join debtor d on d.instance_id = w.instance_id and d.id = w.debtor_id
     join creditor k on k.instance_id = w.instance_id and k.id = w.creditor_id
     where $4::uuid is null or w.creditor_id = $4 order by k.name, w.currency, w.fell_due_on, w.id limit $5`,
  )
const all = { own: allOf('receivables.file', ofCreditor), all: allOf('receivables.file.all', ofAll) }

export type OwedRow = Omit<SumRow, 'bucket' | 'count'> & {
  readonly number: string
  readonly reference: string
  readonly debtor: string | null
  readonly creditor: string
  readonly dueOn: string
  readonly daysLate: number
}

/** By creditor and the oldest first, no more than `most` of them. */
export function readAllOwed(db: Connection, of: OwedOf & { readonly most: number }): Promise<OwedRow[]> {
  return db.rows<OwedRow>(all[whoseOf(of)], [...valuesOf(of), of.most])
}

const first = statement(
  'receivables.first',
  'select min(booked_on)::text as day from ledger_transaction where instance_id = $1',
)

/** The first day on which anything was booked. */
export async function readFirstBooked(db: Connection, instanceId: string): Promise<string | null> {
  return (await db.rows<{ day: string | null }>(first, [instanceId]))[0]?.day ?? null
}
