/** The SQL of flags (M-34) under their locks, and of the debts that rest because of them. */
import { IN_PLANS } from '@kvitt/domain/invoices/acts.ts'
import type { FlagAnswer, FlagKind } from '@kvitt/domain/people/debtor-flag.ts'
import { statement, type Transaction } from '../platform/database/database.ts'

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

export const OPEN_INVOICE = `i.status not in ('CREATED', 'CLOSED', 'STOPPED', 'ARCHIVED')`
export const OPEN_CLAIM = `c.status not in ('CLOSED', 'STOPPED')`
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
