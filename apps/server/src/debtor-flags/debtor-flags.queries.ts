/** The SQL of what is known of a debtor so that all their debts rest (M-34). */
import { IN_PLANS } from '@kvitt/domain/invoices/acts.ts'
import type { FiledWith, FlagAnswer, FlagKind } from '@kvitt/domain/people/debtor-flag.ts'
import { RESTING_MAIL_KINDS } from '../mail/mail.ts'
import { statement, type Connection, type Transaction } from '../platform/database/database.ts'

type Key = { readonly instanceId: string; readonly id: string }
type OfDebtor = { readonly instanceId: string; readonly debtorId: string }

const insert = statement(
  'debtorFlags.insert',
  `insert into debtor_flag (instance_id, id, debtor_id, kind, from_day, source, reported_by, set_by, set_on)
   select $1::uuid, $2::uuid, $3::uuid, $4, $5::date, $6, $7::uuid, $8, $9::date
   where $7::uuid is not null or not exists (select from debtor_flag f
     where f.instance_id = $1 and f.debtor_id = $3 and f.kind = $4 and f.ended_on is null)
   on conflict do nothing returning id`,
)

export type NewFlag = OfDebtor & {
  readonly id: string
  readonly kind: FlagKind
  readonly from: string
  readonly source: string
  /** The creditor whose people tell of it; null where the operator's do. */
  readonly reportedBy: string | null
  readonly by: string
  readonly on: string
}

/** Answers false when the same stands: to a creditor of its own reports alone, to the operator of anybody's. */
export async function insertFlagRow(tx: Transaction, flag: NewFlag): Promise<boolean> {
  const { instanceId, id, debtorId, kind, from, source, reportedBy, by, on } = flag
  return (
    (await tx.rows(insert, [instanceId, id, debtorId, kind, from, source, reportedBy, by, on])).length > 0
  )
}

const find = statement(
  'debtorFlags.find',
  'select debtor_id from debtor_flag where instance_id = $1 and id = $2',
)

/** Whose flag it is; undefined where the provider has none such. */
export async function findFlagRow(db: Connection, { instanceId, id }: Key): Promise<string | undefined> {
  return (await db.rows<{ debtor_id: string }>(find, [instanceId, id]))[0]?.debtor_id
}

const told = statement(
  'debtorFlags.told',
  'select source, reported_by as "reportedBy" from debtor_flag where instance_id = $1 and id = $2',
)

/** Who said so, and from where. */
export async function readSourceRow(
  tx: Transaction,
  { instanceId, id }: Key,
): Promise<{ readonly source: string; readonly reportedBy: string | null }> {
  const [row] = await tx.rows<{ source: string; reportedBy: string | null }>(told, [instanceId, id])
  if (!row) throw new Error(`there is no flag ${id}`)
  return row
}

export type LockedFlag = {
  readonly id: string
  readonly kind: FlagKind
  readonly from: string
  readonly setOn: string
  readonly answer: FlagAnswer | null
  readonly answeredOn: string | null
  readonly endedOn: string | null
}

const lock = statement(
  'debtorFlags.lock',
  `select id, kind, from_day::text as "from", set_on::text as "setOn", answer, answered_on::text as "answeredOn",
     ended_on::text as "endedOn"
   from debtor_flag where instance_id = $1 and debtor_id = $2 order by id for update`,
)

/** All flags of a debtor, the ended ones too: whoever ends the last that stands has to know that it is the last. */
export function lockFlagRows(tx: Transaction, { instanceId, debtorId }: OfDebtor): Promise<LockedFlag[]> {
  return tx.rows<LockedFlag>(lock, [instanceId, debtorId])
}

const answer = statement(
  'debtorFlags.answer',
  `update debtor_flag set answer = $3, answered_by = $4, answered_on = $5::date, filed_with = $6, filed_on = $7::date
   where instance_id = $1 and id = $2`,
)

export type NewAnswer = {
  readonly answer: FlagAnswer
  readonly by: string
  readonly on: string
  readonly filedWith: FiledWith | null
  readonly filedOn: string | null
}

export async function answerFlagRow(
  tx: Transaction,
  key: Key,
  { answer: said, by, on, filedWith, filedOn }: NewAnswer,
): Promise<void> {
  await tx.rows(answer, [key.instanceId, key.id, said, by, on, filedWith, filedOn])
}

