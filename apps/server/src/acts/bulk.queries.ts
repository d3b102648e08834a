/** The SQL of acts for many rows. Instants are the database's own. */
import type { ErrorCode, ErrorParams } from '@kvitt/domain/errors.ts'
import { statement, type Connection, type Transaction } from '../platform/database/database.ts'
import type { WhoAsked } from '../staff/staff.ts'
import type { Outcome } from './office-act.ts'

export type BulkKey = { readonly instanceId: string; readonly id: string }

/** A row, and what it comes to in minor units. */
export type BulkSubject = {
  readonly id: string
  readonly minor: number
  readonly currency: string | null
}

export type NewBulk = BulkKey &
  WhoAsked & {
    readonly call: string
    readonly body: unknown
    /** So long nobody else goes on with it, in milliseconds. */
    readonly leaseMs: number
    /** That long nobody begins with it, and it can be taken back. */
    readonly isTakenBack: boolean
    readonly left: readonly BulkSubject[]
    readonly missing: readonly string[]
  }

const insert = statement(
  'bulk.insert',
  `insert into bulk_act (instance_id, id, creditor_id, membership_id, key_id, call, body, taken_until, due_at)
   select $1, $2, $3, $4, $5, $6, $7, at, case when $9 then at end
   from (select clock_timestamp() + make_interval(secs => $8 / 1000.0) as at) due`,
)
const insertRows = statement(
  'bulk.insertRows',
  `insert into bulk_row (instance_id, bulk_id, place, subject_id, state, code, minor, currency)
   select $1, $2, place, id, case when place > cardinality($3::uuid[]) then 'REFUSED' else 'LEFT' end,
     case when place > cardinality($3::uuid[]) then 'not_found' end, minor, currency
   from unnest($3::uuid[] || $4::uuid[], $5::bigint[], $6::text[]) with ordinality as r (id, minor, currency, place)`,
)

export async function insertBulk(tx: Transaction, bulk: NewBulk): Promise<void> {
  const { instanceId, id, creditorId, membershipId, keyId, call, body, leaseMs, left, missing, isTakenBack } =
    bulk
  const who = [creditorId, membershipId, keyId]
  await tx.rows(insert, [instanceId, id, ...who, call, JSON.stringify(body), leaseMs, isTakenBack])
  const ids = left.map((one) => one.id)
  const worth = [left.map(({ minor }) => minor), left.map(({ currency }) => currency)]
  await tx.rows(insertRows, [instanceId, id, ids, missing, ...worth])
}

export type BulkRow = {
  readonly instance_id: string
  readonly id: string
  readonly creditor_id: string
  readonly membership_id: string | null
  readonly key_id: string | null
  readonly call: string
  readonly body: unknown
  readonly due_at: string | null
  readonly begun_at: string | null
  readonly taken_back_at: string | null
}

const COLUMNS =
  'instance_id, id, creditor_id, membership_id, key_id, call, body, due_at, begun_at, taken_back_at'

const take = statement(
  'bulk.take',
  `with due as (
     select instance_id, id from bulk_act where ended_at is null and taken_until <= clock_timestamp()
     order by taken_until limit 1 for update skip locked)
   update bulk_act b set taken_until = clock_timestamp() + make_interval(secs => $1 / 1000.0),
     begun_at = coalesce(b.begun_at, clock_timestamp())
   from due where b.instance_id = due.instance_id and b.id = due.id
   returning ${COLUMNS.replaceAll(/\w+/g, 'b.$&')}`,
)

/** The one that has waited longest for somebody to go on with it. From now on it is not taken back any more. */
export async function takeBulk(db: Connection, leaseMs: number): Promise<BulkRow | undefined> {
  return (await db.rows<BulkRow>(take, [leaseMs]))[0]
}

const letGo = statement(
  'bulk.letGo',
  `update bulk_act set taken_until = clock_timestamp(),
     ended_at = case when exists (select from bulk_row r where r.instance_id = $1 and r.bulk_id = $2 and r.state = 'LEFT')
       then null else clock_timestamp() end,
     body = case when exists (select from bulk_row r where r.instance_id = $1 and r.bulk_id = $2 and r.state = 'LEFT')
       then body end
   where instance_id = $1 and id = $2 and ended_at is null`,
)

/** Somebody else may go on with it; it has ended when nothing is left. */
export async function letGoOfBulk(db: Connection, { instanceId, id }: BulkKey): Promise<void> {
  await db.rows(letGo, [instanceId, id])
}

const takeBack = statement(
  'bulk.takeBack',
  `with taken as (
     update bulk_act set taken_back_at = clock_timestamp(), ended_at = clock_timestamp(), body = null
     where instance_id = $1 and id = $2 and due_at is not null and begun_at is null and ended_at is null
       and not exists (select from bulk_row d where d.instance_id = $1 and d.bulk_id = $2 and d.state = 'DONE')
     returning instance_id, id)
   update bulk_row r set state = 'TAKEN_BACK' from taken
   where r.instance_id = taken.instance_id and r.bulk_id = taken.id and r.state = 'LEFT'`,
)

