/** The SQL of what staff decide about one invoice. */
import { debtId, type Debt, type Holder } from '@kvitt/domain/ledger/booking.ts'
import type { Currency } from '@kvitt/domain/money.ts'
import { shareCauses } from '@kvitt/domain/payments/shares.ts'
import { REFUND_AGAIN, REFUND_BACK } from '../../ledger/ledger.ts'
import { statement, type Connection, type Transaction } from '../../platform/database/database.ts'
import { tasksOf } from '../../tasks/tasks.ts'

type Key = { readonly instanceId: string; readonly invoiceId: string }

const dueDate = statement(
  'decisions.dueDate',
  `update invoice set first_expire_date = coalesce(first_expire_date, expire_date), expire_date = $3
   where instance_id = $1 and id = $2`,
)

/** Later than before. The day on which it first fell due stays known: the rate of its interest may go by that. */
export async function setDueDateRow(tx: Transaction, key: Key, day: string): Promise<void> {
  await tx.rows(dueDate, [key.instanceId, key.invoiceId, day])
}

const denials = statement(
  'decisions.denials',
  `select t.cause, sum(p.amount_minor)::bigint as minor
   from ledger_transaction t
   join posting p on p.instance_id = t.instance_id and p.transaction_id = t.id
   join ledger_account a on a.instance_id = p.instance_id and a.id = p.account_id and a.kind = 'principal'
   where t.instance_id = $1 and t.invoice_id = $2 and t.kind = 'DENIED_TAX_REDUCTION_NOTIFICATION' group by t.cause`,
)

/** What was entered of denied tax reductions on the invoice, by decision. */
export function readDenials(
  tx: Transaction,
  { instanceId, invoiceId }: Key,
): Promise<{ cause: string; minor: number }[]> {
  return tx.rows<{ cause: string; minor: number }>(denials, [instanceId, invoiceId])
}

const toCollection = statement(
  'decisions.toCollection',
  'update invoice set to_collection_on = coalesce(to_collection_on, $3::date) where instance_id = $1 and id = $2',
)

/** Its creditor wants it handed over as early as the law allows; the first day on which that was said stays. */
export async function setToCollectionRow(tx: Transaction, key: Key, on: string): Promise<void> {
  await tx.rows(toCollection, [key.instanceId, key.invoiceId, on])
}

const openDispute = statement(
  'decisions.openDispute',
  `select id, email from dispute where instance_id = $1 and debt_id = $2 and status = 'OPEN'`,
)

export type OpenDisputeRow = {
  id: string
  /** Where whoever made it wanted to be answered; empty when nobody named an address. */
  email: string
}

/** The open dispute of an invoice or a claim. */
export async function findOpenDispute(
  tx: Transaction,
  key: { readonly instanceId: string } & Debt,
): Promise<OpenDisputeRow | undefined> {
  return (await tx.rows<OpenDisputeRow>(openDispute, [key.instanceId, debtId(key)]))[0]
}

const claimDueDate = statement(
  'decisions.claimDueDate',
  `update claim set expire_date = $3::date, interest_posted_to = greatest($3::date, interest_posted_to), interest_rest = 0
   where instance_id = $1 and id = $2`,
)

/** A new last day, up to which nobody is late. */
export async function setClaimDueDateRow(
  tx: Transaction,
  key: { readonly instanceId: string; readonly claimId: string },
  day: string,
): Promise<void> {
  await tx.rows(claimDueDate, [key.instanceId, key.claimId, day])
}

const claimLastDay = statement(
  'decisions.claimLastDay',
  'update claim set expire_date = $3::date where instance_id = $1 and id = $2',
)

/** A new last day, before which no step comes; interest goes on. */
export async function setClaimLastDayRow(
  tx: Transaction,
  key: { readonly instanceId: string; readonly claimId: string },
  day: string,
): Promise<void> {
  await tx.rows(claimLastDay, [key.instanceId, key.claimId, day])
}

const paymentDebt = statement(
  'decisions.paymentDebt',
  `select coalesce(t.invoice_id, p.invoice_id) as invoice_id, coalesce(t.claim_id, p.claim_id, i.claim_id) as claim_id, p.payment_id,
     exists (select from refund r where r.instance_id = p.instance_id and r.payment_id = p.id
       and r.status <> 'FAILED') as is_sent_back
   from (
     select instance_id, id, invoice_id, claim_id, id as payment_id from payment
     union all
     select instance_id, id, invoice_id, claim_id, null from bank_line where num_nonnulls(invoice_id, claim_id) = 1
     union all
     select instance_id, id, invoice_id, claim_id, null from direct_payment
   ) p
   left join ledger_transaction t on t.instance_id = p.instance_id and t.cause = 'payment:' || p.id
   left join invoice i on i.instance_id = p.instance_id and i.id = coalesce(t.invoice_id, p.invoice_id)
   where p.instance_id = $1 and p.id = $2`,
)

