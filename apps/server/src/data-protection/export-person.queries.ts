/** The SQL of what is kept about one person: who they are, and every row that is theirs. */
import type { CalendarDate } from '@kvitt/domain/calendar.ts'
import { numberThatTells } from '@kvitt/domain/people/number-that-tells.ts'
import { ALL_TASKS } from '@kvitt/domain/tasks/task-kind.ts'
import { statement, type Connection } from '../platform/database/database.ts'
import { tasksOf } from '../tasks/tasks.ts'
import { isRequestOf } from './data-request.queries.ts'
import { columnsOf, PERSONAL_DATA } from './personal-columns.queries.ts'

const number = statement(
  'dataProtection.number',
  `select country, identification_number as number from debtor where instance_id = $1 and id = $2`,
)

export async function isDebtor(db: Connection, instanceId: string, debtorId: string): Promise<boolean> {
  return (await db.rows(number, [instanceId, debtorId])).length > 0
}

/** Who may be the same: in whose number that of $2 stands, $3, or who has the e-mail, or the name and zip. What it proves is told here. */
const alike = statement(
  'dataProtection.alike',
  `select o.id, o.country, o.identification_number as number,
     o.id <> d.id and (lower(o.email) = lower(d.email) or (lower(o.name) = lower(d.name) and o.zip = d.zip)) as "isAlike"
   from debtor d join debtor o on o.instance_id = d.instance_id and (o.id = d.id
     or (o.country = d.country and position($3 in upper(regexp_replace(o.identification_number, '[^0-9A-Za-z]', '', 'g'))) > 0)
     or lower(o.email) = lower(d.email) or (lower(o.name) = lower(d.name) and o.zip = d.zip))
   where d.instance_id = $1 and d.id = $2 order by o.id`,
)

export type SamePerson = {
  /** Rows of `debtor` that are this person: the one asked about, and those of the same number. */
  readonly ids: readonly string[]
  /** Rows that have the same e-mail, or name and zip, where one of the two has no number that tells: a person has to look, a name proves nothing. */
  readonly perhaps: readonly string[]
}

type Numbered = { readonly country: string; readonly number: string | null }

/** Undefined where the instance has no such debtor. `today` tells the century of ten Swedish digits. */
export async function findSamePerson(
  db: Connection,
  { instanceId, debtorId }: { readonly instanceId: string; readonly debtorId: string },
  today: CalendarDate,
): Promise<SamePerson | undefined> {
  const [asked] = await db.rows<Numbered>(number, [instanceId, debtorId])
  if (!asked) return undefined
  const keyOf = (of: Numbered): string | undefined => numberThatTells(of.country, of.number, today)
  const key = keyOf(asked)
  const rows = await db.rows<Numbered & { id: string; isAlike: boolean | null }>(alike, [
    instanceId,
    debtorId,
    // Of twelve digits those ten that may stand alone.
    key === undefined ? null : /^\d{12}$/.test(key) ? key.slice(2) : key,
  ])
  const isSame = (row: Numbered & { id: string }): boolean =>
    row.id === debtorId || (key !== undefined && row.country === asked.country && keyOf(row) === key)
  const isPerhaps = (row: Numbered & { isAlike: boolean | null }): boolean =>
    row.isAlike === true && (key === undefined || keyOf(row) === undefined)
  return {
    ids: rows.filter(isSame).map(({ id }) => id),
    perhaps: rows.filter((row) => !isSame(row) && isPerhaps(row)).map(({ id }) => id),
  }
}

/** What other tables name a person's things by: ids, and the references that are printed on their bills. */
const theirs = statement(
  'dataProtection.theirs',
  `with debt as (
     select id, payment_reference from invoice where instance_id = $1 and debtor_id = any ($2)
     union all select id, payment_reference from claim where instance_id = $1 and debtor_id = any ($2)),
   paid as (select p.id from payment p where p.instance_id = $1 and p.debt_id in (select id from debt)),
   thread as (
     select id from dispute where instance_id = $1 and debt_id in (select id from debt)
     union all select id from conversation where instance_id = $1 and debt_id in (select id from debt)),
   letter as (select m.id from mail_outbox m where m.instance_id = $1
     and (m.invoice_id in (select id from debt) or m.claim_id in (select id from debt))),
   line as (select l.id from bank_line l where l.instance_id = $1 and (l.invoice_id in (select id from debt)
     or l.claim_id in (select id from debt) or l.payment_id in (select id from paid)
     or l.payment_references && (select array_agg(payment_reference) from debt))),
   known as (
     select unnest($2::uuid[])::text as id
     union select id::text from debt union select payment_reference from debt
     union select reference from payment_reference where instance_id = $1 and debtor_id = any ($2)
     union select id::text from paid union select id::text from thread union select id::text from letter
     union select id::text from line
     union select f.id::text from dispute_file f where f.instance_id = $1 and f.dispute_id in (select id from thread)
     union select f.id::text from conversation_file f where f.instance_id = $1 and f.conversation_id in (select id from thread)
     union select r.id::text from refund r where r.instance_id = $1 and r.payment_id in (select id from paid)
     union select p.id::text from part_payment p where p.instance_id = $1 and p.debtor_id = any ($2)
     union select a.id::text from court_application a where a.instance_id = $1 and a.claim_id in (select id from debt)
     union select f.id::text from debtor_flag f where f.instance_id = $1 and f.debtor_id = any ($2)
     union select q.id::text from data_request q where q.instance_id = $1 and ${isRequestOf('q', '$2')}
     union select s.id::text from session s where s.instance_id = $1 and s.debtor_ids && $2)
   select array_agg(k.id) || coalesce((select array_agg(t.id::text) from ${tasksOf(ALL_TASKS, 'all')} t where t.instance_id = $1
     and (split_part(t.about, ':', 2) in (select id from known)
       or t.about like '%:%:%' and ids_in(t.about) && (select array_agg(id) from known))), '{}') as ids from known k`,
)

