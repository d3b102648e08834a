/** The SQL of closed months, and of what a month's report is made of: of the instance $1. */
import { setTimeout } from 'node:timers/promises'
import { statement, type Connection, type Transaction } from '../platform/database/database.ts'
import { instantText } from '../platform/database/sql-json.ts'

const tryStand = statement('monthClose.stand', 'select pg_try_advisory_xact_lock(books_key($1)) as "isHeld"')
const EACH_MS = 25
const LONGEST_WAIT_MS = 4_000

/**
 * Nobody books for the instance until the transaction ends; whoever was booking has ended. It never stands in the queue: whoever comes
 * to book would wait behind it. Answers false where others booked all the time.
 */
export async function standStill(tx: Transaction, instanceId: string): Promise<boolean> {
  for (let waited = 0; waited <= LONGEST_WAIT_MS; waited += EACH_MS) {
    if (waited > 0) await setTimeout(EACH_MS)
    const [row] = await tx.rows<{ isHeld: boolean }>(tryStand, [instanceId])
    if (row?.isHeld) return true
  }
  return false
}

const mark = statement(
  'monthClose.mark',
  `select concat_ws(' ',
     (select max(closed_to) from month_close where instance_id = $1),
     (select count(*) from ledger_transaction where instance_id = $1 and booked_on <= $2::date),
     (select count(*) || '/' || coalesce(sum(amount_minor), 0) from bank_account_day where instance_id = $1),
     (select count(*) from bank_statement where instance_id = $1),
     (select count(*) from money_out where instance_id = $1 and left_on is not null),
     (select string_agg(s.status || s.n, ',' order by s.status) from (select status, count(*) as n from settlement
       where instance_id = $1 and period_to <= $2::date group by status) s),
     (select count(*) from vat_invoice where instance_id = $1 and issued_on <= $2::date)) as mark`,
)

/** Of all that a report of a day is made of and that only grows or moves on: as long as it is the same, the report is. */
export async function readMark(db: Connection, instanceId: string, day: string): Promise<string> {
  return (await db.rows<{ mark: string }>(mark, [instanceId, day]))[0]?.mark ?? ''
}

export type ClosedRow = {
  readonly month: string
  readonly closedBy: string
  readonly closedAt: string
  readonly note: string
}

const CLOSED = `to_char(m.month, 'YYYY-MM') as month, ${instantText('m.closed_at')} as "closedAt", m.note,
  coalesce((select p.name from person p where p.id = (select r[1]::uuid from regexp_match(m.closed_by, '^person:([0-9a-f-]{36})') r)),
    m.closed_by) as "closedBy"`

const closings = statement(
  'monthClose.closed',
  `select ${CLOSED} from month_close m where m.instance_id = $1 order by m.month desc`,
)
const closing = statement(
  'monthClose.one',
  `select ${CLOSED}, m.report from month_close m where m.instance_id = $1 and m.month = ($2 || '-01')::date`,
)

/** The newest first. */
export function readClosings(db: Connection, instanceId: string): Promise<ClosedRow[]> {
  return db.rows<ClosedRow>(closings, [instanceId])
}

export async function readClosing(
  db: Connection,
  instanceId: string,
  month: string,
): Promise<(ClosedRow & { readonly report: unknown }) | undefined> {
  return (await db.rows<ClosedRow & { report: unknown }>(closing, [instanceId, month]))[0]
}

const insert = statement(
  'monthClose.insert',
  `insert into month_close (instance_id, month, closed_to, closed_by, note, report)
   values ($1, ($2 || '-01')::date, $3, $4, $5, $6)`,
)
const insertSums = statement(
  'monthClose.insertSums',
  `insert into month_close_sum (instance_id, month, currency, owed_minor, held_minor)
   select $1, ($2 || '-01')::date, s.currency, s.owed, s.held
   from unnest($3::text[], $4::bigint[], $5::bigint[]) as s (currency, owed, held)`,
)

export type NewClosing = {
  readonly instanceId: string
  readonly month: string
  readonly closedTo: string
  readonly by: string
  readonly note: string
  readonly report: object
  readonly sums: readonly {
    readonly currency: string
    readonly owedMinor: number
    readonly heldMinor: number
  }[]
}

