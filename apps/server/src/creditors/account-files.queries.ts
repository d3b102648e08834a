/** The SQL of up to when accounts are told, and of how their files come. */
import type { NumberedFile } from '@kvitt/domain/bank-files/bank-file.ts'
import type { AccountFiles, DaySpan } from '@kvitt/domain/bank-files/told-days.ts'
import type { Currency } from '@kvitt/domain/money.ts'
import { tasksOf } from '../tasks/tasks.ts'
import { statement, type Connection, type Transaction } from '../platform/database/database.ts'

/**
 * The days of which accounts are told: those of statements and of persons, and those between two files that follow one another
 * in the bank's numbers. A series that gives one number to files of different days is none; neither is one that leaves out money
 * of the account: that of a bankgiro where it has another number besides, and all but statements where these are to come.
 */
const TOLD_SPANS = `with numbers as (
     select t.account_id, t.series, t.number, min(t.first_day) as first_day, max(t.last_day) as last_day,
       count(distinct (t.first_day, t.last_day)) as files
     from account_told t join payment_account p on p.instance_id = $1 and p.id = t.account_id
     where t.instance_id = $1 and t.kind = 'NUMBERED'
       and (t.series like 'camt.053:%' or p.files is distinct from 'daily_statement'
         and not (t.series like 'bgmax:%' and exists (select from account_address a where a.instance_id = $1
           and a.account_id = p.id and a.address <> 'SE BANKGIRO ' || split_part(t.series, ':', 2))))
     group by t.account_id, t.series, t.number
   ), followed as (
     select account_id, last_day, max(files) over (partition by account_id, series) as files, number,
       lead(number) over next as next_number, lead(first_day) over next as next_day
     from numbers window next as (partition by account_id, series order by number)
   ), spans as (
     select account_id, daterange(first_day, last_day, '[]') as days from account_told
     where instance_id = $1 and kind in ('STATEMENT', 'PERSON')
     union all
     select account_id, daterange(last_day, next_day) from followed
     where files = 1 and next_number = number + 1 and next_day > last_day
   )`

const gaps = statement(
  'accountFiles.gaps',
  `${TOLD_SPANS}, told as (select account_id, range_agg(days) as days from spans group by account_id),
   waiting as (
     select account_id, range_agg(daterange(bank_date, bank_date, '[]')) as days from bank_line
     where instance_id = $1 and status = 'WAITING' and account_id is not null group by account_id)
   select p.id as account_id, p.creditor_id, p.currency, p.iban is null as is_giro,
     lower(gap) as first, upper(gap) - 1 as last
   from payment_account p
   left join told t on t.account_id = p.id
   left join waiting w on w.account_id = p.id
   cross join lateral unnest(datemultirange(daterange(p.files_since, greatest(p.files_since, $2::date)))
     - (coalesce(t.days, '{}') - coalesce(w.days, '{}'))) gap
   where p.instance_id = $1 and p.files <> 'none' and p.joined_to is null
   order by p.id, first`,
)

export type GapRow = {
  readonly account_id: string
  /** Null: the instance's own. */
  readonly creditor_id: string | null
  readonly currency: Currency | null
  readonly is_giro: boolean
} & { readonly [End in keyof DaySpan]: string }

/**
 * The days before `before` of which accounts with files are not told, by account and in their order. A day is not told either as
 * long as a line of it is not in the books.
 */
export function readGaps(db: Connection, instanceId: string, before: string): Promise<GapRow[]> {
  return db.rows<GapRow>(gaps, [instanceId, before])
}

const waitSettings = statement(
  'accountFiles.waitSettings',
  `select country, bank_file_wait_days as wait_days, exists (
     select from payment_account p where p.instance_id = $1 and p.files <> 'none') as has_files
   from instance where id = $1`,
)

export type WaitSettings = {
  /** Whose bank days count. */
  readonly country: string
  readonly wait_days: number
  readonly has_files: boolean
}

export async function readWaitSettings(db: Connection, instanceId: string): Promise<WaitSettings> {
  const row = (await db.rows<WaitSettings>(waitSettings, [instanceId]))[0]
  if (!row) throw new Error(`instance ${instanceId} does not exist`)
  return row
}

const joined = statement(
  'accountFiles.joined',
  'select id from payment_account where instance_id = $1 and joined_to = any($2) order by id',
)

/** The accounts that turned out to be one of these. */
export async function readJoined(
  db: Connection,
  instanceId: string,
  ids: readonly string[],
): Promise<string[]> {
  if (ids.length === 0) return []
  return (await db.rows<{ id: string }>(joined, [instanceId, ids])).map(({ id }) => id)
}