/** The ids and references of all that is a person's. */
export async function findTheirs(
  db: Connection,
  instanceId: string,
  debtorIds: readonly string[],
): Promise<readonly string[]> {
  const [row] = await db.rows<{ ids: string[] }>(theirs, [instanceId, debtorIds])
  return row?.ids ?? []
}

/** How many of one table are read at most: a file for a person, not a copy of the database. */
const MOST = 20_000

/** A file is told by its name and size: its bytes have a call of their own. An entry of the log by whom it is about, never who works here. */
const SHAPES: Readonly<Record<string, string>> = {
  file: `jsonb_build_object('id', x.id, 'public_name', x.public_name, 'mime_type', x.mime_type, 'bytes', length(x.content), 'created_at', x.created_at)`,
  audit_event: `jsonb_build_object('at', x.at, 'kind', x.kind, 'who', case split_part(x.actor, ':', 1)
      when 'session' then 'debtor' when 'person' then 'staff' when 'key' then 'program' else 'other' end,
    'who_hash', left(encode(sha256(convert_to(x.actor, 'UTF8')), 'hex'), 12), 'about', x.about)`,
  // What names another's reference too may be another's payment: who paid and wrote is not shown, nor the other's reference.
  bank_line: `case when x.payment_references <@ $3 or cardinality(x.payment_references) < 2 then to_jsonb(x) - 'instance_id'
    else to_jsonb(x) - 'instance_id' - 'payer' - 'message' - 'payer_scheme' - 'payer_account' || jsonb_build_object('payment_references',
      (select coalesce(jsonb_agg(r), '[]') from unnest(x.payment_references) r where r = any ($3))) end`,
  ledger_transaction: `to_jsonb(x) - 'instance_id' || jsonb_build_object('amount_minor', (select coalesce(sum(p.amount_minor), 0)
    from posting p join ledger_account a on a.instance_id = p.instance_id and a.id = p.account_id
      and a.kind in ('principal', 'costs', 'interest') where p.instance_id = x.instance_id and p.transaction_id = x.id))`,
}

const ORDERS: Readonly<Record<string, string>> = {
  audit_event: 'x.at, x.seq',
  ledger_transaction: 'x.booked_on, x.posted_at',
}

/** Columns that name who works here, or the program: shown as what they are, never as who. */
const WORKERS: readonly string[] = [
  'set_by',
  'answered_by',
  'ended_by',
  'done_by',
  'assignee',
  'noted_by',
  'moved_by',
  'recorded_by',
  'entered_by',
  'extended_by',
  'decided_by',
  'said_not_ordered_by',
  'set_by',
  'lifted_by',
]
const withoutName = (column: string): string =>
  ` || case when x.${column} is null then '{}' else jsonb_build_object('${column}', case split_part(x.${column}::text, ':', 1)
      when 'session' then 'debtor' when 'key' then 'program' when 'kvitt' then 'kvitt' else 'staff' end) end`

const READS = Object.entries(PERSONAL_DATA.persons).map(([table, { rows, stays, hidden }]) => {
  const less = ['instance_id', ...columnsOf(hidden)].map((name) => ` - '${name}'`).join('')
  const workers = columnsOf(stays).filter((column) => WORKERS.includes(column))
  const shape = SHAPES[table] ?? `to_jsonb(x)${less}${workers.map(withoutName).join('')}`
  const order = ORDERS[table] ?? `to_jsonb(x)::text`
  return {
    table,
    read: statement(
      `dataProtection.read.${table}`,
      // Each of the three is named, so that the database knows its type also where the condition needs it not.
      `select ${shape} as row from ${table} x where x.instance_id = $1 and ($2::uuid[] is not null and $3::text[] is not null)
       and ${rows} order by ${order} limit ${MOST}`,
    ),
  }
})

export type PersonalRows = Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>

/** Every row that is a person's, by table. Read it in one snapshot. */
export async function readPersonalRows(
  db: Connection,
  instanceId: string,
  debtorIds: readonly string[],
): Promise<PersonalRows> {
  const ids = await findTheirs(db, instanceId, debtorIds)
  const found: Record<string, readonly Readonly<Record<string, unknown>>[]> = {}
  for (const { table, read } of READS) {
    const rows = await db.rows<{ row: Record<string, unknown> }>(read, [instanceId, debtorIds, ids])
    if (rows.length > 0) found[table] = rows.map(({ row }) => row)
  }
  return found
}
