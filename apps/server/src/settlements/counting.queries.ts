/** The SQL by which settlements are counted: what the books say of their entries. */
import type { CalendarDate } from '@kvitt/domain/calendar.ts'
import type { SettlementEntry } from '@kvitt/domain/settlements/count-settlement.ts'
import type { ChargeEntry } from '@kvitt/domain/settlements/paid-charges.ts'
import { statement, type Connection, type Transaction } from '../platform/database/database.ts'
import type { NewSettlement } from './making.queries.ts'

export type CountingRow = NewSettlement & {
  /** Carried out of the one before. */
  readonly carriedMinor: number
  /** Claims of which this is the first to have taken up an entry of their opening. */
  readonly cases: number
}

const COUNTING = `select s.id, s.creditor_id as "creditorId", s.currency, s.number, s.period_from as "from", s.period_to as "to",
     coalesce((select l.amount_minor from settlement b
       join settlement_line l on l.instance_id = b.instance_id and l.settlement_id = b.id and l.kind = 'CARRIED_OUT'
       where b.instance_id = s.instance_id and b.creditor_id = s.creditor_id and b.currency = s.currency and b.number = s.number - 1), 0)::bigint
       as "carriedMinor",
     (select count(distinct t.claim_id)::int from settlement_entry e
       join ledger_transaction t on t.instance_id = e.instance_id and t.id = e.transaction_id and t.kind = 'TRANSFER_TO_CLAIM'
       where e.instance_id = s.instance_id and e.settlement_id = s.id and not exists (
         select from ledger_transaction o
         join settlement_entry x on x.instance_id = o.instance_id and x.transaction_id = o.id
         join settlement b on b.instance_id = x.instance_id and b.id = x.settlement_id and b.number < s.number
         where o.instance_id = t.instance_id and o.claim_id = t.claim_id and o.kind = 'TRANSFER_TO_CLAIM')) as cases
   from settlement s`

/** The oldest of each creditor and currency first: what it carries out, the next one counts with. */
const counting = statement(
  'settlements.counting',
  `${COUNTING} where s.instance_id = $1 and s.status = 'COUNTING' and s.id <> all($2::uuid[]) and not exists (
     select from settlement b where b.instance_id = s.instance_id and b.creditor_id = s.creditor_id and b.currency = s.currency
       and b.number < s.number and b.status = 'COUNTING')
   order by s.id limit 1 for update of s skip locked`,
)

/** One that is to be counted now, locked, and none of `failed`. Undefined when no more is. */
export async function lockCounting(
  tx: Transaction,
  instanceId: string,
  failed: readonly string[],
): Promise<CountingRow | undefined> {
  return (await tx.rows<CountingRow>(counting, [instanceId, failed]))[0]
}

const made = statement('settlements.made', `${COUNTING} where s.instance_id = $1 and s.id = $2`)

/** One as it was when it was counted. */
export async function readMade(
  db: Connection,
  instanceId: string,
  id: string,
): Promise<CountingRow | undefined> {
  return (await db.rows<CountingRow>(made, [instanceId, id]))[0]
}

/** What an entry `t` takes back as `o`, or the entry itself: by its cause, whatever kind it is of. */
export const ORIGINAL = `left join ledger_transaction o on o.instance_id = t.instance_id
     and o.cause = regexp_replace(t.cause, '\\m(reversal|holder):', '', 'g')`
const AGREED_AS = `coalesce(o.booked_on, t.booked_on) as "agreedOn",
     coalesce(o.claim_id, case when o.id is null then t.claim_id end) is not null as "isOnClaim"`

const MONEY = `select e.settlement_id as "settlementId", t.id, t.kind, t.cause, t.booked_on as "bookedOn",
     ${AGREED_AS},
     t.invoice_id as "invoiceId", t.claim_id as "claimId",
     coalesce(-sum(p.amount_minor) filter (where a.kind = 'held_for_creditor'), 0)::bigint as "heldMinor",
     coalesce(-sum(p.amount_minor) filter (where a.kind = 'paid_to_creditor'), 0)::bigint as "directMinor",
     coalesce(sum(p.amount_minor) filter (where t.kind = 'COURT_FEE' and a.kind = 'costs'), 0)::bigint as "costMinor"
   from settlement_entry e
   join ledger_transaction t on t.instance_id = e.instance_id and t.id = e.transaction_id
     and t.kind not in ('INVOICE', 'REMINDER', 'INTEREST', 'TRANSFER_TO_CLAIM', 'TRANSFER_TO_PLAN')
   ${ORIGINAL}
   join posting p on p.instance_id = t.instance_id and p.transaction_id = t.id
   join ledger_account a on a.instance_id = p.instance_id and a.id = p.account_id
     and (a.kind in ('held_for_creditor', 'paid_to_creditor') or t.kind = 'COURT_FEE')
   where e.instance_id = $1 and e.settlement_id = any($2::uuid[])
   group by e.settlement_id, t.instance_id, t.id, o.instance_id, o.id order by t.booked_on, t.id`
const money = statement('settlements.money', MONEY)

type MoneyRow = Omit<SettlementEntry, 'debt' | 'agreed'> & {
  readonly settlementId: string
  readonly agreedOn: CalendarDate
  readonly isOnClaim: boolean
  readonly invoiceId: string | null
  readonly claimId: string | null
}

/** The entries of these settlements that moved money, or were a court's cost. */
export function readMoney(db: Connection, instanceId: string, ids: readonly string[]): Promise<MoneyRow[]> {
  return db.rows<MoneyRow>(money, [instanceId, ids])
}