export type NewTold = DaySpan & {
  readonly id: string
  readonly accountId: string
  readonly by?: string
  readonly numbered?: Pick<NumberedFile, 'series' | 'number'>
}

const insertTold = statement(
  'accountFiles.insertTold',
  `insert into account_told (instance_id, id, account_id, kind, first_day, last_day, series, number, told_by)
   select $1, id, account_id, case when series is not null then 'NUMBERED' when told_by is not null then 'PERSON' else 'STATEMENT' end,
     first_day, last_day, series, number, told_by
   from jsonb_to_recordset($2::jsonb) as t (id uuid, account_id uuid, first_day date, last_day date, series text, number bigint,
     told_by text)
   on conflict do nothing`,
)

export async function insertToldRows(
  db: Connection,
  instanceId: string,
  told: readonly NewTold[],
): Promise<void> {
  if (told.length === 0) return
  const rows = told.map(({ id, accountId, first, last, by, numbered }) => ({
    id,
    account_id: accountId,
    first_day: first,
    last_day: last,
    series: numbered?.series,
    number: numbered?.number,
    told_by: by,
  }))
  await db.rows(insertTold, [instanceId, JSON.stringify(rows)])
}

const copyTold = statement(
  'accountFiles.copyTold',
  `insert into account_told (instance_id, id, account_id, kind, first_day, last_day, series, number, told_by, told_at)
   select instance_id, gen_random_uuid(), $3, kind, first_day, last_day, series, number, told_by, told_at
   from account_told where instance_id = $1 and account_id = $2 on conflict do nothing`,
)
const setJoined = statement(
  'accountFiles.setJoined',
  `update payment_account p set joined_to = $3, files = null, files_since = null
   where p.instance_id = $1 and (p.id = $2 or p.joined_to = $2)`,
)
const inheritFiles = statement(
  'accountFiles.inherit',
  `update payment_account p set files = o.files, files_since = o.files_since from payment_account o
   where p.instance_id = $1 and p.id = $3 and p.files is null and o.instance_id = $1 and o.id = $2`,
)

/** What is known of the days of `from` is known of `to`, and so is how its files come unless that was said of `to`. */
export async function joinFilesRows(
  tx: Transaction,
  instanceId: string,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<void> {
  await tx.rows(copyTold, [instanceId, from, to])
  await tx.rows(inheritFiles, [instanceId, from, to])
  await tx.rows(setJoined, [instanceId, from, to])
}

const lockAccount = statement(
  'accountFiles.lock',
  `select id, files, files_since from payment_account
   where instance_id = $1 and id = $2 and is_usable and joined_to is null for update`,
)

export type FilesRow = {
  readonly id: string
  /** Null: not chosen yet. */
  readonly files: AccountFiles | null
  readonly files_since: string | null
}

export async function lockFilesRow(
  tx: Transaction,
  instanceId: string,
  id: string,
): Promise<FilesRow | undefined> {
  return (await tx.rows<FilesRow>(lockAccount, [instanceId, id]))[0]
}

const setFiles = statement(
  'accountFiles.set',
  'update payment_account set files = $3, files_since = $4 where instance_id = $1 and id = $2',
)

export async function setFilesRow(
  tx: Transaction,
  instanceId: string,
  { id, files, files_since: since }: FilesRow,
): Promise<void> {
  await tx.rows(setFiles, [instanceId, id, files, since])
}

const unset = statement(
  'accountFiles.unset',
  `select p.id, p.creditor_id from payment_account p join instance n on n.id = p.instance_id
   where p.instance_id = $1 and n.mode = 'live' and p.files is null and p.is_usable and p.joined_to is null order by p.id`,
)

/** The accounts of a live instance of which nobody has said how their files come. */
export function readUnset(
  db: Connection,
  instanceId: string,
): Promise<{ readonly id: string; readonly creditor_id: string | null }[]> {
  return db.rows(unset, [instanceId])
}

const openMissing = statement(
  'accountFiles.openMissing',
  `select about from ${tasksOf(['bank_file_missing'])} t where instance_id = $1`,
)

/** What is asked for of files that are missing: `account:{id}:{first day}`. */
export async function readOpenMissing(db: Connection, instanceId: string): Promise<string[]> {
  return (await db.rows<{ about: string }>(openMissing, [instanceId])).map(({ about }) => about)
}

const listed = statement(
  'accountFiles.listed',
  `select id, files, files_since from payment_account where instance_id = $1 and is_usable and joined_to is null`,
)

export function readFilesRows(db: Connection, instanceId: string): Promise<FilesRow[]> {
  return db.rows<FilesRow>(listed, [instanceId])
}
