/**
 * How a call of staff proves itself: `Authorization: Bearer` and the token of a session, or the key of a creditor's program.
 * Both are known by their hashes alone, and every call asks the database, so that an end is one in every process.
 */
import { randomBytes } from 'node:crypto'
import { Refusal } from '@kvitt/domain/errors.ts'
import { isCreditorRole, isOperatorRole } from '@kvitt/domain/staff/roles.ts'
import type { Context } from '../context.ts'
import type { Instance } from '../instances/instances.ts'
import type { Transaction } from '../platform/database/database.ts'
import { newId } from '../platform/identity.ts'
import type { KeyHolder, StaffMember } from './principal.ts'
import { hashOf } from './secrets.ts'
import {
  findApiKey,
  findStaffSession,
  insertStaffSession,
  touchApiKey,
  touchStaffSession,
  type MemberRow,
} from './staff.queries.ts'

const MINUTE_MS = 60_000
/** Unused for so long, a session has ended. */
export const IDLE_MS = 30 * MINUTE_MS
const SESSION_MS = 12 * 60 * MINUTE_MS
/** How old the last note of use may be: not every call writes. */
const TOUCH_MS = MINUTE_MS

type Parts = Pick<Context, 'db' | 'clock'>

const iso = (epochMs: number): string => new Date(epochMs).toISOString()

/** Begins a session in a membership. `signedInAt` is earlier than now where somebody only changes their membership. */
export async function beginStaffSession(
  tx: Transaction,
  { clock }: Pick<Context, 'clock'>,
  membership: {
    readonly instanceId: string
    readonly id: string
    readonly signedInAt?: string
    /** One that is random already; else it is made here. */
    readonly token?: string
    /** The sign-in that it comes from. */
    readonly grantId?: string | null
    /** The issuer that has said who it is; null where it was shown here. */
    readonly byIssuer?: string | null
  },
): Promise<{ readonly id: string; readonly token: string; readonly endsAt: string }> {
  const now = clock.now()
  const id = newId(now)
  const { instanceId, signedInAt = iso(now), grantId = null, byIssuer = null } = membership
  const { token = randomBytes(32).toString('base64url') } = membership
  // Twelve hours after the person has shown who they are, however often they change their membership.
  const endsAt = iso(Date.parse(signedInAt) + SESSION_MS)
  const times = { at: iso(now), signedInAt, endsAt }
  await insertStaffSession(tx, {
    instanceId,
    id,
    membershipId: membership.id,
    tokenHash: hashOf(token),
    grantId,
    byIssuer,
    ...times,
  })
  return { id, token, endsAt }
}

/**
 * Who a call of staff comes from. Refuses `not_signed_in`, whatever is missing, wrong, old or another provider's: nobody
 * learns which.
 * @param authorization every header of that name; two are a contradiction and prove nothing
 */
export async function requireStaff(
  parts: Parts,
  instance: Instance,
  authorization: readonly string[],
): Promise<StaffMember | KeyHolder> {
  const [header = ''] = authorization
  const secret = /^bearer ([A-Za-z0-9_-]{10,100})$/i.exec(header)?.[1]
  if (authorization.length !== 1 || !secret) throw new Refusal('not_signed_in')
  const found = secret.startsWith('kvitt-')
    ? await findKeyHolder(parts, instance, secret)
    : await findMember(parts, instance, secret)
  if (!found) throw new Refusal('not_signed_in')
  return found
}

async function findKeyHolder(
  { db, clock }: Parts,
  instance: Instance,
  key: string,
): Promise<KeyHolder | undefined> {
  const at = iso(clock.now())
  const row = await findApiKey(db, { instanceId: instance.id, keyHash: hashOf(key), at })
  if (!row) return undefined
  const { id, creditor_id: creditorId, name, scopes } = row
  if (isOld(row.used_at, clock.now())) await touchApiKey(db, { instanceId: instance.id, id, at })
  return { kind: 'api_key', instance, keyId: id, creditorId, name, scopes }
}

async function findMember(
  { db, clock }: Parts,
  instance: Instance,
  token: string,
): Promise<StaffMember | undefined> {
  const now = clock.now()
  const times = { at: iso(now), idleSince: iso(now - IDLE_MS) }
  const row = await findStaffSession(db, { instanceId: instance.id, tokenHash: hashOf(token), ...times })
  if (!row) return undefined
  if (isOld(row.used_at, now)) {
    await touchStaffSession(db, { instanceId: instance.id, id: row.session_id, at: iso(now) })
  }
  return toMember(row, instance)
}

const isOld = (usedAt: string | null, now: number): boolean =>
  usedAt === null || now - Date.parse(usedAt) > TOUCH_MS

function toMember(row: MemberRow, instance: Instance): StaffMember {
  const { session_id: sessionId, membership_id: membershipId, person_id: personId, email, name } = row
  const { creditor_id: creditorId, role, signed_in_at: signedInAt, ends_at: endsAt } = row
  const { by_issuer: byIssuer } = row
  const person = {
    kind: 'staff',
    instance,
    sessionId,
    membershipId,
    personId,
    email,
    name,
    signedInAt,
    endsAt,
    byIssuer,
  } as const
  if (creditorId === null && isOperatorRole(role)) return { ...person, creditorId, role }
  if (creditorId !== null && isCreditorRole(role)) return { ...person, creditorId, role }
  throw new Error(`a membership has a role that nobody knows: ${role}`)
}
