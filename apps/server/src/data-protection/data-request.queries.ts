/** The SQL of what persons ask about their data. */
import type { AnswerOf } from '@kvitt/domain/contract.ts'
import type { getDataRequest } from '@kvitt/domain/data-protection/data-request.contract.ts'
import { ASKED_ONCE, type DataWish } from '@kvitt/domain/data-protection/data-request.ts'
import { statement, type Connection, type Transaction } from '../platform/database/database.ts'

/**
 * That a request is of the person whose rows are `ids`: entered on one of them, or on a row that was erased since and was the same person.
 * A number that was corrected gives nobody another's words.
 */
export const isRequestOf = (request: string, ids: string): string =>
  `(${request}.debtor_id = any (${ids}) or ${request}.debtor_ids && ${ids} and exists (select from debtor e
     where e.instance_id = ${request}.instance_id and e.id = ${request}.debtor_id and e.identity = 'erased ' || e.id))`

type Key = { readonly instanceId: string; readonly id: string }
export type ShownRequest = AnswerOf<typeof getDataRequest>

const lockAll = statement('dataRequests.lockAll', 'select pg_advisory_xact_lock(holds_key($1))')
const insert = statement(
  'dataRequests.insert',
  `insert into data_request (instance_id, id, debtor_id, debtor_ids, wish, came_on, came_by, words, due_on, entered_by)
   select $1::uuid, $2::uuid, $3::uuid, $4::uuid[], $5::text, $6::date, $7, $8, $9::date, $10
   where $5 <> all ($11::text[]) or not exists (select from data_request r where r.instance_id = $1 and r.wish = $5 and r.answer is null
     and ${isRequestOf('r', '$4::uuid[]')})
   returning id`,
)

export type NewRequest = Key &
  Pick<ShownRequest, 'wish' | 'cameOn' | 'cameBy' | 'words' | 'dueOn'> & {
    readonly debtorId: string
    /** Each debtor that is certainly the same person. */
    readonly debtorIds: readonly string[]
    readonly by: string
  }

/**
 * False when the same person's same wish is open already, where that is asked once. Waits for whoever enters another request, sets a hold or erases at this instance
 * at this moment.
 */
export async function insertRequestRow(tx: Transaction, row: NewRequest): Promise<boolean> {
  const { instanceId, id, debtorId, debtorIds, wish, cameOn, cameBy, words, dueOn, by } = row
  await tx.rows(lockAll, [instanceId])
  const values = [instanceId, id, debtorId, debtorIds, wish, cameOn, cameBy, words, dueOn, by, ASKED_ONCE]
  return (await tx.rows(insert, values)).length > 0
}

const SHOWN = `select r.id, jsonb_build_object('id', d.id, 'name', d.name) as debtor, r.wish, r.came_on::text as "cameOn",
     r.came_by as "cameBy", r.words, r.due_on::text as "dueOn", r.extended_told_on::text as "extendedToldOn",
     r.extension_reason as "extensionReason", r.answer, r.ground, r.reason,
     r.told_on::text as "toldOn", r.answered_on::text as "answeredOn"
   from data_request r join debtor d on d.instance_id = r.instance_id and d.id = r.debtor_id`

const read = statement('dataRequests.read', `${SHOWN} where r.instance_id = $1 and r.id = $2`)
const lock = statement('dataRequests.lock', `${SHOWN} where r.instance_id = $1 and r.id = $2 for update of r`)
const list = statement(
  'dataRequests.list',
  `${SHOWN} where r.instance_id = $1 and ${isRequestOf('r', '$2::uuid[]')} order by r.came_on desc, r.id desc limit 200`,
)

export async function readRequest(
  db: Connection,
  { instanceId, id }: Key,
): Promise<ShownRequest | undefined> {
  return (await db.rows<ShownRequest>(read, [instanceId, id]))[0]
}

/** Whoever ends it at the same time waits, and whoever erases: that lock is had before the row's, as where one is entered. */
export async function lockRequest(
  tx: Transaction,
  { instanceId, id }: Key,
): Promise<ShownRequest | undefined> {
  await tx.rows(lockAll, [instanceId])
  return (await tx.rows<ShownRequest>(lock, [instanceId, id]))[0]
}

/** Of one person, by all of their rows. */
export function listRequestRows(
  db: Connection,
  instanceId: string,
  debtorIds: readonly string[],
): Promise<ShownRequest[]> {
  return db.rows<ShownRequest>(list, [instanceId, debtorIds])
}

const extend = statement(
  'dataRequests.extend',
  `update data_request set due_on = $3, extended_told_on = $4, extension_reason = $5, extended_by = $6
   where instance_id = $1 and id = $2`,
)

export async function extendRequestRow(
  tx: Transaction,
  { instanceId, id }: Key,
  row: { readonly dueOn: string; readonly toldOn: string; readonly reason: string; readonly by: string },
): Promise<void> {
  await tx.rows(extend, [instanceId, id, row.dueOn, row.toldOn, row.reason, row.by])
}

const answer = statement(
  'dataRequests.answer',
  `update data_request set answer = $3, ground = $4::text, was_told_how = $4::text is not null, reason = $5, told_on = $6, answered_by = $7,
     answered_on = $8
   where instance_id = $1 and id = $2`,
)

export type NewDataAnswer = {
  readonly answer: string
  /** With one the person was told why, and how to complain. */
  readonly ground: string | null
  readonly reason: string | null
  readonly toldOn: string | null
  readonly by: string
  readonly on: string
}

export async function answerRequestRow(
  tx: Transaction,
  { instanceId, id }: Key,
  row: NewDataAnswer,
): Promise<void> {
  const { answer: said, ground, reason, toldOn, by, on } = row
  await tx.rows(answer, [instanceId, id, said, ground, reason, toldOn, by, on])
}

const fetchedSince = statement(
  'dataRequests.fetchedSince',
  `with entered as (select entered_at as at from data_request where instance_id = $1 and id = $3)
   select min(e.at at time zone $4)::date::text as day from audit_event e, entered
   where e.instance_id = $1 and e.kind = 'person_exported' and e.about = $2 and e.at >= entered.at
     and (e.after ->> 'copy' is null or exists (select from audit_event m where m.instance_id = $1 and m.kind = 'person_copy_made'
       and m.about = $2 and m.at >= entered.at and m.after ->> 'copy' = e.after ->> 'copy'))`,
)

/**
 * On which day of `timeZone` somebody first fetched a copy of what is held about the person, made since the request was entered; undefined
 * where nobody has. One that was made before has not what has come since. All moments are the database's own.
 */
export async function firstCopyDay(
  tx: Transaction,
  { instanceId, id }: Key,
  { debtorId, timeZone }: { readonly debtorId: string; readonly timeZone: string },
): Promise<string | undefined> {
  const [row] = await tx.rows<{ day: string | null }>(fetchedSince, [
    instanceId,
    `debtor:${debtorId}`,
    id,
    timeZone,
  ])
  return row?.day ?? undefined
}

const keeping = statement(
  'dataRequests.keeping',
  `select r.wish, count(*)::int as count from data_request r where r.instance_id = $1 and r.id in (
     select h.request_id from held_subject h where h.instance_id = $1 and h.subject_id = $2) group by 1 order by 1`,
)

/** How many open requests keep the person, by what was asked: nothing of theirs goes before the answer, or not who they are. */
export function countKeeping(
  db: Connection,
  instanceId: string,
  debtorId: string,
): Promise<{ wish: DataWish; count: number }[]> {
  return db.rows(keeping, [instanceId, debtorId])
}
