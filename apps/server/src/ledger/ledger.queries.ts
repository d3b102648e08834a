/** The SQL of the ledger. Everything is set-based: one statement for one transaction or for a thousand. */
import type { InterestPeriod } from '@kvitt/domain/collection/interest-periods.ts'
import { NOT_AGREED, type ChargeOwner } from '@kvitt/domain/ledger/charge-owner.ts'
import {
  statement,
  type Connection,
  type Statement,
  type Transaction,
} from '../platform/database/database.ts'
import { keepBatchedReads, rowsOfEach } from '../platform/database/batched-reads.ts'

export type AccountRow = {
  id: string
  kind: string
  currency: string
  invoice_id: string | null
  claim_id: string | null
  creditor_id: string | null
  debtor_id: string | null
  gateway: string | null
}

const insertAccounts = statement(
  'ledger.insertAccounts',
  `insert into ledger_account (instance_id, id, kind, currency, invoice_id, claim_id, creditor_id, debtor_id, gateway)
   select $1, a.id, a.kind, a.currency, a.invoice_id, a.claim_id, a.creditor_id, a.debtor_id, a.gateway
   from unnest($2::uuid[], $3::text[], $4::text[], $5::uuid[], $6::uuid[], $7::uuid[], $8::uuid[], $9::text[])
     as a (id, kind, currency, invoice_id, claim_id, creditor_id, debtor_id, gateway)
   on conflict (instance_id, invoice_id, claim_id, creditor_id, debtor_id, gateway, kind, currency) do nothing`,
)

/** Opens the accounts that do not exist yet. */
export function insertAccountRows(
  tx: Transaction,
  instanceId: string,
  accounts: readonly AccountRow[],
): void {
  tx.send(insertAccounts, [
    instanceId,
    accounts.map((a) => a.id),
    accounts.map((a) => a.kind),
    accounts.map((a) => a.currency),
    accounts.map((a) => a.invoice_id),
    accounts.map((a) => a.claim_id),
    accounts.map((a) => a.creditor_id),
    accounts.map((a) => a.debtor_id),
    accounts.map((a) => a.gateway),
  ])
}

const OWNERS = ['invoice_id', 'claim_id', 'creditor_id', 'debtor_id', 'gateway'] as const

/**
 * The accounts that are owned by all of `owners` and by nothing else. Each column is compared by an equality or with null: so
 * the index of owners leads to one row. "not distinct" would read all accounts that share the columns before.
 */
const foundBy = (...owners: readonly (typeof OWNERS)[number][]): string => {
  const isOwner = (owner: (typeof OWNERS)[number]): boolean => owners.includes(owner)
  return `select l.id, l.kind, l.currency, l.invoice_id, l.claim_id, l.creditor_id, l.debtor_id, l.gateway
   from wanted a join ledger_account l on l.instance_id = $1 and l.kind = a.kind and l.currency = a.currency
     and ${OWNERS.map((owner) => (isOwner(owner) ? `l.${owner} = a.${owner}` : `l.${owner} is null`)).join(' and ')}
   where ${OWNERS.map((owner) => `a.${owner} is ${isOwner(owner) ? 'not null' : 'null'}`).join(' and ')}`
}

const findAccounts = statement(
  'ledger.findAccounts',
  `with wanted as (
     select * from unnest($2::text[], $3::char(3)[], $4::uuid[], $5::uuid[], $6::uuid[], $7::uuid[], $8::text[])
       as a (kind, currency, invoice_id, claim_id, creditor_id, debtor_id, gateway))
   ${[
     foundBy('invoice_id'),
     foundBy('claim_id'),
     foundBy('creditor_id'),
     foundBy('creditor_id', 'debtor_id'),
     foundBy('debtor_id'),
     foundBy('gateway'),
     foundBy(),
   ].join(' union all ')}`,
)

