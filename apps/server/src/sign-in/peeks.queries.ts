/** The SQL of peeks. Every instant is given by the caller. */
import { statement, type Connection, type Transaction } from '../platform/database/database.ts'

export type NewPeek = {
  readonly instanceId: string
  readonly id: string
  readonly staffSessionId: string
  readonly debtorIds: readonly string[]
  readonly ticketHash: Uint8Array
  readonly at: string
  readonly ticketUntil: string
  readonly endsAt: string
}

const insertPeek = statement(
  'peeks.insert',
  `insert into peek (instance_id, id, staff_session_id, debtor_ids, ticket_hash, started_at, ticket_until, ends_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8)`,
)

export async function insertPeekRow(tx: Transaction, peek: NewPeek): Promise<void> {
  const { instanceId, id, staffSessionId, debtorIds, ticketHash, at, ticketUntil, endsAt } = peek
  await tx.rows(insertPeek, [instanceId, id, staffSessionId, debtorIds, ticketHash, at, ticketUntil, endsAt])
}

const openPeek = statement(
  'peeks.open',
  `update peek set token_hash = $3, cookie_hash = $4
   where instance_id = $1 and ticket_hash = $2 and ticket_until > $5 and token_hash is null and ended_at is null returning id`,
)

/** Uses the ticket up. Undefined for one that is none, has been used, or is over: of two at once, one opens it. */
export async function openPeekRow(
  tx: Transaction,
  ticket: {
    readonly instanceId: string
    readonly hash: Uint8Array
    readonly tokenHash: Uint8Array
    readonly cookieHash: Uint8Array
    readonly at: string
  },
): Promise<string | undefined> {
  const { instanceId, hash, tokenHash, cookieHash, at } = ticket
  return (await tx.rows<{ id: string }>(openPeek, [instanceId, hash, tokenHash, cookieHash, at]))[0]?.id
}

export type PeekRow = {
  readonly id: string
  readonly debtor_ids: readonly string[]
  readonly started_at: string
  readonly ends_at: string
  readonly person_id: string
  readonly membership_id: string
  /** Of the operator's staff; null for a creditor's. */
  readonly role: string | null
  readonly name: string
  /** One of the rows is of a person with a protected identity. */
  readonly is_protected: boolean
}

/** A peek is open while the session of staff that asked for it is: $3 is now, $4 since when that has to have been used. */
const OPEN = `select k.id, k.debtor_ids, k.started_at, k.ends_at, m.person_id, m.id as membership_id,
     case when m.creditor_id is null then m.role end as role, p.name,
     exists (select from protected_debtor h where h.instance_id = k.instance_id and h.debtor_id = any (k.debtor_ids)) as is_protected
   from peek k
   join staff_session s on s.instance_id = k.instance_id and s.id = k.staff_session_id and s.logged_out_at is null
     and s.ends_at > $3 and s.used_at > $4
   join membership m on m.instance_id = s.instance_id and m.id = s.membership_id and m.ended_at is null
   join person p on p.id = m.person_id
   where k.instance_id = $1 and k.ends_at > $3 and k.ended_at is null`

const peekById = statement('peeks.byId', `${OPEN} and k.id = $2 and k.token_hash is not null`)
const peekByToken = statement('peeks.byToken', `${OPEN} and k.token_hash = $2 and k.cookie_hash = $5`)

type Times = { readonly at: string; readonly idleSince: string }

export async function readOpenPeek(
  db: Connection,
  { instanceId, id, at, idleSince }: Times & { readonly instanceId: string; readonly id: string },
): Promise<PeekRow | undefined> {
  return (await db.rows<PeekRow>(peekById, [instanceId, id, at, idleSince]))[0]
}

export async function findPeekRow(
  db: Connection,
  proof: Times & {
    readonly instanceId: string
    readonly tokenHash: Uint8Array
    readonly cookieHash: Uint8Array
  },
): Promise<PeekRow | undefined> {
  const { instanceId, tokenHash, at, idleSince, cookieHash } = proof
  return (await db.rows<PeekRow>(peekByToken, [instanceId, tokenHash, at, idleSince, cookieHash]))[0]
}

const endPeek = statement(
  'peeks.end',
  'update peek set ended_at = $3 where instance_id = $1 and id = $2 and ended_at is null',
)

export async function endPeekRow(
  db: Connection,
  { instanceId, id, at }: { readonly instanceId: string; readonly id: string; readonly at: string },
): Promise<void> {
  await db.rows(endPeek, [instanceId, id, at])
}

const forgetPeeks = statement('peeks.forget', 'delete from peek where ends_at < $1')

export async function forgetPeekRows(db: Connection, at: string): Promise<void> {
  await db.rows(forgetPeeks, [at])
}
