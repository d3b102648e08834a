/** The SQL by which settlements are made: which are due, what they take up, and what was counted. Set-based, for many at once. */
import type { CalendarDate } from '@kvitt/domain/calendar.ts'
import type { CountedLine, SettlementEntry } from '@kvitt/domain/settlements/count-settlement.ts'
import type { ChargeEntry } from '@kvitt/domain/settlements/paid-charges.ts'
import { statement, type Connection, type Transaction } from '../platform/database/database.ts'
import { familyOf } from '../ledger/ledger.ts'

const lastRun = statement('settlements.lastRun', 'select day from settlement_run where instance_id = $1')

/** The last day on which all that had ended was settled. */
export async function readLastRun(db: Connection, instanceId: string): Promise<CalendarDate | undefined> {
  return (await db.rows<{ day: CalendarDate }>(lastRun, [instanceId]))[0]?.day
}

const keepRun = statement(
  'settlements.keepRun',
  `insert into settlement_run (instance_id, day) values ($1, $2)
   on conflict (instance_id) do update set day = excluded.day where settlement_run.day < excluded.day`,
)

export async function keepRunRow(db: Connection, instanceId: string, day: CalendarDate): Promise<void> {
  await db.rows(keepRun, [instanceId, day])
}

const IN_NONE = `not exists (select from settlement_entry e where e.instance_id = t.instance_id and e.transaction_id = t.id)`

/** Entries that ask for a settlement: money that moved, a cost of a court, or a charge taken back of which a fee was taken. */
const unsettled = statement(
  'settlements.unsettled',
  `select u.creditor_id as "creditorId", u.currency, u.first_day as "firstDay", l.number, l.period_to as "lastTo"
   from (
     select a.creditor_id, a.currency, min(t.booked_on) as first_day
     from ledger_transaction t
     join posting p on p.instance_id = t.instance_id and p.transaction_id = t.id
     join ledger_account a on a.instance_id = p.instance_id and a.id = p.account_id
       and a.kind in ('held_for_creditor', 'paid_to_creditor', 'claims_on_debtors')
     where t.instance_id = $1 and t.booked_on between $2 and $3 and t.kind in ('PAYMENT', 'REFUND', 'REVERSAL', 'COURT_FEE') and ${IN_NONE}
       and (a.kind <> 'claims_on_debtors' or t.kind = 'COURT_FEE' or t.kind = 'REVERSAL' and exists (
         select from settlement_line x where x.instance_id = t.instance_id and x.kind = 'DEBTOR_FEE'
           and (x.invoice_id = t.invoice_id or x.claim_id = t.claim_id)))
     group by a.creditor_id, a.currency) u
   left join lateral (
     select s.number, s.period_to from settlement s
     where s.instance_id = $1 and s.creditor_id = u.creditor_id and s.currency = u.currency order by s.number desc limit 1) l on true
   order by u.creditor_id, u.currency`,
)

export type UnsettledRow = {
  readonly creditorId: string
  readonly currency: string
  readonly firstDay: CalendarDate
  /** Of the last settlement. */
  readonly number: number | null
  readonly lastTo: CalendarDate | null
}

/** What was booked within these days and no settlement has taken up, of each creditor and currency. */
export function readUnsettled(
  db: Connection,
  instanceId: string,
  { from, to }: { readonly from: string; readonly to: CalendarDate },
): Promise<UnsettledRow[]> {
  return db.rows<UnsettledRow>(unsettled, [instanceId, from, to])
}

export type NewSettlement = {
  readonly id: string
  readonly creditorId: string
  readonly currency: string
  readonly number: number
  readonly from: CalendarDate
  readonly to: CalendarDate
}

const insertSettlements = statement(
  'settlements.insert',
  `insert into settlement (instance_id, id, creditor_id, currency, number, period_from, period_to, status)
   select $1, n.id, n.creditor_id, n.currency, n.number, n.period_from, n.period_to, 'COUNTING'
   from unnest($2::uuid[], $3::uuid[], $4::text[], $5::int[], $6::date[], $7::date[])
     as n (id, creditor_id, currency, number, period_from, period_to)
   on conflict do nothing returning id`,
)

/** Makes these; of one that another process has made, nothing. */
export async function insertSettlementRows(
  tx: Transaction,
  instanceId: string,
  rows: readonly NewSettlement[],
): Promise<string[]> {
  const made = await tx.rows<{ id: string }>(insertSettlements, [
    instanceId,
    rows.map(({ id }) => id),
    rows.map(({ creditorId }) => creditorId),
    rows.map(({ currency }) => currency),
    rows.map(({ number }) => number),
    rows.map(({ from }) => from),
    rows.map(({ to }) => to),
  ])
  return made.map(({ id }) => id)
}