export function findAccountRows(
  tx: Transaction,
  instanceId: string,
  accounts: readonly AccountRow[],
): Promise<AccountRow[]> {
  return tx.rows<AccountRow>(findAccounts, [
    instanceId,
    accounts.map((a) => a.kind),
    accounts.map((a) => a.currency),
    accounts.map((a) => a.invoice_id),
    accounts.map((a) => a.claim_id),
    accounts.map((a) => a.creditor_id),
    accounts.map((a) => a.debtor_id),
    accounts.map((a) => a.gateway),
  ])
}

export type TransactionRow = {
  id: string
  kind: string
  booked_on: string
  cause: string
  invoice_id: string | null
  claim_id: string | null
  payment_id: string | null
  periods: readonly InterestPeriod[] | null
  value_on: string | null
  restates_id: string | null
  /** What it charges for a creditor; null when it is no charge. */
  charge: 'fees' | 'interest' | null
  /** Whose the charge is, whatever was agreed; null: as agreed. */
  owner: ChargeOwner | null
  creditor_id: string | null
}

/** The latest word on the day holds; of two about one day, the one that was entered later. */
const insertTransactions = statement(
  'ledger.insertTransactions',
  `insert into ledger_transaction (instance_id, id, kind, booked_on, cause, invoice_id, claim_id, payment_id, periods,
     value_on, restates_id, charge_owner)
   select $1, t.id, t.kind, t.booked_on, t.cause, t.invoice_id, t.claim_id, t.payment_id, t.periods, t.value_on, t.restates_id,
     case when t.charge is not null then coalesce(t.owner,
       (select case t.charge when 'fees' then o.fees else o.interest end from charge_owner o
         where o.instance_id = $1 and o.creditor_id = t.creditor_id and o.from_day <= t.booked_on
         order by o.from_day desc, o.id desc limit 1),
       case t.charge when 'fees' then '${NOT_AGREED.fees}' else '${NOT_AGREED.interest}' end) end
   from unnest($2::uuid[], $3::text[], $4::date[], $5::text[], $6::uuid[], $7::uuid[], $8::uuid[], $9::jsonb[],
     $10::date[], $11::uuid[], $12::text[], $13::uuid[], $14::text[])
     as t (id, kind, booked_on, cause, invoice_id, claim_id, payment_id, periods, value_on, restates_id, charge, creditor_id,
       owner)`,
)

export function insertTransactionRows(
  tx: Transaction,
  instanceId: string,
  rows: readonly TransactionRow[],
): void {
  tx.send(insertTransactions, [
    instanceId,
    rows.map((t) => t.id),
    rows.map((t) => t.kind),
    rows.map((t) => t.booked_on),
    rows.map((t) => t.cause),
    rows.map((t) => t.invoice_id),
    rows.map((t) => t.claim_id),
    rows.map((t) => t.payment_id),
    rows.map((t) => t.periods && JSON.stringify(t.periods)),
    rows.map((t) => t.value_on),
    rows.map((t) => t.restates_id),
    rows.map((t) => t.charge),
    rows.map((t) => t.creditor_id),
    rows.map((t) => t.owner),
  ])
}

export type PostingRow = {
  transaction_id: string
  line: number
  account_id: string
  currency: string
  amount_minor: number
}

const insertPostings = statement(
  'ledger.insertPostings',
  `insert into posting (instance_id, transaction_id, line, account_id, currency, amount_minor)
   select $1, p.* from unnest($2::uuid[], $3::smallint[], $4::uuid[], $5::text[], $6::bigint[]) as p`,
)

/** All postings of a transaction must be in one call: the database checks their sum at once. */
export function insertPostingRows(tx: Transaction, instanceId: string, rows: readonly PostingRow[]): void {
  tx.send(insertPostings, [
    instanceId,
    rows.map((p) => p.transaction_id),
    rows.map((p) => p.line),
    rows.map((p) => p.account_id),
    rows.map((p) => p.currency),
    rows.map((p) => p.amount_minor),
  ])
}

