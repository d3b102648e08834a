/** The SQL of bank files as an operator's people see them: all of the instance $1. */
import {
  BANK_FILE_FORMATS,
  type BankLineStatus,
  type BankMatch,
  type SuspenseReason,
} from '@kvitt/domain/bank-files/bank-desk.ts'
import { MOST_SHARES } from '@kvitt/domain/payments/shares.ts'
import { statement, type Connection } from '../../platform/database/database.ts'
import { asWritten, instantText, sqlJson, word } from '../../platform/database/sql-json.ts'
import { openOfficeList, openOfficeRow, type OfficeListShape } from '../../staff/office-list.ts'
import { tasksOf } from '../../tasks/tasks.ts'

export type Sums = {
  readonly currency: string
  readonly lines: number
  readonly inSuspense: number
  readonly waiting: number
  readonly amountMinor: number
  readonly suspenseMinor: number
  readonly waitingMinor: number
}

/** A file as the database writes it. */
export type BatchJson = {
  readonly id: string
  readonly version: number
  readonly name: string
  readonly format: (typeof BANK_FILE_FORMATS)[number]
  readonly receivedAt: string
  readonly createdBy: string | null
  readonly accounts: readonly string[]
  readonly sums: readonly Sums[]
}

/** What left an account, or was taken back, is below zero. */
const signed = (line: string): string =>
  `case ${line}.kind when 'PAYMENT' then ${line}.amount_minor else -${line}.amount_minor end`

const LINES_OF = 'from bank_line l where l.instance_id = f.instance_id and l.file_id = f.id'

/** What another file has told of before is that file's. */
const SUMS = `(select coalesce(json_agg(s order by s.currency), '[]') from (
    select l.currency, count(*) as lines, count(*) filter (where l.status = 'SUSPENSE') as "inSuspense",
      count(*) filter (where l.status = 'WAITING') as waiting, sum(${signed('l')}) as "amountMinor",
      coalesce(sum(${signed('l')}) filter (where l.status = 'SUSPENSE'), 0) as "suspenseMinor",
      coalesce(sum(${signed('l')}) filter (where l.status = 'WAITING'), 0) as "waitingMinor"
    ${LINES_OF} and l.status <> 'REPEATED' group by l.currency) s)`

const SHAPE: OfficeListShape = {
  name: 'paymentBatches.office',
  from: (whose) => `bank_file f
   left join person p on p.id = (select r[1]::uuid from regexp_match(f.sent_by, '^person:([0-9a-f-]{36}):') r)
   where f.instance_id = $1 and ${whose('null::uuid')}`,
  json: sqlJson({
    id: word('f.id'),
    version: asWritten('f.xmin::text'),
    name: 'f.name',
    format: word('f.format'),
    receivedAt: instantText('f.received_at'),
    createdBy: 'p.name',
    accounts: `(select coalesce(json_agg(distinct l.account_key), '[]') ${LINES_OF})`,
    sums: SUMS,
  }),
  targets: { name: 'f.name' },
  filters: {
    id: { kind: 'id', sql: 'f.id::text' },
    format: { kind: 'choice', values: BANK_FILE_FORMATS, sql: 'f.format' },
    receivedAt: { kind: 'day', sql: 'f.received_at::date' },
    /** Whether something of it waits for a person. */
    inSuspense: { kind: 'flag', sql: `(exists (select ${LINES_OF} and l.status = 'SUSPENSE'))::text` },
  },
  orders: { id: 'f.received_at', receivedAt: 'f.received_at', name: 'f.name' },
  tie: 'f.id',
}

export const searchBatchRows = openOfficeList(SHAPE)
export const readBatch = openOfficeRow(SHAPE)

const byHash = statement(
  'paymentBatches.byHash',
  'select id from bank_file where instance_id = $1 and content_hash = $2',
)

/** The file that has the same bytes. */
export async function findSameFile(
  db: Connection,
  instanceId: string,
  hash: Buffer,
): Promise<string | undefined> {
  return (await db.rows<{ id: string }>(byHash, [instanceId, hash]))[0]?.id
}

