/** The SQL of people, memberships, their sessions and keys. Every instant is given by the caller: sessions live on real time. */
import type { KeyScope } from '@kvitt/domain/staff/roles.ts'
import { statement, type Connection, type Transaction } from '../platform/database/database.ts'

export type MemberRow = {
  session_id: string
  membership_id: string
  person_id: string
  email: string
  name: string
  role: string
  creditor_id: string | null
  signed_in_at: string
  used_at: string
  ends_at: string
  by_issuer: string | null
}

/** One that began at the provider's own issuer is one while that is on, and the person is linked and of a listed domain. */
const HOLDS = `(s.by_issuer is null or exists (select from sign_in_issuer i
     join sign_in_link l on l.instance_id = i.instance_id and l.issuer = i.issuer and l.person_id = m.person_id
     join person q on q.id = l.person_id
   where i.instance_id = s.instance_id and i.issuer = s.by_issuer and i.is_on and split_part(q.email, '@', 2) = any (i.domains)))`

const findSession = statement(
  'staff.session',
  `select s.id as session_id, m.id as membership_id, p.id as person_id, p.email, p.name, m.role, m.creditor_id,
     s.signed_in_at, s.used_at, s.ends_at, s.by_issuer
   from staff_session s
     join membership m on m.instance_id = s.instance_id and m.id = s.membership_id and m.ended_at is null
     join person p on p.id = m.person_id
   where s.instance_id = $1 and s.token_hash = $2 and s.logged_out_at is null and s.ends_at > $3 and s.used_at > $4
     and ${HOLDS}`,
)

/** The session of a token that was used after `idleSince` and has not ended. */
export async function findStaffSession(
  db: Connection,
  proof: { instanceId: string; tokenHash: Uint8Array; at: string; idleSince: string },
): Promise<MemberRow | undefined> {
  const values = [proof.instanceId, proof.tokenHash, proof.at, proof.idleSince]
  return (await db.rows<MemberRow>(findSession, values))[0]
}

const isIn = statement(
  'staff.isIn',
  `select from staff_session s join membership m on m.instance_id = s.instance_id and m.id = s.membership_id and m.ended_at is null
   where s.instance_id = $1 and s.id = $2 and s.logged_out_at is null and s.ends_at > $3 and s.used_at > $4 and ${HOLDS}
   union all
   select from api_key where instance_id = $1 and id = $2 and revoked_at is null and (expires_at is null or expires_at > $3)`,
)

/** Is this a session of staff, or a key, that may still make calls? */
export async function isStaffInRow(
  db: Connection,
  who: { instanceId: string; id: string; at: string; idleSince: string },
): Promise<boolean> {
  return (await db.rows(isIn, [who.instanceId, who.id, who.at, who.idleSince])).length > 0
}

const roleInSession = statement(
  'staff.roleInSession',
  `select m.role from staff_session s join membership m on m.instance_id = s.instance_id and m.id = s.membership_id and m.ended_at is null
   where s.instance_id = $1 and s.id = $2 and s.logged_out_at is null and m.creditor_id is null`,
)

/** The role of an operator's person in a session; undefined for a creditor's, and for a key. */
export async function readOperatorRole(
  db: Connection,
  session: { readonly instanceId: string; readonly id: string },
): Promise<string | undefined> {
  return (await db.rows<{ role: string }>(roleInSession, [session.instanceId, session.id]))[0]?.role
}

const touchSession = statement(
  'staff.touchSession',
  'update staff_session set used_at = greatest(used_at, $3) where instance_id = $1 and id = $2 and logged_out_at is null',
)

export async function touchStaffSession(
  db: Connection,
  session: { instanceId: string; id: string; at: string },
): Promise<void> {
  await db.rows(touchSession, [session.instanceId, session.id, session.at])
}