export type FinancialEventRow = {
  id: string
  kind: string
  booked_on: string
  amount_minor: number
  balance_minor: number
  periods: InterestPeriod[] | null
  /** Takes a charge back, because money had come before it. */
  is_restated: boolean
  /** Fees or interest that a person has waived. */
  is_waived: boolean
  /**
   * A payment that the creditor has told of; or what takes a payment back: the creditor had erred, it belonged elsewhere, or has gone
   * back to who paid it.
   */
  told: 'AT_CREDITOR' | 'MISTAKEN' | 'MOVED' | 'RETURNED' | null
}

/** A line's money was moved when so many of its shares stood; that of a gateway when it has a next share. */
const TOLD = `case
     when t.kind = 'PAYMENT' and t.payment_id is null and exists (select from direct_payment d where d.instance_id = $1
       and d.id = split_part(t.cause, ':', 2)::uuid) then 'AT_CREDITOR'
     when t.kind = 'REVERSAL' and t.cause like 'reversal:payment:%' then
     case when exists (select from direct_payment d where d.instance_id = $1 and d.id = split_part(t.cause, ':', 3)::uuid)
       then 'MISTAKEN' when exists (select from moved_payment m where m.instance_id = $1 and m.line_id = split_part(t.cause, ':', 3)::uuid
         and m.number >= coalesce(nullif(split_part(t.cause, ':', 4), ''), '1')::int)
       or t.payment_id is not null and exists (select from ledger_transaction n where n.instance_id = $1
         and n.cause = 'payment:' || t.payment_id || ':' || coalesce(nullif(split_part(t.cause, ':', 4), ''), '1')::int + 1)
     then 'MOVED' else 'RETURNED' end end as told`

/** What moved the balance of each `subject` of $2, with the balance after it: by day, then in the order it was posted in. */
const eventsOf = (subject: 'invoice_id' | 'claim_id'): string =>
  `select q.n::int, t.id, t.kind, t.booked_on, t.periods, t.is_restated, t.is_waived, t.amount_minor, ${TOLD},
     (sum(t.amount_minor) over (partition by q.n order by t.booked_on, t.id))::bigint as balance_minor
   from unnest((select $2::uuid[])) with ordinality q (subject_id, n)
   cross join lateral (
     select t.id, t.kind, t.booked_on, t.periods, t.cause, t.payment_id, t.cause like 'waived:%' as is_waived,
       t.restates_id is not null and t.cause not like 'waived:%' as is_restated,
       sum(p.amount_minor)::bigint as amount_minor
     from ledger_transaction t
     join posting p on p.instance_id = t.instance_id and p.transaction_id = t.id
     join ledger_account a on a.instance_id = p.instance_id and a.id = p.account_id and a.${subject} = t.${subject}
     where t.instance_id = $1 and t.${subject} = q.subject_id
     group by t.id, t.kind, t.booked_on, t.periods, t.cause, t.payment_id, t.restates_id
   ) t
   order by q.n, t.booked_on, t.id`

const invoiceEvents = statement('ledger.invoiceEvents', eventsOf('invoice_id'))
const claimEvents = statement('ledger.claimEvents', eventsOf('claim_id'))

const eventReads = keepBatchedReads<string, FinancialEventRow[]>()

/** Who asks in one instance at the same moment is answered together. */
function readEvents(
  db: Connection,
  read: Statement,
  { instanceId, id }: { instanceId: string; id: string },
): Promise<FinancialEventRow[]> {
  return eventReads(db, `${instanceId} ${read.name}`, async (ids) =>
    rowsOfEach(await db.rows<FinancialEventRow & { n: number }>(read, [instanceId, ids]), ids.length),
  )(id)
}

/** What moved an invoice's balance, oldest first, each with the balance after it. */
export function readInvoiceEvents(
  db: Connection,
  instanceId: string,
  invoiceId: string,
): Promise<FinancialEventRow[]> {
  return readEvents(db, invoiceEvents, { instanceId, id: invoiceId })
}

/** As readInvoiceEvents, of a claim. */
export function readClaimEvents(
  db: Connection,
  instanceId: string,
  claimId: string,
): Promise<FinancialEventRow[]> {
  return readEvents(db, claimEvents, { instanceId, id: claimId })
}