/** Everything of a creditor in a currency: what an entry is about says whose it is, else the account that it moves. */
const takeUp = statement(
  'settlements.takeUp',
  `with own as (
     select t.id, t.booked_on,
       coalesce(i.creditor_id, c.creditor_id, a.creditor_id) as creditor_id, coalesce(i.currency, c.currency, a.currency) as currency
     from ledger_transaction t
     left join invoice i on i.instance_id = t.instance_id and i.id = t.invoice_id
     left join claim c on c.instance_id = t.instance_id and c.id = t.claim_id
     left join lateral (
       select b.creditor_id, b.currency from posting p
       join ledger_account b on b.instance_id = p.instance_id and b.id = p.account_id
         and b.kind in ('held_for_creditor', 'paid_to_creditor', 'claims_on_debtors')
       where p.instance_id = t.instance_id and p.transaction_id = t.id and t.invoice_id is null and t.claim_id is null limit 1) a on true
     where t.instance_id = $1 and t.booked_on between $3 and $4 and ${IN_NONE})
   insert into settlement_entry (instance_id, transaction_id, settlement_id)
   select $1, o.id, s.id from own o
   join settlement s on s.instance_id = $1 and s.id = any($2::uuid[]) and s.creditor_id = o.creditor_id
     and s.currency = o.currency and o.booked_on <= s.period_to
   on conflict do nothing`,
)

/** What was booked from a day on goes into these, each entry into the one of its creditor and currency that has not ended before it. */
export async function takeUpEntries(
  tx: Transaction,
  instanceId: string,
  { ids, from, to }: { readonly ids: readonly string[]; readonly from: string; readonly to: string },
): Promise<void> {
  await tx.rows(takeUp, [instanceId, ids, from, to])
}

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
  `${COUNTING} where s.instance_id = $1 and s.status = 'COUNTING' and not exists (
     select from settlement b where b.instance_id = s.instance_id and b.creditor_id = s.creditor_id and b.currency = s.currency
       and b.number < s.number and b.status = 'COUNTING')
   order by s.id limit $2 for update of s skip locked`,
)

