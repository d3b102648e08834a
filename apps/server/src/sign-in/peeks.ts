/**
 * Peeks: one of an operator's staff sees the debtor portal as a debtor sees it. A ticket, which one address carries, opens it once
 * and within a minute; from then on a token of its own and a cookie of its own prove it, for ten minutes from when it was asked for. Each
 * call asks the session of staff behind it and its role, so that an end there is one here.
 */
import { createHash, randomBytes } from 'node:crypto'
import type { OpenedPeek } from '@kvitt/domain/sign-in/peek.contract.ts'
import { isOperatorRole, RIGHTS_OF_OPERATOR } from '@kvitt/domain/staff/roles.ts'
import { Refusal } from '@kvitt/domain/errors.ts'
import type { Context } from '../context.ts'
import { newId } from '../platform/identity.ts'
import type { Transaction } from '../platform/database/database.ts'
import { IDLE_MS } from '../staff/staff.ts'
import {
  endPeekRow,
  findPeekRow,
  forgetPeekRows,
  insertPeekRow,
  openPeekRow,
  readOpenPeek,
  type PeekRow,
} from './peeks.queries.ts'
import { readCookie, writeCookie } from './session-cookie.ts'
import { readDebtors } from './sessions.queries.ts'
import type { Session, SessionProof } from './viewer.ts'

const MINUTE_MS = 60_000
const TICKET_MS = MINUTE_MS
const PEEK_MS = 10 * MINUTE_MS
const TOKEN = /^bearer (peek-[A-Za-z0-9_-]{43})$/i
const LONGEST_TICKET = 43

type Parts = Pick<Context, 'db' | 'clock'>
type PeekKey = { readonly instanceId: string; readonly id: string }

const iso = (epochMs: number): string => new Date(epochMs).toISOString()
const hashOf = (secret: string): Buffer => createHash('sha256').update(secret).digest()
const newSecret = (): string => randomBytes(32).toString('base64url')

/** Does a call say that it comes from a peek? Proves nothing: a token of a debtor never looks like one. */
export function isPeekToken(authorization: string | undefined): boolean {
  return /^\s*bearer\s+peek-/i.test(authorization ?? '')
}

/** The ticket for one look, kept by its hash inside the caller's transaction. */
export async function makeTicket(
  tx: Transaction,
  { clock }: Pick<Context, 'clock'>,
  peek: {
    readonly instanceId: string
    readonly staffSessionId: string
    readonly debtorIds: readonly string[]
  },
): Promise<{ readonly ticket: string; readonly openUntil: string; readonly endsAt: string }> {
  const now = clock.now()
  const ticket = newSecret()
  const [openUntil, endsAt] = [iso(now + TICKET_MS), iso(now + PEEK_MS)]
  await insertPeekRow(tx, {
    ...peek,
    id: newId(now),
    ticketHash: hashOf(ticket),
    at: iso(now),
    ticketUntil: openUntil,
    endsAt,
  })
  return { ticket, openUntil, endsAt }
}

/**
 * Uses a ticket up. Refuses `view_link_over` for one that is none, was used, is over, or whose person may not look any more:
 * nobody learns which.
 */
export async function openTicket(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  {
    instanceId,
    ticket,
    isHttps,
  }: { readonly instanceId: string; readonly ticket: string; readonly isHttps: boolean },
): Promise<{ readonly opened: OpenedPeek; readonly setCookie: string }> {
  const [token, cookie] = [`peek-${newSecret()}`, newSecret()]
  const [tokenHash, cookieHash] = [hashOf(token), hashOf(cookie)]
  const times = timesAt(clock.now())
  return db.transaction(async (tx) => {
    const hash = hashOf(ticket.slice(0, LONGEST_TICKET + 1))
    const id = await openPeekRow(tx, { instanceId, hash, tokenHash, cookieHash, at: times.at })
    const row = id === undefined ? undefined : await readOpenPeek(tx, { instanceId, id, ...times })
    const debtor = row && (await readDebtors(tx, instanceId, row.debtor_ids))[0]
    if (!row || !debtor || !mayLook(row)) throw new Refusal('view_link_over')
    return {
      opened: {
        id_token: token,
        token_type: 'Bearer' as const,
        staff: row.name,
        debtor: debtor.name,
        endsAt: row.ends_at,
      },
      setCookie: writeCookie('peek', isHttps, cookie),
    }
  })
}

/** The peek that a call proves, as the session it stands in for. Refuses with `not_signed_in`, whatever is wrong. */
export async function requirePeek({ db, clock }: Parts, proof: SessionProof): Promise<Session> {
  const token = TOKEN.exec(proof.authorization[0] ?? '')?.[1]
  const cookie = readCookie('peek', proof.isHttps, proof.cookie)
  if (proof.authorization.length !== 1 || !token || !cookie) throw new Refusal('not_signed_in')
  const row = await findPeekRow(db, {
    instanceId: proof.instanceId,
    tokenHash: hashOf(token),
    cookieHash: hashOf(cookie),
    ...timesAt(clock.now()),
  })
  if (!row || !mayLook(row)) throw new Refusal('not_signed_in')
  return {
    id: row.id,
    debtorIds: row.debtor_ids,
    startedAt: row.started_at,
    endsAt: row.ends_at,
    renewedToken: undefined,
    peek: { staff: staffOf(row) },
  }
}

/** For what a peek has left behind: a name of a file. */
export async function isPeekOpen(parts: Parts, key: PeekKey): Promise<boolean> {
  return (await staffOfPeek(parts, key)) !== undefined
}

/** Who looks, for the audit log; undefined for what is no peek, or one that is over. */
export async function staffOfPeek(
  { db, clock }: Parts,
  { instanceId, id }: { readonly instanceId: string; readonly id: string | undefined },
): Promise<string | undefined> {
  if (id === undefined) return undefined
  const row = await readOpenPeek(db, { instanceId, id, ...timesAt(clock.now()) })
  return row && mayLook(row) ? staffOf(row) : undefined
}

/** Ends it in every process. Answers the Set-Cookie header that clears the browser's half. */
export async function endPeek({ db, clock }: Parts, key: PeekKey, isHttps: boolean): Promise<string> {
  await endPeekRow(db, { ...key, at: iso(clock.now()) })
  return writeCookie('peek', isHttps, '')
}

/** Removes what nobody can use any more. */
export async function forgetEndedPeeks({ db, clock }: Parts): Promise<void> {
  await forgetPeekRows(db, iso(clock.now()))
}

const timesAt = (now: number) => ({ at: iso(now), idleSince: iso(now - IDLE_MS) })

/** As their role is now, and as is known of the debtor now: the portal shows a person where they live (M-36). */
function mayLook({ role, is_protected: isProtected }: PeekRow): boolean {
  if (role === null || !isOperatorRole(role)) return false
  const rights = RIGHTS_OF_OPERATOR[role]
  return rights.includes('view_as_debtor') && (!isProtected || rights.includes('see_protected'))
}

const staffOf = ({ person_id: person, membership_id: membership }: PeekRow): string =>
  `person:${person}:${membership}`