const end = statement(
  'debtorFlags.end',
  'update debtor_flag set ended_on = $3::date, ended_by = $4, end_reason = $5 where instance_id = $1 and id = $2',
)

export async function endFlagRow(
  tx: Transaction,
  key: Key,
  { on, by, reason }: { readonly on: string; readonly by: string; readonly reason: string },
): Promise<void> {
  await tx.rows(end, [key.instanceId, key.id, on, by, reason])
}

const OPEN_INVOICE = `i.status not in ('CREATED', 'CLOSED', 'STOPPED', 'ARCHIVED')`
const OPEN_CLAIM = `c.status not in ('CLOSED', 'STOPPED')`
/** Closed, and still to be billed interest for. */
const hasLateDays = (id: string): string => `exists (select from late_days l
     where l.instance_id = $1 and l.debt_id = ${id} and l.status = 'WAITING')`

const lockInvoices = statement(
  'debtorFlags.lockInvoices',
  `select i.id, i.claim_id as "claimId", ${OPEN_INVOICE} as "isOpen" from invoice i
   where i.instance_id = $1 and i.debtor_id = $2 and (${OPEN_INVOICE} or ${hasLateDays('i.id')})
   order by i.type = any ($3::text[]) desc, i.id for no key update of i`,
)
const lockClaims = statement(
  'debtorFlags.lockClaims',
  `select c.id, ${OPEN_CLAIM} as "isOpen" from claim c
   where c.instance_id = $1 and c.debtor_id = $2 and (${OPEN_CLAIM} or ${hasLateDays('c.id')})
   order by c.id for no key update of c`,
)

export type OpenDebts = {
  /** In no claim. */
  readonly invoices: readonly string[]
  readonly claims: readonly string[]
}

/**
 * The debtor's open debts, locked: instalments' invoices before those that plans pay, as whoever bills or ends a plan locks them, then
 * claims, each by its identifier. Whoever has several of a debtor's in another order is not waited for without end: one of the two begins
 * again. Whoever charges or writes at this moment is waited for, and what a hand-over makes of the invoices meanwhile is among the claims.
 */
export async function lockDebtsOf(tx: Transaction, { instanceId, debtorId }: OfDebtor): Promise<OpenDebts> {
  type Invoice = { id: string; claimId: string | null; isOpen: boolean }
  const invoices = await tx.rows<Invoice>(lockInvoices, [instanceId, debtorId, IN_PLANS])
  const claims = await tx.rows<{ id: string; isOpen: boolean }>(lockClaims, [instanceId, debtorId])
  return {
    invoices: invoices.flatMap(({ id, claimId, isOpen }) => (isOpen && claimId === null ? [id] : [])),
    claims: claims.flatMap(({ id, isOpen }) => (isOpen ? [id] : [])),
  }
}

const ofTellers = statement(
  'debtorFlags.debtsOfTellers',
  `with teller as (select f.reported_by as id from debtor_flag f
     where f.instance_id = $1 and f.debtor_id = $2 and f.kind = $3 and f.reported_by is not null)
   select i.id from invoice i where i.instance_id = $1 and i.debtor_id = $2 and i.creditor_id in (select id from teller)
   union all
   select c.id from claim c where c.instance_id = $1 and c.debtor_id = $2 and c.creditor_id in (select id from teller)`,
)

/** The debtor's debts to creditors whose own people have reported such a flag. */
export async function readDebtsOfTellers(
  tx: Transaction,
  { instanceId, debtorId }: OfDebtor,
  kind: FlagKind,
): Promise<ReadonlySet<string>> {
  const rows = await tx.rows<{ id: string }>(ofTellers, [instanceId, debtorId, kind])
  return new Set(rows.map(({ id }) => id))
}

const dropNotices = statement(
  'debtorFlags.dropNotices',
  `with dropped as (
     update mail_outbox m set status = 'DROPPED', last_error = 'resting'
     where m.instance_id = $1 and m.kind = 'plan_missed' and m.status = 'WAITING' and m.invoice_id = any ($2::uuid[])
     returning m.invoice_id)
   update collection_step s set status = 'SKIPPED', performed_date = null from dropped
   where s.instance_id = $1 and s.debt_id = dropped.invoice_id and s.type = 'PART_PAYMENT_NOTIFICATION' and s.status = 'PERFORMED'`,
)

