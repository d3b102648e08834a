/** The SQL of what is known of a debtor so that all their debts rest (M-34). */
import type { FiledWith, FlagAnswer, FlagKind } from '@kvitt/domain/people/debtor-flag.ts'
import { RESTING_MAIL_KINDS } from '../mail/mail.ts'
import { statement, type Connection, type Transaction } from '../platform/database/database.ts'
import { OPEN_CLAIM, OPEN_INVOICE } from '../representatives/flag-rows.queries.ts'

type Key = { readonly instanceId: string; readonly id: string }
type OfDebtor = { readonly instanceId: string; readonly debtorId: string }

const find = statement(
  'debtorFlags.find',
  'select debtor_id from debtor_flag where instance_id = $1 and id = $2',
)

/** Whose flag it is; undefined where the provider has none such. */
export async function findFlagRow(db: Connection, { instanceId, id }: Key): Promise<string | undefined> {
  return (await db.rows<{ debtor_id: string }>(find, [instanceId, id]))[0]?.debtor_id
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
