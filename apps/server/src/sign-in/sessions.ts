/**
 * Sessions of debtors who have shown who they are (D-05). A token is 256 random bits that lives for 15 minutes and
 * is renewed while it is used; it only counts together with the cookie of the browser that it was made for. The
 * database knows both by their hashes, and every call asks it, so that a logout is one in every process.
 */
import { createHash, randomBytes } from 'node:crypto'
import type { SessionAnswer } from '@kvitt/domain/sign-in/session.contract.ts'
import { identitiesOfPerson, isNumberOf } from '@kvitt/domain/people/personal-number.ts'
import { Refusal } from '@kvitt/domain/errors.ts'
import { noteEvent } from '../audit/audit.ts'
import type { Context } from '../context.ts'
import type { Instance } from '../instances/instances.ts'
import type { Transaction } from '../platform/database/database.ts'
import { newId } from '../platform/identity.ts'
import {
  endSessionRow,
  findSessionRow,
  forgetSessionRows,
  insertSessionRow,
  isBrowserTaken,
  isSessionOpen,
  readDebtors,
  readGuardian,
  readDebtorsByIdentity,
  renewSessionRow,
  type DebtorRow,
} from './sessions.queries.ts'
import { endPeek, forgetEndedPeeks, isPeekOpen } from './peeks.ts'
import { readCookie, writeCookie } from './session-cookie.ts'
import type { DebtorViewer, Session, SessionProof } from './viewer.ts'

const MINUTE_MS = 60_000
const TOKEN_MS = 15 * MINUTE_MS
/** A third of a token's life: an answer that gets lost leaves the next call time to fetch another. */
const RENEWED_AFTER_MS = 5 * MINUTE_MS
const SESSION_MS = 12 * 60 * MINUTE_MS
const LONGEST_HEADER = 200

export type SessionParts = Pick<Context, 'db' | 'clock'>

/** What the browser is given once: the token for its script, the cookie for itself. */
export type BegunSession = {
  readonly id: string
  readonly token: string
  readonly tokenType: 'Bearer'
  readonly setCookie: string
}

/** Is a debtor logged in in the browser with this cookie? What its page knows is not asked. */
export async function isSomebodyIn(
  { db, clock }: SessionParts,
  { instanceId, cookie, isHttps }: Pick<SessionProof, 'instanceId' | 'cookie' | 'isHttps'>,
): Promise<boolean> {
  const secret = readCookie('session', isHttps, cookie)
  if (!secret) return false
  return isBrowserTaken(db, { instanceId, cookieHash: hashOf(secret), at: iso(clock.now()) })
}

/** For what a session, or a peek, has left behind: a name of a file. */
export async function isStillOpen(
  parts: SessionParts,
  session: { readonly instanceId: string; readonly id: string },
): Promise<boolean> {
  const isOpen = await isSessionOpen(parts.db, { ...session, at: iso(parts.clock.now()) })
  return isOpen || isPeekOpen(parts, session)
}

function hashOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest()
}

function iso(epochMs: number): string {
  return new Date(epochMs).toISOString()
}

/** The debtors that an instance keeps under a proven number. */
export async function findDebtors(
  parts: Pick<SessionParts, 'db' | 'clock'>,
  instance: Instance,
  personalNumber: string,
): Promise<DebtorRow[]> {
  const found = await readDebtorsByIdentity(parts.db, instance.id, identitiesOfPerson(personalNumber))
  const today = parts.clock.today(instance.timeZone)
  return found.filter((d) => isNumberOf(personalNumber, d.identification_number ?? '', today))
}