/** Word of a missed instalment that has not left says days that will be over: it comes again once the plan goes on. */
export async function dropNoticeRows(
  tx: Transaction,
  instanceId: string,
  invoiceIds: readonly string[],
): Promise<void> {
  await tx.rows(dropNotices, [instanceId, invoiceIds])
}

export type ShownFlag = {
  readonly id: string
  readonly kind: FlagKind
  readonly from: string
  readonly setOn: string
  readonly source: string
  readonly reportedBy: string | null
  readonly answer: FlagAnswer | null
  readonly filedWith: FiledWith | null
  readonly filedOn: string | null
  readonly endedOn: string | null
  readonly debtorId: string
  readonly debtorName: string
  readonly openCount: number
}

const shown = statement(
  'debtorFlags.shown',
  `select f.id, f.kind, f.from_day::text as "from", f.set_on::text as "setOn", f.source,
     (select k.name from creditor k where k.instance_id = f.instance_id and k.id = f.reported_by) as "reportedBy",
     f.answer, f.filed_with as "filedWith", f.filed_on::text as "filedOn", f.ended_on::text as "endedOn",
     d.id as "debtorId", d.name as "debtorName",
     ((select count(*) from invoice i where i.instance_id = $1 and i.debtor_id = d.id and ${OPEN_INVOICE} and i.claim_id is null)
       + (select count(*) from claim c where c.instance_id = $1 and c.debtor_id = d.id and ${OPEN_CLAIM}))::int as "openCount"
   from debtor_flag f join debtor d on d.instance_id = f.instance_id and d.id = f.debtor_id
   where f.instance_id = $1 and f.id = $2`,
)

export async function readShownFlag(db: Connection, { instanceId, id }: Key): Promise<ShownFlag | undefined> {
  return (await db.rows<ShownFlag>(shown, [instanceId, id]))[0]
}

export type DoneSince = {
  readonly type: 'invoices' | 'collection-batches'
  readonly id: string
  readonly number: string
  readonly creditor: string
  readonly chargedMinor: number
  readonly currency: string
  readonly letters: number
}

/**
 * Of the debt `id`: fees of steps and of a plan's instalments charged on or after the day $3, and messages that ask for money which left since,
 * by the product's day.
 */
const done = (id: string): string => `
     (select coalesce(sum(p.amount_minor), 0) from ledger_transaction t
       join posting p on p.instance_id = t.instance_id and p.transaction_id = t.id
       join ledger_account a on a.instance_id = p.instance_id and a.id = p.account_id and a.kind = 'costs'
       where t.instance_id = $1 and coalesce(t.claim_id, t.invoice_id) = ${id} and t.booked_on >= $3::date
         and (t.cause like 'step:%' or t.cause like 'unsent:%' or t.cause like 'admin\\_fee:%' or t.cause like 'start\\_fee:%'))::bigint as "chargedMinor",
     (select count(*) from mail_outbox m join instance n on n.id = m.instance_id
       left join collection_step s on s.instance_id = m.instance_id and s.id = m.step_id
       where m.instance_id = $1 and coalesce(m.claim_id, m.invoice_id) = ${id} and m.status = 'SENT' and m.kind = any ($4::text[])
         and coalesce(s.left_on, s.performed_date, (m.sent_at at time zone n.time_zone)::date) >= $3::date)::int as letters`

const since = statement(
  'debtorFlags.since',
  `select * from (
     select 'invoices' as type, i.id, i.invoice_number as number, k.name as creditor, i.currency, ${done('i.id')}
     from invoice i join creditor k on k.instance_id = i.instance_id and k.id = i.creditor_id
     where i.instance_id = $1 and i.debtor_id = $2
     union all
     select 'collection-batches', c.id, c.claim_number, k.name, c.currency, ${done('c.id')}
     from claim c join creditor k on k.instance_id = c.instance_id and k.id = c.creditor_id
     where c.instance_id = $1 and c.debtor_id = $2) x
   where "chargedMinor" > 0 or letters > 0 order by "chargedMinor" desc, id limit 200`,
)

export function readDoneSince(
  db: Connection,
  { instanceId, debtorId }: OfDebtor,
  from: string,
): Promise<DoneSince[]> {
  return db.rows<DoneSince>(since, [instanceId, debtorId, from, RESTING_MAIL_KINDS])
}
