/** The SQL of money that another format's file has told of. */
import { BANK_FILE_FORMATS } from '@kvitt/domain/bank-files/bank-desk.ts'
import { statement, type Transaction } from '../platform/database/database.ts'
import type { LineRow } from './bank-files.queries.ts'

/** The days around a bank's day, the nearest first. Day by day an index leads to the one row that is wanted. */
const DAYS = 'unnest(array[0, -1, 1, -2, 2, -3, 3, -4, 4, -5, 5]) with ordinality as day (away, place)'

const UNREPEATED =
  'not exists (select from bank_line x where x.instance_id = r.instance_id and x.repeats_id = r.id)'

/** By what the bank says it was ordered as, which few lines have; else by its reference, format by format and day by day. */
const sameLine = statement(
  'toldAgain.line',
  `select found.id from (
     select r.id, abs(r.bank_date - $3::date) as days from bank_line r
     join bank_file f on f.instance_id = r.instance_id and f.id = r.file_id
     where r.instance_id = $1 and r.named_payment_id = $8 and r.account_id = $2 and r.currency = $4 and r.amount_minor = $5
       and r.kind = $6 and r.bank_date between $3::date - 5 and $3::date + 5 and f.format = any($9) and r.status <> 'REPEATED'
       and ${UNREPEATED}
     union all
     select keyed.line_id, abs(day.away) from unnest($7::text[]) as named (reference) cross join unnest($9::text[]) as other (format)
     cross join ${DAYS} cross join lateral (
       select k.line_id from bank_line_key k where k.instance_id = $1 and k.reference = named.reference
         and k.account = $2::uuid::text and k.amount_minor = $5 and k.currency = $4 and k.kind = $6 and k.format = other.format
         and k.bank_date = $3::date + day.away and not k.is_repeated and k.status <> 'REPEATED'
       order by k.line_id limit 1) keyed) found
   order by found.days, found.id limit 1`,
)

/** A deposit is found by the sum that its first line has; its lines are read when that is the one. */
const sameDeposit = statement(
  'toldAgain.deposit',
  `select found.id from ${DAYS} cross join lateral (
     select whole.id from bank_line r join bank_file f on f.instance_id = r.instance_id and f.id = r.file_id
     cross join lateral (
       select (array_agg(d.id order by d.deposit_line))[1] as id from bank_line d
       where d.instance_id = r.instance_id and d.account_id = r.account_id and d.deposit_key = r.deposit_key
         and d.currency = r.currency and d.status <> 'REPEATED'
       having sum(case d.kind when 'PAYMENT' then d.amount_minor else -d.amount_minor end) = $6::bigint
         and bool_and(not exists (select from bank_line x where x.instance_id = d.instance_id and x.repeats_id = d.id))
         and not coalesce(count(*) = 1 and max(d.payer) is not null and upper(max(d.payer)) <> upper($7::text), false)) whole
     where r.instance_id = $1 and r.account_id = $2 and r.currency = $4 and r.deposit_minor = $6::bigint and r.deposit_line = 1
       and r.bank_date = $3::date + day.away and f.format <> $5 and r.status <> 'REPEATED' and ${UNREPEATED}
     order by r.deposit_key limit 1) found
   order by day.place limit 1`,
)

const around = (line: LineRow) => [line.instance_id, line.account_id, line.bank_date, line.currency]
const shared = (line: LineRow) => [...around(line), line.format]

/** A reference without what some banks leave out: the frame of an RF reference, and leading zeros. */
const bareReference = (reference: string): string => reference.replace(/^RF[0-9]{2}/, '').replace(/^0+/, '')

/**
 * The line of another format that tells of the same money: same account, sum and reference (or named payment), around the same
 * day. Each is repeated once, so two equal payments stay two. Ask under lockBankFiles.
 */
export async function findSameLine(tx: Transaction, line: LineRow): Promise<string | undefined> {
  const references = line.payment_references.map(bareReference)
  const others = BANK_FILE_FORMATS.filter((format) => format !== line.format)
  const values = [...around(line), line.amount_minor, line.kind, references, line.named_payment_id, others]
  return (await tx.rows<{ id: string }>(sameLine, values))[0]?.id
}

/** The first line of another format's deposit whose sum is this line, which has no reference of its own. */
export async function findSameDeposit(tx: Transaction, line: LineRow): Promise<string | undefined> {
  const values = [...shared(line), line.amount_minor, line.payer]
  return (await tx.rows<{ id: string }>(sameDeposit, values))[0]?.id
}

const sumOfDeposit = statement(
  'toldAgain.sum',
  `select found.* from ${DAYS} cross join lateral (
     select r.id, r.status, r.amount_minor, r.holder from bank_line r
     join bank_file f on f.instance_id = r.instance_id and f.id = r.file_id
     where r.instance_id = $1 and r.account_id = $2 and r.currency = $4 and r.amount_minor = $6::bigint
       and r.bank_date = $3::date + day.away and r.kind = 'PAYMENT' and r.payment_references = '{}'
       and r.named_payment_id is null and r.status in ('SUSPENSE', 'BOOKED', 'SENT_BACK') and f.format <> $5 and ${UNREPEATED}
     order by r.id limit 1) found
   order by day.place limit 1`,
)

export type SumLine = {
  readonly id: string
  readonly status: 'SUSPENSE' | 'BOOKED' | 'SENT_BACK'
  readonly amount_minor: number
  readonly holder: LineRow['holder']
}

/** The line without a reference that told of the whole deposit of this line before. Ask under lockBankFiles. */
export async function findSumOfDeposit(tx: Transaction, line: LineRow): Promise<SumLine | undefined> {
  // A camt entry is a sum itself.
  if (line.deposit_minor === null) return undefined
  return (await tx.rows<SumLine>(sumOfDeposit, [...shared(line), line.deposit_minor]))[0]
}

const markRepeated = statement(
  'toldAgain.mark',
  `update bank_line set status = 'REPEATED', repeats_id = $3 where instance_id = $1 and id = $2 and status = $4 returning id`,
)

/** The line is the same money as the line `of`. */
export async function markRepeatedRow(
  tx: Transaction,
  line: { readonly instance_id: string; readonly id: string },
  { of, from }: { readonly of: string; readonly from: 'WAITING' | 'SUSPENSE' },
): Promise<void> {
  const rows = await tx.rows(markRepeated, [line.instance_id, line.id, of, from])
  if (rows.length !== 1) throw new Error(`bank line ${line.id} was not ${from}`)
}

const repeatable = statement(
  'toldAgain.repeatable',
  `select r.id from bank_line r where r.instance_id = $1 and r.id = $2 and r.id <> $3 and r.account_id = $4 and r.kind = $5
     and r.amount_minor = $6 and r.currency = $7 and r.status <> 'REPEATED' and ${UNREPEATED}`,
)

/** The line that a person names, when it may be the same money: same account and sum, and repeated by no other. */
export async function findRepeatable(
  tx: Transaction,
  line: LineRow,
  id: string,
): Promise<string | undefined> {
  const { instance_id: instanceId, account_id: accountId, kind, amount_minor: minor, currency } = line
  const values = [instanceId, id, line.id, accountId, kind, minor, currency]
  return (await tx.rows<{ id: string }>(repeatable, values))[0]?.id
}
