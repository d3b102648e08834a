/**
 * What leaves a trace: who was let in, who was refused what, which documents were opened (security events of debtors).
 * Rows name identifiers and keyed hashes, never a person, a reference, a zip or an address.
 */
import { createHmac } from 'node:crypto'
import type { Context } from '../context.ts'
import type { Connection } from '../platform/database/database.ts'
import { forgetEventRows, insertDeedRow, insertEventRow, type EventRow } from './audit.queries.ts'

export { anchorAudit } from './anchor.ts'
export { eventOfRefusal } from './refusals.ts'

export type AuditKind =
  /** Somebody has shown who they are, and has a session. */
  | 'eid_signed_in'
  /** The app that showed who somebody is was in another network than the browser that got the session. */
  | 'eid_from_elsewhere'
  /** A valid electronic ID of somebody whom nobody here knows. */
  | 'eid_stranger'
  /** An order that another browser started, or nobody. */
  | 'eid_order_refused'
  | 'eid_starts_locked'
  | 'signed_out'
  /** A token or cookie that is none, is over, or is another's. */
  | 'token_refused'
  /** Behind the debtor's door: what is not theirs, or not there. */
  | 'not_theirs'
  /** A public pair while a budget of guesses is used up. */
  | 'guesses_locked'
  | 'callback_forged'
  /** A gateway's call that tells of money which the gateway itself does not know of. */
  | 'callback_mismatch'
  | 'document_opened'

/** What a person has done with a command. */
export type DeedKind =
  /** A person has placed money that nobody could, or has it sent back. */
  | 'money_placed'
  | 'money_sent_back'
  /** A person has taken money off the debt that it was booked on. */
  | 'payment_moved'
  /** A person has entered since when a creditor's reminder fee is agreed, or that it is not. */
  | 'reminder_fee_agreed'
  | 'charge_owner_entered'
  /** A person has paused an invoice or a claim, let it go on, or ended it without payment. */
  | 'debt_paused'
  | 'debt_resumed'
  | 'debt_stopped'
  /** A person has entered that the tax authority denied a reduction. */
  | 'tax_reduction_denied'
  /** A person has decided a dispute. */
  | 'dispute_decided'
  /** A person has sent money of a payment back. */
  | 'refund_ordered'
  /** A person has recorded that what is owed back goes through the bank, has left it, or was sent by the creditor. */
  | 'refund_recorded'
  /** A person has said which account a provider is paid to. */
  | 'account_chosen'
  /** A person has said by which other number an account is reached. */
  | 'account_address_added'
  /** A person has said who has a creditor's account. */
  | 'account_holder_told'
  | 'account_files_chosen'
  | 'account_told'
  /** A person has made a provider or changed how it presents itself. */
  | 'provider_changed'
  /** A person has entered or taken away what a provider shows a counterparty. */
  | 'credentials_changed'
  /** A person has logged everybody out, or released who was locked out by wrong guesses. */
  | 'sessions_ended'
  | 'guesses_released'
  /** A person has had a claim taken to an authority, or recorded an application or what was decided about it. */
  | 'court_asked_for'
  | 'court_application_recorded'
  | 'court_decision_recorded'
  | 'court_instruction_changed'
  /** A person has taken files in. */
  | 'invoices_imported'
  | 'payments_imported'
  /** A person has given a task to somebody, or put it aside. */
  | 'task_kept'
  /** A person has decided what a task asked. */
  | 'task_done'

export type AuditEvent = Omit<EventRow, 'kind'> & { readonly kind: AuditKind }

type AuditContext = Pick<Context, 'db' | 'log' | 'clock'>

const HOUR_MS = 3_600_000
const MOST_REMEMBERED = 10_000

/** What this process has written in this hour: who tries a thousand times costs the database nothing more. */
const written = { hour: 0, keys: new Set<string>() }

function isNew({ clock }: AuditContext, { instanceId, kind, actor, about }: AuditEvent): boolean {
  const hour = Math.floor(clock.now() / HOUR_MS)
  if (written.hour !== hour || written.keys.size >= MOST_REMEMBERED) {
    written.hour = hour
    written.keys.clear()
  }
  const key = [instanceId, kind, actor, about].join('\n')
  if (written.keys.has(key)) return false
  written.keys.add(key)
  return true
}

/** Writes an event down, once an hour. Never fails: what it tells of has happened all the same. */
export async function noteEvent(context: AuditContext, event: AuditEvent): Promise<void> {
  if (!isNew(context, event)) return
  try {
    await insertEventRow(context.db, event)
  } catch (error) {
    written.keys.clear()
    context.log.error({ err: error, kind: event.kind }, 'audit event not written')
  }
}

/** As noteEvent, in the transaction of what it tells of: both or neither. */
export function noteWithin(tx: Connection, event: AuditEvent): Promise<void> {
  return insertEventRow(tx, event)
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