export type PaidDebt = {
  invoice_id: string | null
  /** The claim that was paid, or that the paid invoice is in by now. */
  claim_id: string | null
  /** Null for money from a bank's file, and for what a creditor was paid itself. */
  payment_id: string | null
  /** Money of it has gone back to the payer, or is on its way. */
  is_sent_back: boolean
}

/** What a payment paid: what it was booked on, which may have taken over what it was started for. */
export async function findPaidDebt(
  tx: Transaction,
  instanceId: string,
  paymentId: string,
): Promise<PaidDebt | undefined> {
  return (await tx.rows<PaidDebt>(paymentDebt, [instanceId, paymentId]))[0]
}

const creditsOf = statement(
  'decisions.creditsOf',
  `select k.about, (k.details ->> 'amountMinor')::bigint as amount_minor,
     case k.kind when 'refund' then 'INSTANCE' else 'CREDITOR' end as holder
   from ledger_transaction t
   join ${tasksOf(['refund', 'creditor_refund'])} k on k.instance_id = t.instance_id and k.about = t.cause
   where t.instance_id = $1 and (t.invoice_id = any($4) or t.claim_id = any($4))
     and (t.cause not like '%payment:%'
       or t.cause like 'payment:%' and t.cause <> all($3) and (t.invoice_id = any($2) or t.claim_id = any($2)))
     and not exists (select from refund r where r.instance_id = $1 and r.about = k.about and r.status <> 'FAILED')
   order by t.id`,
)

export type Credit = { about: string; amount_minor: number; holder: Holder }

/**
 * What a correction of these debts or of their `family`, or a payment of them but those of `notOf`, owes back to their
 * debtor, and nobody has begun to send. Under the locks of the debts and lockBankFiles.
 */
export function readCreditsOf(
  tx: Transaction,
  instanceId: string,
  {
    debts,
    family,
    notOf,
  }: {
    readonly debts: readonly string[]
    readonly family: readonly string[]
    readonly notOf: readonly string[]
  },
): Promise<Credit[]> {
  return tx.rows<Credit>(creditsOf, [instanceId, debts, notOf, family])
}

const creditsUsed = statement(
  'decisions.creditsUsed',
  `select cause from ledger_transaction where instance_id = $1 and (invoice_id = any($2) or claim_id = any($2)) and kind = 'REVERSAL'
     and (cause like 'credit-used:' || $3 || ':%' or cause like 'credit-used:creditor:' || $3 || ':%') order by id`,
)

/** What has been settled on these debts with what a payment brought too much, as causes; also of its other shares. */
export async function readCreditsUsed(
  tx: Transaction,
  instanceId: string,
  { debts, cause }: { readonly debts: readonly string[]; readonly cause: string },
): Promise<string[]> {
  const rows = await tx.rows<{ cause: string }>(creditsUsed, [instanceId, debts, cause])
  return rows.map((row) => row.cause)
}

const sharesOf = statement(
  'decisions.sharesOf',
  `select t.cause, coalesce(nullif(split_part(t.cause, ':', 3), ''), '1')::int as share, t.invoice_id,
     coalesce(t.claim_id, i.claim_id) as claim_id
   from ledger_transaction t left join invoice i on i.instance_id = t.instance_id and i.id = t.invoice_id
   where t.instance_id = $1 and t.cause = any($2) order by share`,
)

export type PaidShare = { cause: string; share: number; invoice_id: string | null; claim_id: string | null }

/** What a payment or transfer was booked on, share by share, also what was taken back since. */
export function readSharesOf(tx: Transaction, instanceId: string, paymentId: string): Promise<PaidShare[]> {
  return tx.rows<PaidShare>(sharesOf, [instanceId, shareCauses(paymentId)])
}

const anyDispute = statement(
  'decisions.dispute',
  `select d.instance_id, d.invoice_id, d.claim_id, d.status, n.time_zone, coalesce(i.currency, c.currency) as currency,
     coalesce(i.principal_minor, c.principal_minor) as principal_minor,
     coalesce(i.invoice_number, c.claim_number) as number
   from dispute d join instance n on n.id = d.instance_id
   left join invoice i on i.instance_id = d.instance_id and i.id = d.invoice_id
   left join claim c on c.instance_id = d.instance_id and c.id = d.claim_id
   where d.instance_id = $1 and d.id = $2`,
)

