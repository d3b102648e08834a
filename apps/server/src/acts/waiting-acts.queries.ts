/** The SQL of acts that wait. Instants are the database's own: the demo's clock moves, and ten seconds are ten seconds. */
import type { ActState } from '@kvitt/domain/acts/act.ts'
import type { ErrorCode, ErrorParams } from '@kvitt/domain/errors.ts'
import { statement, type Connection, type Transaction } from '../platform/database/database.ts'
import type { WhoAsked } from '../staff/staff.ts'
import type { Outcome } from './office-act.ts'

export type ActKey = { readonly instanceId: string; readonly id: string }

export type NewAct = ActKey &
  WhoAsked & {
    readonly call: string
    readonly subjectId: string
    readonly body: unknown
    readonly seconds: number
  }

const insert = statement(
  'acts.insert',
  `insert into waiting_act (instance_id, id, creditor_id, membership_id, key_id, call, subject_id, body, due_at, next_try_at)
   select $1, $2, $3, $4, $5, $6, $7, $8, at, at from (select clock_timestamp() + make_interval(secs => $9) as at) due`,
)

export async function insertActRow(tx: Transaction, act: NewAct): Promise<void> {
  const { instanceId, id, creditorId, membershipId, keyId, call, subjectId, body, seconds } = act
  const sent = body === undefined ? null : JSON.stringify(body)
  await tx.rows(insert, [instanceId, id, creditorId, membershipId, keyId, call, subjectId, sent, seconds])
}

/** What is due, the longest waiting first; nobody else begins with it for a while, which grows with every try. */
const take = statement(
  'acts.take',
  `with due as (
     select instance_id, id from waiting_act where state = 'WAITING' and next_try_at <= clock_timestamp()
     order by next_try_at limit $1 for update skip locked)
   update waiting_act w set tries = w.tries + 1,
     next_try_at = clock_timestamp() + make_interval(secs => least(300, 10 * 2 ^ least(w.tries, 8)))
   from due where w.instance_id = due.instance_id and w.id = due.id returning w.instance_id, w.id`,
)

export function takeDueActs(db: Connection, most: number): Promise<{ instance_id: string; id: string }[]> {
  return db.rows(take, [most])
}

export type WaitingActRow = {
  readonly creditor_id: string
  readonly membership_id: string | null
  readonly key_id: string | null
  readonly call: string
  readonly subject_id: string
  readonly body: unknown
  readonly tries: number
}

const lock = statement(
  'acts.lock',
  `select creditor_id, membership_id, key_id, call, subject_id, body, tries from waiting_act
   where instance_id = $1 and id = $2 and state = 'WAITING' for update`,
)

/** Under its lock nobody takes it back. Undefined when it has ended. */
export async function lockWaitingAct(
  tx: Transaction,
  { instanceId, id }: ActKey,
): Promise<WaitingActRow | undefined> {
  return (await tx.rows<WaitingActRow>(lock, [instanceId, id]))[0]
}

type ActEnd = Outcome | { readonly state: 'TAKEN_BACK' }

const end = statement(
  'acts.end',
  `update waiting_act set state = $3, code = $4, params = $5, ended_at = clock_timestamp(), body = null
   where instance_id = $1 and id = $2 and state = 'WAITING'`,
)

/** Nothing where it has ended before. Waits for whoever is doing it. */
export async function endAct(db: Connection, { instanceId, id }: ActKey, ended: ActEnd): Promise<void> {
  const { code = null, params = null } = ended.state === 'REFUSED' ? ended : {}
  await db.rows(end, [instanceId, id, ended.state, code, params && JSON.stringify(params)])
}

const one = statement(
  'acts.one',
  `select id, call, subject_id, state, asked_at, due_at, code, params from waiting_act
   where instance_id = $1 and id = $2 and membership_id is not distinct from $3 and key_id is not distinct from $4`,
)

export type ActRow = {
  readonly id: string
  readonly call: string
  readonly subject_id: string
  readonly state: ActState
  readonly asked_at: string
  readonly due_at: string
  readonly code: ErrorCode | null
  readonly params: ErrorParams | null
}

/** What this principal asked for; another's does not exist. */
export async function readOwnAct(
  db: Connection,
  { membershipId, keyId }: Omit<WhoAsked, 'creditorId'>,
  { instanceId, id }: ActKey,
): Promise<ActRow | undefined> {
  return (await db.rows<ActRow>(one, [instanceId, id, membershipId, keyId]))[0]
}

const forget = statement('acts.forget', `delete from waiting_act where ended_at < now() - interval '30 days'`)

/** Removes what nobody asks after any more. */
export async function forgetActRows(db: Connection): Promise<void> {
  await db.rows(forget)
}