const touched = statement(
  'settlements.touched',
  `select distinct d.id from settlement_entry e
   join ledger_transaction t on t.instance_id = e.instance_id and t.id = e.transaction_id
   cross join lateral (values (t.claim_id), (t.invoice_id)) d (id)
   where e.instance_id = $1 and e.settlement_id = $2 and d.id is not null`,
)

/** The invoices and claims that this settlement's entries are about. */
export async function readTouched(
  db: Connection,
  instanceId: string,
  settlementId: string,
): Promise<string[]> {
  return (await db.rows<{ id: string }>(touched, [instanceId, settlementId])).map(({ id }) => id)
}

/** What was taken up by this settlement or by one before it is what the books were then. */
const charged = statement(
  'settlements.charged',
  `with s as (select * from settlement where instance_id = $1 and id = $2),
   entry as (
     select t.* from unnest($3::uuid[]) f (id) join ledger_transaction t on t.instance_id = $1 and t.invoice_id = f.id
     union
     select t.* from unnest($3::uuid[]) f (id) join ledger_transaction t on t.instance_id = $1 and t.claim_id = f.id)
   select t.id, t.kind, t.cause, t.charge_owner as owner, r.cause as restates, b.id = $2 as "isNew", ${AGREED_AS},
     coalesce(a.invoice_id, a.claim_id) as debt, a.claim_id is not null as "isClaim",
     coalesce(sum(p.amount_minor) filter (where a.kind = 'principal'), 0)::bigint as "principalMinor",
     coalesce(sum(p.amount_minor) filter (where a.kind = 'costs'), 0)::bigint as "costsMinor",
     coalesce(sum(p.amount_minor) filter (where a.kind = 'interest'), 0)::bigint as "interestMinor"
   from entry t
   join settlement_entry e on e.instance_id = $1 and e.transaction_id = t.id
   join settlement b on b.instance_id = $1 and b.id = e.settlement_id
     and b.number <= (select number from s) and b.creditor_id = (select creditor_id from s) and b.currency = (select currency from s)
   join posting p on p.instance_id = $1 and p.transaction_id = t.id
   join ledger_account a on a.instance_id = $1 and a.id = p.account_id and a.kind in ('principal', 'costs', 'interest')
   left join ledger_transaction r on r.instance_id = $1 and r.id = t.restates_id
   ${ORIGINAL}
   group by t.id, t.kind, t.cause, t.charge_owner, t.booked_on, t.posted_at, t.claim_id, b.id, o.id, o.booked_on, o.claim_id, r.cause, a.invoice_id, a.claim_id
   order by t.booked_on, t.posted_at, t.id`,
)

export type ChargedRow = Omit<ChargeEntry, 'moves'> & {
  readonly id: string
  /** Taken up by this settlement, and by none before. */
  readonly isNew: boolean
  readonly agreedOn: CalendarDate
  readonly isOnClaim: boolean
  readonly debt: string
  readonly isClaim: boolean
  readonly principalMinor: number
  readonly costsMinor: number
  readonly interestMinor: number
}

/** In the order of the books; an entry has a row for each debt that it moved. */
export function readCharged(
  db: Connection,
  instanceId: string,
  { settlementId, debts }: { readonly settlementId: string; readonly debts: readonly string[] },
): Promise<ChargedRow[]> {
  return db.rows<ChargedRow>(charged, [instanceId, settlementId, debts])
}

const withCharges = statement(
  'settlements.withCharges',
  `select distinct e.settlement_id as id from settlement_entry e
   join ledger_transaction t on t.instance_id = e.instance_id and t.id = e.transaction_id
   join ledger_account a on a.instance_id = t.instance_id and a.kind in ('costs', 'interest')
     and (a.invoice_id = t.invoice_id or a.claim_id = t.claim_id)
   where e.instance_id = $1 and e.settlement_id = any($2::uuid[])
   union
   select distinct e.settlement_id from settlement_entry e
   join ledger_transaction t on t.instance_id = e.instance_id and t.id = e.transaction_id
   join invoice i on i.instance_id = t.instance_id and i.id = t.invoice_id and i.type = 'INTEREST_INVOICE'
   where e.instance_id = $1 and e.settlement_id = any($2::uuid[])`,
)

/** Those of these with an entry about a debt that was charged anything: the others have no fees of debtors. */
export async function readWithCharges(
  db: Connection,
  instanceId: string,
  ids: readonly string[],
): Promise<string[]> {
  return (await db.rows<{ id: string }>(withCharges, [instanceId, ids])).map(({ id }) => id)
}

const taken = statement(
  'settlements.taken',
  `select coalesce(l.invoice_id, l.claim_id) as debt, coalesce(l.rate_bp, 0) as "vatBp", sum(l.amount_minor)::bigint as minor
   from settlement s
   join settlement b on b.instance_id = s.instance_id and b.creditor_id = s.creditor_id and b.currency = s.currency and b.number < s.number
   join settlement_line l on l.instance_id = b.instance_id and l.settlement_id = b.id and l.kind = 'DEBTOR_FEE'
     and (l.invoice_id = any($3::uuid[]) or l.claim_id = any($3::uuid[]))
   where s.instance_id = $1 and s.id = $2 group by 1, 2 order by 1, max(b.number)`,
)

/** What the settlements before have taken of the fees of these debts, by the rate of its VAT, the latest last. */
export function readTaken(
  db: Connection,
  instanceId: string,
  { settlementId, debts }: { readonly settlementId: string; readonly debts: readonly string[] },
): Promise<{ debt: string; vatBp: number; minor: number }[]> {
  return db.rows(taken, [instanceId, settlementId, debts])
}