export type DisputeRow = {
  instance_id: string
  invoice_id: string | null
  claim_id: string | null
  status: 'OPEN' | 'REJECTED' | 'UPHELD' | 'UPHELD_PART' | 'PAID'
  time_zone: string
  currency: Currency
  /** What is open of the principal of the invoice or claim that is disputed. */
  principal_minor: number
  /** Of the invoice or claim. */
  number: string
}

export async function findDispute(
  db: Connection,
  { instanceId, disputeId }: { readonly instanceId: string; readonly disputeId: string },
): Promise<DisputeRow | undefined> {
  return (await db.rows<DisputeRow>(anyDispute, [instanceId, disputeId]))[0]
}

const openDisputes = statement(
  'decisions.openDisputes',
  `select d.id, d.opened_on::text as opened_on, d.reason, n.name as instance_name,
     case when d.claim_id is null then 'invoice ' || i.invoice_number else 'claim ' || c.claim_number end as about
   from dispute d join instance n on n.id = d.instance_id
   left join invoice i on i.instance_id = d.instance_id and i.id = d.invoice_id
   left join claim c on c.instance_id = d.instance_id and c.id = d.claim_id
   where d.status = 'OPEN' and ($1::uuid is null or d.instance_id = $1) order by d.opened_on, d.id`,
)

export type OpenDispute = {
  id: string
  opened_on: string
  reason: string
  instance_name: string
  about: string
}

/** All that wait for an answer, oldest first: of an instance, or of every one. */
export function readOpenDisputes(db: Connection, instanceId: string | null): Promise<OpenDispute[]> {
  return db.rows<OpenDispute>(openDisputes, [instanceId])
}

const decidedOf = (table: 'invoice' | 'claim') =>
  statement(
    `decisions.decided.${table}`,
    `select d.status, d.balance_minor, d.costs_minor, d.interest_minor, d.interest_waived_to, d.pause_reason, d.resume_date, d.stop_reason, n.time_zone, d.debtor_id
     from ${table} d join instance n on n.id = d.instance_id where d.instance_id = $1 and d.id = $2`,
  )
const DECIDED = { invoice: decidedOf('invoice'), claim: decidedOf('claim') }

export type DecidedRow = {
  status: string
  balance_minor: number
  costs_minor: number
  interest_minor: number
  /** All interest up to this day was waived. */
  interest_waived_to: string | null
  pause_reason: string | null
  /** When it goes on, or went on. */
  resume_date: string | null
  stop_reason: string | null
  /** Of its instance. */
  time_zone: string
  debtor_id: string
}

/** What people have decided about an invoice or a claim. */
export async function readDecided(
  tx: Transaction,
  instanceId: string,
  kind: 'invoice' | 'claim',
  id: string,
): Promise<DecidedRow> {
  const row = (await tx.rows<DecidedRow>(DECIDED[kind], [instanceId, id]))[0]
  if (!row) throw new Error(`${kind} ${id} is gone under its own lock`)
  return row
}

const sentBack = statement(
  'decisions.sentBack',
  `select coalesce(sum(p.amount_minor), 0)::bigint as minor
   from ledger_transaction t
   join posting p on p.instance_id = t.instance_id and p.transaction_id = t.id
   join ledger_account a on a.instance_id = p.instance_id and a.id = p.account_id and a.kind in ('credit', 'credit_at_creditor')
   where t.instance_id = $1 and t.cause in (
     select 'refunded:' || $2 union all select 'refunded:creditor:' || $2
     union all select 'refunded:' || $2 || ':again:' || n from generate_series(1, (
       select count(*) from money_out m where m.instance_id = $1 and m.about = 'refund:' || $2)) n
     union all select b.cause from payout o cross join lateral (
       select '${REFUND_BACK}' || o.id || case n when 1 then '' when 2 then ':again' else ':again:' || n end from generate_series(1, o.round) n
       union all select '${REFUND_AGAIN}' || o.id || case n when 2 then '' else ':' || n end from generate_series(2, o.round) n) b (cause) where o.instance_id = $1 and o.about = 'refund:' || $2
     union all select '${REFUND_BACK}' || m.id from money_out m where m.instance_id = $1 and m.about = 'refund:' || $2)`,
)

/** What of a share's surplus has gone by transfer and has not come back, in minor units: what the bank refused or returned is here again. */
export async function readSentBack(tx: Transaction, instanceId: string, cause: string): Promise<number> {
  return (await tx.rows<{ minor: number }>(sentBack, [instanceId, cause]))[0]?.minor ?? 0
}