/** As many as are to be counted now, locked. */
export function lockCounting(tx: Transaction, instanceId: string, most: number): Promise<CountingRow[]> {
  return tx.rows<CountingRow>(counting, [instanceId, most])
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

const MONEY = `select e.settlement_id as "settlementId", t.id, t.kind, t.cause, t.booked_on as "bookedOn",
     coalesce((select o.booked_on from ledger_transaction o
       where t.kind = 'REVERSAL' and o.instance_id = t.instance_id and o.cause = regexp_replace(t.cause, '^(reversal|holder):', '')), t.booked_on)
       as "agreedOn",
     t.invoice_id as "invoiceId", t.claim_id as "claimId",
     coalesce(-sum(p.amount_minor) filter (where a.kind = 'held_for_creditor'), 0)::bigint as "heldMinor",
     coalesce(-sum(p.amount_minor) filter (where a.kind = 'paid_to_creditor'), 0)::bigint as "directMinor",
     coalesce(sum(p.amount_minor) filter (where t.kind = 'COURT_FEE' and a.kind = 'costs'), 0)::bigint as "costMinor"
   from settlement_entry e
   join ledger_transaction t on t.instance_id = e.instance_id and t.id = e.transaction_id
     and t.kind not in ('INVOICE', 'REMINDER', 'INTEREST', 'TRANSFER_TO_CLAIM', 'TRANSFER_TO_PLAN')
   join posting p on p.instance_id = t.instance_id and p.transaction_id = t.id
   join ledger_account a on a.instance_id = p.instance_id and a.id = p.account_id
     and (a.kind in ('held_for_creditor', 'paid_to_creditor') or t.kind = 'COURT_FEE')
   where e.instance_id = $1 and e.settlement_id = any($2::uuid[])
   group by e.settlement_id, t.instance_id, t.id order by t.booked_on, t.id`
const money = statement('settlements.money', MONEY)

type MoneyRow = Omit<SettlementEntry, 'debt'> & {
  readonly settlementId: string
  readonly invoiceId: string | null
  readonly claimId: string | null
}

/** The entries of these settlements that moved money, or were a court's cost. */
export function readMoney(db: Connection, instanceId: string, ids: readonly string[]): Promise<MoneyRow[]> {
  return db.rows<MoneyRow>(money, [instanceId, ids])
}

/**
 * Debts with charges that this settlement's entries are about, and all that belongs with them. What was taken up by it or by one
 * before it is what the books were then.
 */
const charged = statement(
  'settlements.charged',
  `with s as (select * from settlement where instance_id = $1 and id = $2),
   touched as (
     select distinct coalesce(t.claim_id, t.invoice_id) as id from settlement_entry e
     join ledger_transaction t on t.instance_id = e.instance_id and t.id = e.transaction_id
     where e.instance_id = $1 and e.settlement_id = $2 and coalesce(t.claim_id, t.invoice_id) is not null
     union
     select t.invoice_id from settlement_entry e
     join ledger_transaction t on t.instance_id = e.instance_id and t.id = e.transaction_id
     where e.instance_id = $1 and e.settlement_id = $2 and t.invoice_id is not null),
   family as (${familyOf(`array(select id from touched)`)}),
   entry as (
     select t.* from family f join ledger_transaction t on t.instance_id = $1 and t.invoice_id = f.id
     union
     select t.* from family f join ledger_transaction t on t.instance_id = $1 and t.claim_id = f.id)
   select t.id, t.kind, t.cause, t.charge_owner as owner, r.cause as restates,
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
   group by t.id, t.kind, t.cause, t.charge_owner, t.booked_on, t.posted_at, r.cause, a.invoice_id, a.claim_id
   order by t.booked_on, t.posted_at, t.id`,
)

type ChargedRow = Omit<ChargeEntry, 'moves'> & {
  readonly id: string
  readonly debt: string
  readonly isClaim: boolean
  readonly principalMinor: number
  readonly costsMinor: number
  readonly interestMinor: number
}

/** In the order of the books; an entry has a row for each debt that it moved. */
export function readCharged(db: Connection, instanceId: string, settlementId: string): Promise<ChargedRow[]> {
  return db.rows<ChargedRow>(charged, [instanceId, settlementId])
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

export type CountedRow = {
  readonly id: string
  readonly status: string
  readonly collectedMinor: number
  readonly feesMinor: number
  readonly vatMinor: number
  readonly correctionsMinor: number
  readonly paidOutMinor: number
  readonly lines: readonly CountedLine[]
}

const keepCounted = statement(
  'settlements.keepCounted',
  `update settlement s set status = n.status, collected_minor = n.collected, fees_minor = n.fees, vat_minor = n.vat,
     corrections_minor = n.corrections, paid_out_minor = n.paid_out, counted_at = now()
   from unnest($2::uuid[], $3::text[], $4::bigint[], $5::bigint[], $6::bigint[], $7::bigint[], $8::bigint[])
     as n (id, status, collected, fees, vat, corrections, paid_out)
   where s.instance_id = $1 and s.id = n.id and s.status = 'COUNTING'`,
)

const insertLines = statement(
  'settlements.insertLines',
  `insert into settlement_line (instance_id, settlement_id, line, kind, day, invoice_id, claim_id, base_minor, rate_bp, amount_minor)
   select $1, n.* from unnest($2::uuid[], $3::int[], $4::text[], $5::date[], $6::uuid[], $7::uuid[], $8::bigint[], $9::int[], $10::bigint[]) as n`,
)

/** Writes what these were counted to, under their locks. */
export function keepCountedRows(tx: Transaction, instanceId: string, rows: readonly CountedRow[]): void {
  const lines = rows.flatMap(({ id, lines: of }) => of.map((line, index) => ({ ...line, id, index })))
  tx.send(insertLines, [
    instanceId,
    lines.map(({ id }) => id),
    lines.map(({ index }) => index),
    lines.map(({ kind }) => kind),
    lines.map(({ day }) => day),
    lines.map(({ debt }) => debt.invoiceId),
    lines.map(({ debt }) => debt.claimId),
    lines.map(({ baseMinor }) => baseMinor),
    lines.map(({ rateBp }) => rateBp),
    lines.map(({ amountMinor }) => amountMinor),
  ])
  tx.send(keepCounted, [
    instanceId,
    rows.map(({ id }) => id),
    rows.map(({ status }) => status),
    rows.map(({ collectedMinor }) => collectedMinor),
    rows.map(({ feesMinor }) => feesMinor),
    rows.map(({ vatMinor }) => vatMinor),
    rows.map(({ correctionsMinor }) => correctionsMinor),
    rows.map(({ paidOutMinor }) => paidOutMinor),
  ])
}