export async function insertClosing(tx: Transaction, closing: NewClosing): Promise<void> {
  const { instanceId, month, closedTo, by, note, report, sums } = closing
  await tx.rows(insert, [instanceId, month, closedTo, by, note, JSON.stringify(report)])
  await tx.rows(insertSums, [
    instanceId,
    month,
    sums.map(({ currency }) => currency),
    sums.map(({ owedMinor }) => owedMinor),
    sums.map(({ heldMinor }) => heldMinor),
  ])
}

const nights = statement(
  'monthClose.nights',
  `select max(day)::text as day from collection_night where instance_id = $1`,
)
const settled = statement(
  'monthClose.settled',
  `select day::text as day from settlement_run where instance_id = $1`,
)
const counting = statement(
  'monthClose.counting',
  `select count(*)::int as n from settlement where instance_id = $1 and status = 'COUNTING' and period_to <= $2::date`,
)

/** Until when the nights are run and the settlements made; how many of them are still being counted. */
export async function readDone(
  db: Connection,
  instanceId: string,
  lastDay: string,
): Promise<{ readonly night: string | null; readonly settled: string | null; readonly counting: number }> {
  const night = await db.rows<{ day: string | null }>(nights, [instanceId])
  const made = await db.rows<{ day: string }>(settled, [instanceId])
  const left = await db.rows<{ n: number }>(counting, [instanceId, lastDay])
  return { night: night[0]?.day ?? null, settled: made[0]?.day ?? null, counting: left[0]?.n ?? 0 }
}

const IN_MONTH = 'filter (where period_to >= $2::date)'
const settlements = statement(
  'monthClose.settlements',
  `select * from (
     select currency, (count(*) ${IN_MONTH})::int as count, coalesce(sum(collected_minor) ${IN_MONTH}, 0)::bigint as "collectedMinor",
       coalesce(sum(fees_minor) ${IN_MONTH}, 0)::bigint as "feesMinor", coalesce(sum(vat_minor) ${IN_MONTH}, 0)::bigint as "vatMinor",
       coalesce(sum(corrections_minor) ${IN_MONTH}, 0)::bigint as "correctionsMinor",
       coalesce(sum(paid_out_minor) ${IN_MONTH}, 0)::bigint as "paidOutMinor",
       count(*) filter (where status = 'TO_APPROVE')::int as "toApprove",
       count(*) filter (where status in ('APPROVED', 'SENT', 'REFUSED'))::int as "toPay"
     from settlement where instance_id = $1 and period_to <= $3::date group by currency) s
   where s.count > 0 or s."toApprove" > 0 or s."toPay" > 0 order by s.currency`,
)

export type SettledRow = {
  readonly currency: string
  readonly count: number
  readonly collectedMinor: number
  readonly feesMinor: number
  readonly vatMinor: number
  readonly correctionsMinor: number
  readonly paidOutMinor: number
  readonly toApprove: number
  readonly toPay: number
}

/** Of periods that ended within these days; of all that ended by then, how many are not approved or not paid. */
export function readSettled(
  db: Connection,
  instanceId: string,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<SettledRow[]> {
  return db.rows<SettledRow>(settlements, [instanceId, from, to])
}

const invoices = statement(
  'monthClose.vatInvoices',
  `select s.currency, count(*)::int as count, min(v.number)::int as first, max(v.number)::int as last,
     sum(s.fees_minor)::bigint as "feesMinor", sum(s.vat_minor)::bigint as "vatMinor"
   from vat_invoice v join settlement s on s.instance_id = v.instance_id and s.id = v.settlement_id
   where v.instance_id = $1 and v.issued_on between $2::date and $3::date group by s.currency order by s.currency`,
)

export type InvoicedRow = {
  readonly currency: string
  readonly count: number
  readonly first: number
  readonly last: number
  readonly feesMinor: number
  readonly vatMinor: number
}

export function readInvoiced(
  db: Connection,
  instanceId: string,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<InvoicedRow[]> {
  return db.rows<InvoicedRow>(invoices, [instanceId, from, to])
}

const waiting = statement(
  'monthClose.suspense',
  `select currency, count(*)::int as count from bank_line
   where instance_id = $1 and status = 'SUSPENSE' and holder is distinct from 'CREDITOR' group by currency`,
)

/** Lines that nobody has placed yet. */
export function readWaitingCount(
  db: Connection,
  instanceId: string,
): Promise<{ currency: string; count: number }[]> {
  return db.rows<{ currency: string; count: number }>(waiting, [instanceId])
}