/** What a line `l` is booked on, each share by itself; what was taken back since is left out. As SQL of JSON. */
export const ON = `(select coalesce(json_agg(json_build_object('type', o.type, 'id', o.id, 'number', o.number, 'amountMinor', o.amount_minor)
      order by o.share), '[]')
    from (
      select n as share, case when t.claim_id is null then 'invoices' else 'collection-batches' end as type,
        coalesce(t.claim_id, t.invoice_id) as id, coalesce(c.claim_number, i.invoice_number) as number, (
          select sum(g.amount_minor) from posting g
          join ledger_account a on a.instance_id = g.instance_id and a.id = g.account_id and a.kind = 'clearing'
          where g.instance_id = t.instance_id and g.transaction_id = t.id)::bigint as amount_minor
      from generate_series(1, ${MOST_SHARES}) n
      join ledger_transaction t on t.instance_id = l.instance_id
        and t.cause = 'payment:' || l.id || case n when 1 then '' else ':' || n end
      left join invoice i on i.instance_id = t.instance_id and i.id = t.invoice_id
      left join claim c on c.instance_id = t.instance_id and c.id = t.claim_id
      where l.status = 'BOOKED' and not exists (
        select from ledger_transaction r where r.instance_id = t.instance_id and r.cause = 'reversal:' || t.cause)) o)`

/** Why a line in suspense waits. */
export const REASON = `case when l.status = 'SUSPENSE' then (select k.details ->> 'reason' from ${tasksOf(['bank_line'], 'all')} k
    where k.instance_id = l.instance_id and k.about = 'bank-line:' || l.id limit 1) end`

const MATCH = `case l.status
    when 'WAITING' then 'NOT_YET' when 'SUSPENSE' then 'IN_SUSPENSE' when 'SENT_BACK' then 'SENT_BACK'
    when 'REPEATED' then 'TOLD_AGAIN' when 'SETTLED' then case when exists (
      select from bank_entry e where e.instance_id = l.instance_id and e.line_id = l.id) then 'ENTERED' else 'EXPECTED' end when 'REVERSED' then 'TAKEN_BACK' when 'KNOWN' then 'GATEWAY'
    else case
      when exists (select from ledger_transaction t where t.instance_id = l.instance_id and t.cause = 'placed:bank-line:' || l.id)
        then 'BY_HAND'
      when l.payment_id is not null or cardinality(l.payment_references) = 0 then 'ORDERED' else 'REFERENCE' end end`

/** A line as the database writes it. */
export type BatchLineRow = {
  readonly id: string
  readonly number: number
  readonly kind: 'PAYMENT' | 'DEDUCTION' | 'OUTGOING'
  readonly status: BankLineStatus
  readonly signed_minor: number
  readonly currency: string
  readonly bank_date: string
  readonly account_key: string
  readonly payment_references: readonly string[]
  readonly payer: string | null
  readonly message: string | null
  readonly match: BankMatch
  readonly reason: SuspenseReason | null
  readonly booked_on: readonly OnJson[]
}

export type OnJson = {
  readonly type: 'invoices' | 'collection-batches'
  readonly id: string
  readonly number: string
  readonly amountMinor: number
}

const OF_FILE = `from bank_line l where l.instance_id = $1 and l.file_id = $2 and ($3::text[] is null or l.status = any($3))`

const lines = statement(
  'paymentBatches.lines',
  `select l.id, l.number, l.kind, l.status, ${signed('l')} as signed_minor, l.currency, l.bank_date, l.account_key,
     l.payment_references, l.payer, l.message, ${MATCH} as match, ${REASON} as reason, ${ON} as booked_on
   ${OF_FILE} order by l.number limit $4 offset $5`,
)
const count = statement('paymentBatches.countLines', `select count(*)::int as total ${OF_FILE}`)

type Wanted = {
  readonly statuses: readonly string[] | null
  readonly limit: number
  readonly offset: number
}

/** Lines of a file in its order, and how many there are. */
export async function readBatchLines(
  db: Connection,
  { instanceId, fileId }: { readonly instanceId: string; readonly fileId: string },
  { statuses, limit, offset }: Wanted,
): Promise<{ readonly lines: BatchLineRow[]; readonly total: number }> {
  const asked = [instanceId, fileId, statuses]
  const [found, counted] = await Promise.all([
    db.rows<BatchLineRow>(lines, [...asked, limit, offset]),
    db.rows<{ total: number }>(count, asked),
  ])
  return { lines: found, total: counted[0]?.total ?? 0 }
}
