/** The SQL by which settlements are made: which are due, what they take up, and what they were counted to. */
import type { CalendarDate } from '@kvitt/domain/calendar.ts'
import type { CountedLine } from '@kvitt/domain/settlements/count-settlement.ts'
import { statement, type Connection, type Transaction } from '../platform/database/database.ts'

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
     where t.instance_id = $1 and t.booked_on between $3 and $4 and t.kind <> 'PAYOUT' and ${IN_NONE})
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
