/** The SQL of sessions. Every instant is given by the caller: tokens live on real time, also in the demo. */
import { statement, type Connection, type Transaction } from '../platform/database/database.ts'

export type SessionRow = {
  id: string
  debtor_ids: string[]
  started_at: string
  renewed_at: string
  ends_at: string
}

const insertSession = statement(
  'sessions.insert',
  `with s as (
     insert into session (instance_id, id, debtor_ids, cookie_hash, started_at, renewed_at, ends_at)
     values ($1, $2, $3, $4, $5, $5, $6) returning instance_id, id)
   insert into session_token (instance_id, session_id, token_hash, expires_at)
   select instance_id, id, $7, $8 from s`,
)

export async function insertSessionRow(
  tx: Transaction,
  session: {
    instanceId: string
    id: string
    debtorIds: readonly string[]
    cookieHash: Uint8Array
    startedAt: string
    endsAt: string
    tokenHash: Uint8Array
    tokenExpiresAt: string
  },
): Promise<void> {
  const { instanceId, id, debtorIds, cookieHash, startedAt, endsAt, tokenHash, tokenExpiresAt } = session
  await tx.rows(insertSession, [
    instanceId,
    id,
    debtorIds,
    cookieHash,
    startedAt,
    endsAt,
    tokenHash,
    tokenExpiresAt,
  ])
}

const findSession = statement(
  'sessions.find',
  `select s.id, s.debtor_ids, s.started_at, s.renewed_at, s.ends_at
   from session_token t join session s on s.instance_id = t.instance_id and s.id = t.session_id
   where t.instance_id = $1 and t.token_hash = $2 and t.expires_at > $4
     and s.cookie_hash = $3 and s.ends_at > $4 and s.logged_out_at is null`,
)

/** The session that token and cookie prove together, unless it or the token has ended. */
export async function findSessionRow(
  db: Connection,
  proof: { instanceId: string; tokenHash: Uint8Array; cookieHash: Uint8Array; at: string },
): Promise<SessionRow | undefined> {
  const values = [proof.instanceId, proof.tokenHash, proof.cookieHash, proof.at]
  return (await db.rows<SessionRow>(findSession, values))[0]
}

const isOpen = statement(
  'sessions.isOpen',
  'select from session where instance_id = $1 and id = $2 and ends_at > $3 and logged_out_at is null',
)

export async function isSessionOpen(
  db: Connection,
  session: { instanceId: string; id: string; at: string },
): Promise<boolean> {
  return (await db.rows(isOpen, [session.instanceId, session.id, session.at])).length === 1
}

const openInBrowser = statement(
  'sessions.openInBrowser',
  'select from session where instance_id = $1 and cookie_hash = $2 and ends_at > $3 and logged_out_at is null',
)

export async function isBrowserTaken(
  db: Connection,
  browser: { instanceId: string; cookieHash: Uint8Array; at: string },
): Promise<boolean> {
  return (await db.rows(openInBrowser, [browser.instanceId, browser.cookieHash, browser.at])).length > 0
}

const renewSession = statement(
  'sessions.renew',
  `with s as (
     update session set renewed_at = $3
     where instance_id = $1 and id = $2 and renewed_at <= $4 and logged_out_at is null
     returning instance_id, id, ends_at)
   insert into session_token (instance_id, session_id, token_hash, expires_at)
   select instance_id, id, $5, least(ends_at, $6::timestamptz) from s returning 1`,
)

/** Adds a token unless one was handed out after `before`. Answers whether it did: one of many calls at once. */
export async function renewSessionRow(
  db: Connection,
  session: { instanceId: string; id: string },
  token: { at: string; before: string; hash: Uint8Array; expiresAt: string },
): Promise<boolean> {
  const values = [session.instanceId, session.id, token.at, token.before, token.hash, token.expiresAt]
  return (await db.rows(renewSession, values)).length === 1
}

const endSession = statement(
  'sessions.end',
  `update session set logged_out_at = $3 where instance_id = $1 and id = $2 and logged_out_at is null`,
)

export async function endSessionRow(
  db: Connection,
  session: { instanceId: string; id: string; at: string },
): Promise<void> {
  await db.rows(endSession, [session.instanceId, session.id, session.at])
}

const endSessions = statement(
  'sessions.endAll',
  `with looks as (update peek set ended_at = $2 where instance_id = $1 and ended_at is null)
   update session set logged_out_at = $2 where instance_id = $1 and logged_out_at is null and ends_at > $2 returning id`,
)

/** All of an instance, with what staff see as debtors. Answers how many sessions were open. */
export async function endSessionRowsOf(db: Connection, instanceId: string, at: string): Promise<number> {
  return (await db.rows(endSessions, [instanceId, at])).length
}

const forgetSessions = statement(
  'sessions.forget',
  `with tokens as (delete from session_token where expires_at < $1)
   delete from session where ends_at < $1`,
)

/** Removes what ended before `at`, tokens and whole sessions. */
export async function forgetSessionRows(db: Connection, at: string): Promise<void> {
  await db.rows(forgetSessions, [at])
}

export type DebtorRow = {
  id: string
  identification_number: string | null
  name: string
  email: string | null
}

const debtorsByIdentity = statement(
  'sessions.debtorsByIdentity',
  `select id, identification_number, name, email from debtor where instance_id = $1 and identity = any($2)`,
)

/** All that an instance keeps under any of these identities. */
export function readDebtorsByIdentity(
  db: Connection,
  instanceId: string,
  identities: readonly string[],
): Promise<DebtorRow[]> {
  return db.rows<DebtorRow>(debtorsByIdentity, [instanceId, identities])
}

const debtorsOfSession = statement(
  'sessions.debtors',
  `select id, identification_number, name, email from debtor where instance_id = $1 and id = any($2)
   order by email is null, created_at desc, id`,
)

const guardianOf = statement(
  'sessions.guardian',
  `select r.name, r.until_day::text as until from representative r join acting_guardian g on g.instance_id = r.instance_id and g.id = r.id
   where r.instance_id = $1 and r.debtor_id = any($2) order by r.entered_on desc, r.id desc limit 1`,
)

/** Who acts for one of the debtors of a session. */
export async function readGuardian(
  db: Connection,
  instanceId: string,
  debtorIds: readonly string[],
): Promise<{ readonly name: string; readonly until: string | null } | undefined> {
  return (await db.rows<{ name: string; until: string | null }>(guardianOf, [instanceId, debtorIds]))[0]
}

/** The debtors of a session: first one that has an e-mail address, the newest before the older. */
export function readDebtors(
  db: Connection,
  instanceId: string,
  debtorIds: readonly string[],
): Promise<DebtorRow[]> {
  return db.rows<DebtorRow>(debtorsOfSession, [instanceId, debtorIds])
}