/** Begins a session inside the caller's transaction, so that what has led to it is used up with it. */
export async function beginSession(
  tx: Transaction,
  parts: SessionParts,
  {
    instanceId,
    debtorIds,
    isHttps,
  }: { readonly instanceId: string; readonly debtorIds: readonly string[]; readonly isHttps: boolean },
): Promise<BegunSession> {
  const now = parts.clock.now()
  const [token, cookie] = [randomBytes(32).toString('base64url'), randomBytes(32).toString('base64url')]
  const id = newId(now)
  await insertSessionRow(tx, {
    instanceId,
    id,
    debtorIds,
    cookieHash: hashOf(cookie),
    startedAt: iso(now),
    endsAt: iso(now + SESSION_MS),
    tokenHash: hashOf(token),
    tokenExpiresAt: iso(now + TOKEN_MS),
  })
  return { id, token, tokenType: 'Bearer', setCookie: writeCookie('session', isHttps, cookie) }
}

/**
 * The session that a call proves. Refuses with `not_signed_in`, whatever is missing, wrong, old or another
 * tenant's: nobody learns which.
 */
export async function requireSession(parts: SessionParts, proof: SessionProof): Promise<Session> {
  const now = parts.clock.now()
  const [authorization = ''] = proof.authorization
  const token = /^bearer ([A-Za-z0-9_-]{43})$/i.exec(authorization)?.[1]
  const cookie = readCookie('session', proof.isHttps, proof.cookie)
  if (proof.authorization.length !== 1 || authorization.length > LONGEST_HEADER || !token || !cookie) {
    throw new Refusal('not_signed_in')
  }
  const { instanceId } = proof
  const row = await findSessionRow(parts.db, {
    instanceId,
    tokenHash: hashOf(token),
    cookieHash: hashOf(cookie),
    at: iso(now),
  })
  if (!row) throw new Refusal('not_signed_in')
  const isYoung = now - Date.parse(row.renewed_at) < RENEWED_AFTER_MS
  return {
    id: row.id,
    debtorIds: row.debtor_ids,
    startedAt: row.started_at,
    endsAt: row.ends_at,
    renewedToken: isYoung ? undefined : await renew(parts, { instanceId, id: row.id }, now),
  }
}

async function renew(
  parts: SessionParts,
  session: { readonly instanceId: string; readonly id: string },
  now: number,
): Promise<string | undefined> {
  const token = randomBytes(32).toString('base64url')
  const isRenewed = await renewSessionRow(parts.db, session, {
    at: iso(now),
    before: iso(now - RENEWED_AFTER_MS),
    hash: hashOf(token),
    expiresAt: iso(now + TOKEN_MS),
  })
  return isRenewed ? token : undefined
}

/** Who is signed in. */
export async function presentSession(context: Context, viewer: DebtorViewer): Promise<SessionAnswer> {
  const { id } = viewer.instance
  const { debtorIds } = viewer.session
  const [debtor] = await readDebtors(context.db, id, debtorIds)
  if (!debtor) throw new Refusal('not_signed_in')
  const { startedAt, endsAt } = viewer.session
  const guardian = (await readGuardian(context.db, id, debtorIds)) ?? null
  return { debtor: { name: debtor.name, email: debtor.email }, guardian, startedAt, endsAt }
}

/** Ends the session, or the peek, in every process. Answers the Set-Cookie header that clears the browser's half. */
export async function endSession(context: Context, viewer: DebtorViewer, isHttps: boolean): Promise<string> {
  if (viewer.session.peek)
    return endPeek(context, { instanceId: viewer.instance.id, id: viewer.session.id }, isHttps)
  await endSessionRow(context.db, {
    instanceId: viewer.instance.id,
    id: viewer.session.id,
    at: iso(context.clock.now()),
  })
  const actor = `session:${viewer.session.id}`
  await noteEvent(context, { instanceId: viewer.instance.id, kind: 'signed_out', actor, about: actor })
  return writeCookie('session', isHttps, '')
}

/** Removes what nobody can use any more. */
export async function forgetEndedSessions(parts: Pick<SessionParts, 'db' | 'clock'>): Promise<void> {
  await forgetSessionRows(parts.db, iso(parts.clock.now()))
  await forgetEndedPeeks(parts)
}