const insertSession = statement(
  'staff.insertSession',
  `with here as (update membership set signed_in_at = greatest(signed_in_at, $5::timestamptz) where instance_id = $1 and id = $3)
   insert into staff_session (instance_id, id, membership_id, token_hash, signed_in_at, used_at, ends_at, grant_id, by_issuer)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
)

export type NewStaffSession = {
  instanceId: string
  id: string
  membershipId: string
  tokenHash: Uint8Array
  signedInAt: string
  at: string
  endsAt: string
  grantId: string | null
  byIssuer: string | null
}

export async function insertStaffSession(tx: Transaction, session: NewStaffSession): Promise<void> {
  const { instanceId, id, membershipId, tokenHash, signedInAt, at, endsAt } = session
  const times = [signedInAt, at, endsAt]
  const from = [session.grantId, session.byIssuer]
  await tx.rows(insertSession, [instanceId, id, membershipId, tokenHash, ...times, ...from])
}

const endSession = statement(
  'staff.endSession',
  'update staff_session set logged_out_at = $3 where instance_id = $1 and id = $2 and logged_out_at is null returning 1',
)

/** Whether it had not ended before. */
export async function endStaffSession(
  db: Connection,
  session: { instanceId: string; id: string; at: string },
): Promise<boolean> {
  return (await db.rows(endSession, [session.instanceId, session.id, session.at])).length === 1
}

const endOfGrant = statement(
  'staff.endSessionsOfGrant',
  'update staff_session set logged_out_at = $3 where instance_id = $1 and grant_id = $2 and logged_out_at is null',
)

/** Ends every session that one sign-in has led to. */
export async function endSessionsOfGrantRows(
  db: Connection,
  { instanceId, grantId, at }: { instanceId: string; grantId: string; at: string },
): Promise<void> {
  await db.rows(endOfGrant, [instanceId, grantId, at])
}

const removeSignIns = statement(
  'staff.removeSignIns',
  `delete from oidc_item
   where $1::text in (payload ->> 'accountId', payload -> 'result' -> 'login' ->> 'accountId')`,
)

export async function removeSignInRows(db: Connection, personId: string): Promise<void> {
  await db.rows(removeSignIns, [personId])
}

const grantOf = statement(
  'staff.grantOfSession',
  'select grant_id from staff_session where instance_id = $1 and id = $2',
)

/** The sign-in that a session came from. */
export async function readGrantOfSession(
  db: Connection,
  session: { instanceId: string; id: string },
): Promise<string | null> {
  const [row] = await db.rows<{ grant_id: string | null }>(grantOf, [session.instanceId, session.id])
  return row?.grant_id ?? null
}

const forgetSessions = statement(
  'staff.forgetSessions',
  'delete from staff_session where ends_at < $1 or used_at < $2',
)

/** Removes what nobody can use any more: what ended before `at`, and what nobody used after `idleSince`. */
export async function forgetStaffSessions(db: Connection, at: string, idleSince: string): Promise<void> {
  await db.rows(forgetSessions, [at, idleSince])
}

export type KeyRow = {
  id: string
  creditor_id: string
  name: string
  scopes: KeyScope[]
  used_at: string | null
}

const findKey = statement(
  'staff.key',
  `select id, creditor_id, name, scopes, used_at from api_key
   where instance_id = $1 and key_hash = $2 and revoked_at is null and (expires_at is null or expires_at > $3)`,
)

export async function findApiKey(
  db: Connection,
  proof: { instanceId: string; keyHash: Uint8Array; at: string },
): Promise<KeyRow | undefined> {
  return (await db.rows<KeyRow>(findKey, [proof.instanceId, proof.keyHash, proof.at]))[0]
}

const touchKey = statement(
  'staff.touchKey',
  'update api_key set used_at = greatest(coalesce(used_at, $3), $3) where instance_id = $1 and id = $2',
)

export async function touchApiKey(
  db: Connection,
  key: { instanceId: string; id: string; at: string },
): Promise<void> {
  await db.rows(touchKey, [key.instanceId, key.id, key.at])
}

const insertKey = statement(
  'staff.insertKey',
  `insert into api_key (instance_id, id, creditor_id, name, last_four, key_hash, scopes, is_demo, made_by, expires_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) on conflict (key_hash) do nothing`,
)

export type NewKey = {
  instanceId: string
  id: string
  creditorId: string
  name: string
  lastFour: string
  keyHash: Uint8Array
  scopes: readonly KeyScope[]
  isDemo: boolean
  madeBy: string | null
  expiresAt: string | null
}

export async function insertApiKey(tx: Transaction, key: NewKey): Promise<void> {
  const { instanceId, id, creditorId, name, lastFour, keyHash, scopes, isDemo, madeBy, expiresAt } = key
  await tx.rows(insertKey, [
    instanceId,
    id,
    creditorId,
    name,
    lastFour,
    keyHash,
    scopes,
    isDemo,
    madeBy,
    expiresAt,
  ])
}

/** What somebody else makes at the same moment is waited for, and seen when it is asked for once more. */
async function idMadeOrFound(
  tx: Transaction,
  sql: ReturnType<typeof statement>,
  values: readonly unknown[],
): Promise<string> {
  for (let tries = 0; tries < 2; tries += 1) {
    const [row] = await tx.rows<{ id: string }>(sql, values)
    if (row) return row.id
  }
  throw new Error('what somebody else made at the same moment is gone')
}

const newPerson = statement(
  'staff.insertPerson',
  `with made as (
     insert into person (id, email, name, password_hash, is_demo) values ($1, lower($2), $3, $4, $5)
     on conflict (email) do nothing returning id)
   select id from made union all select id from person where email = lower($2) limit 1`,
)

/** The person of an e-mail address: made now, or known before, unchanged. Answers who it is. */
export async function insertPerson(
  tx: Transaction,
  person: { id: string; email: string; name: string; passwordHash: string | null; isDemo: boolean },
): Promise<string> {
  return idMadeOrFound(tx, newPerson, [
    person.id,
    person.email,
    person.name,
    person.passwordHash,
    person.isDemo,
  ])
}

const insertMembership = statement(
  'staff.insertMembership',
  `with made as (
     insert into membership (instance_id, id, person_id, creditor_id, role, invited_name) values ($1, $2, $3, $4, $5, $6)
     on conflict (person_id, instance_id, coalesce(creditor_id, instance_id)) where ended_at is null do nothing returning id)
   select id from made union all
   select id from membership where instance_id = $1 and person_id = $3 and creditor_id is not distinct from $4::uuid
     and ended_at is null limit 1`,
)

/** A membership: made now, or the one that stands, unchanged. Answers which. */
export async function insertMembershipRow(
  tx: Transaction,
  membership: {
    instanceId: string
    id: string
    personId: string
    creditorId: string | null
    role: string
    /** What whoever invites them calls them. */
    invitedName?: string
  },
): Promise<string> {
  const { instanceId, id, personId, creditorId, role, invitedName = null } = membership
  return idMadeOrFound(tx, insertMembership, [instanceId, id, personId, creditorId, role, invitedName])
}

const creditorIds = statement(
  'staff.creditorIds',
  'select name, id from creditor where instance_id = $1 and name = any($2)',
)

/** The creditors of these names. */
export async function readCreditorIds(
  db: Connection,
  { instanceId, names }: { instanceId: string; names: readonly string[] },
): Promise<ReadonlyMap<string, string>> {
  const rows = await db.rows<{ name: string; id: string }>(creditorIds, [instanceId, names])
  return new Map(rows.map(({ name, id }) => [name, id]))
}
