/**
 * What leaves a trace: who was let in, who was refused what, which documents were opened (security events of debtors).
 * Rows name identifiers and keyed hashes, never a person, a reference, a zip or an address.
 */
import { createHmac } from 'node:crypto'
import type { DeedKind } from '@kvitt/domain/audit/audit-kind.ts'
import type { Context } from '../context.ts'
import type { Connection } from '../platform/database/database.ts'
import type { AuditEvent } from './audit-kinds.ts'
import { forgetEventRows, insertAccessRow, insertDeedRow, insertEventRow } from './audit.queries.ts'

export { anchorAudit, compareAnchors } from './anchor.ts'
export { eventOfRefusal } from './refusals.ts'
export type { AuditKind, DeedKind } from '@kvitt/domain/audit/audit-kind.ts'

type AuditContext = Pick<Context, 'db' | 'log' | 'clock'>

const HOUR_MS = 3_600_000
const MOST_REMEMBERED = 10_000

/** What this process has written in this hour: who tries a thousand times costs the database nothing more. */
const written = { hour: 0, keys: new Set<string>() }

type Happened = AuditEvent & {
  /** What else there is to say, in fields; no personal data. */
  readonly details?: object
}

function isNew({ clock }: AuditContext, { instanceId, kind, actor, about, details }: Happened): boolean {
  const hour = Math.floor(clock.now() / HOUR_MS)
  if (written.hour !== hour || written.keys.size >= MOST_REMEMBERED) {
    written.hour = hour
    written.keys.clear()
  }
  const key = [instanceId, kind, actor, about, JSON.stringify(details)].join('\n')
  if (written.keys.has(key)) return false
  written.keys.add(key)
  return true
}

/**
 * Writes an event down, once an hour; with details, once an hour and process. Never fails: what it tells of has happened all the
 * same.
 */
export async function noteEvent(context: AuditContext, { details, ...event }: Happened): Promise<void> {
  if (!isNew(context, { ...event, ...(details && { details }) })) return
  try {
    if (details) await insertAccessRow(context.db, { ...event, details })
    else await insertEventRow(context.db, event)
  } catch (error) {
    written.keys.clear()
    context.log.error({ err: error, kind: event.kind }, 'audit event not written')
  }
}

/** As noteEvent, in the transaction of what it tells of: both or neither. */
export function noteWithin(tx: Connection, event: AuditEvent): Promise<void> {
  return insertEventRow(tx, event)
}

/** What somebody of the staff, or a creditor's program, has been shown. */
export type Access = {
  readonly instanceId: string
  readonly kind: 'staff_opened' | 'staff_listed' | 'staff_exported'
  readonly actor: string
  /** What was shown, such as `debtors:{id}`; of a list, its name. */
  readonly about: string
  /** Of a list, its filters and how many were found; no personal data of debtors. */
  readonly details: object
}

/** Writes down what was looked at, each time. Throws when it cannot: then nothing is shown. */
export function noteAccess({ db }: Pick<Context, 'db'>, access: Access): Promise<void> {
  return insertAccessRow(db, access)
}

export type Deed = {
  readonly instanceId: string
  readonly kind: DeedKind
  /** Who did it, as the command knows them: `person:anna`. */
  readonly by: string
  /** What it was done to, such as `refund:{id}`. */
  readonly about: string
  /** Why, in the person's own words. */
  readonly reason?: string | undefined
  /** What it was and what it is now; no personal data of debtors. */
  readonly before?: object
  readonly after?: object
}

/**
 * Writes down what a person did, in the transaction of the deed: both or neither. Each deed is a row of its own, unlike what
 * somebody merely tries. Call it only when something has changed.
 */
export function noteDeed(tx: Connection, deed: Deed): Promise<void> {
  const { instanceId, kind, by, about, reason = null, before = null, after = null } = deed
  return insertDeedRow(tx, { instanceId, kind, actor: by, about, reason, before, after })
}

/** The network that somebody calls from, as a keyed hash: it can be told apart from others, and not be read. */
export function networkActor(
  { starterKey }: Pick<Context, 'starterKey'>,
  instanceId: string | null,
  network: string,
): string {
  const hash = createHmac('sha256', starterKey).update(`audit\n${instanceId}\n${network}`).digest('hex')
  return `network:${hash.slice(0, 32)}`
}

export async function forgetOldEvents({ db }: Pick<Context, 'db'>): Promise<void> {
  await forgetEventRows(db)
}