const lockAct = statement(
  'bulk.lockAct',
  'select from bulk_act where instance_id = $1 and id = $2 for update',
)
const lockRows = statement(
  'bulk.lockRows',
  'select from bulk_row where instance_id = $1 and bulk_id = $2 order by place for update',
)

/**
 * Nothing of it is done, unless somebody has begun with it: of both at once, the first. A process of the release before says of no
 * act that it has begun, so the rows are asked, after whoever is doing one of them.
 */
export async function takeBulkBack(tx: Transaction, { instanceId, id }: BulkKey): Promise<void> {
  await tx.rows(lockAct, [instanceId, id])
  await tx.rows(lockRows, [instanceId, id])
  await tx.rows(takeBack, [instanceId, id])
}

const left = statement(
  'bulk.left',
  `select place from bulk_row where instance_id = $1 and bulk_id = $2 and state = 'LEFT' order by place limit $3`,
)

export async function readLeft(
  db: Connection,
  { instanceId, id }: BulkKey,
  most: number,
): Promise<readonly number[]> {
  return (await db.rows<{ place: number }>(left, [instanceId, id, most])).map(({ place }) => place)
}

export type RowKey = BulkKey & { readonly place: number }

const lock = statement(
  'bulk.lockRow',
  `select subject_id from bulk_row where instance_id = $1 and bulk_id = $2 and place = $3 and state = 'LEFT' for update`,
)

/** Waits for whoever does it at this moment; undefined when it is done. */
export async function lockLeftRow(
  tx: Transaction,
  { instanceId, id, place }: RowKey,
): Promise<string | undefined> {
  return (await tx.rows<{ subject_id: string }>(lock, [instanceId, id, place]))[0]?.subject_id
}

const end = statement(
  'bulk.endRow',
  `update bulk_row set state = $4, code = $5, params = $6
   where instance_id = $1 and bulk_id = $2 and place = $3 and state = 'LEFT'`,
)

export async function endRow(
  tx: Transaction,
  { instanceId, id, place }: RowKey,
  ended: Outcome,
): Promise<void> {
  const { code = null, params = null } = ended.state === 'REFUSED' ? ended : {}
  await tx.rows(end, [instanceId, id, place, ended.state, code, params && JSON.stringify(params)])
}

const failed = statement(
  'bulk.countTry',
  `update bulk_row set tries = tries + 1, state = case when tries + 1 >= $4 then 'REFUSED' else state end,
     code = case when tries + 1 >= $4 then 'internal_error' end
   where instance_id = $1 and bulk_id = $2 and place = $3 and state = 'LEFT'`,
)

/** It failed for no reason of the business; after `most` times it is given up. */
export async function countTry(
  db: Connection,
  { instanceId, id, place }: RowKey,
  most: number,
): Promise<void> {
  await db.rows(failed, [instanceId, id, place, most])
}

const own = statement(
  'bulk.own',
  `select ${COLUMNS} from bulk_act where instance_id = $1 and creditor_id = $2 and id = $3
     and membership_id is not distinct from $4 and key_id is not distinct from $5`,
)

/** What this principal asked for; another's does not exist. */
export async function readOwnBulk(
  db: Connection,
  { creditorId, membershipId, keyId }: WhoAsked,
  { instanceId, id }: BulkKey,
): Promise<BulkRow | undefined> {
  return (await db.rows<BulkRow>(own, [instanceId, creditorId, id, membershipId, keyId]))[0]
}

const sums = statement(
  'bulk.sums',
  `select currency, sum(minor)::bigint as minor from bulk_row
   where instance_id = $1 and bulk_id = $2 and state = 'DONE' and currency is not null group by currency order by currency`,
)

export type DoneSum = { readonly currency: string; readonly minor: number }

/** What those came to with which it has been done, in each currency. */
export function readDoneSums(db: Connection, { instanceId, id }: BulkKey): Promise<DoneSum[]> {
  return db.rows<DoneSum>(sums, [instanceId, id])
}

const counts = statement(
  'bulk.counts',
  `select count(*) filter (where state = 'DONE')::int as done, count(*) filter (where state = 'LEFT')::int as left
   from bulk_row where instance_id = $1 and bulk_id = $2`,
)
const refused = statement(
  'bulk.refused',
  `select subject_id as id, code, params from bulk_row where instance_id = $1 and bulk_id = $2 and state = 'REFUSED' order by place`,
)

export type Refused = {
  readonly id: string
  readonly code: ErrorCode
  readonly params: ErrorParams | null
}
export type Progress = { readonly done: number; readonly left: number; readonly refused: readonly Refused[] }

export async function readProgress(db: Connection, { instanceId, id }: BulkKey): Promise<Progress> {
  const [count] = await db.rows<{ done: number; left: number }>(counts, [instanceId, id])
  const { done = 0, left: notYet = 0 } = count ?? {}
  return { done, left: notYet, refused: await db.rows<Refused>(refused, [instanceId, id]) }
}

const forget = statement('bulk.forget', `delete from bulk_act where ended_at < now() - interval '30 days'`)

/** Removes what nobody asks after any more, with its rows. */
export async function forgetBulkRows(db: Connection): Promise<void> {
  await db.rows(forget)
}
