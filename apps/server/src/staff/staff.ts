/** Who works here: people, their memberships and sessions, and the keys of a creditor's programs. */
import type { Contract } from '@kvitt/domain/contract.ts'
import { Refusal } from '@kvitt/domain/errors.ts'
import { isOperatorRole, RIGHTS_OF_OPERATOR, type StaffRight } from '@kvitt/domain/staff/roles.ts'
import type { Context } from '../context.ts'
import type { Connection, Transaction } from '../platform/database/database.ts'
import type {
  ClientPrincipal,
  OfficePrincipal,
  OperatorAtRow,
  OperatorMember,
  StaffMember,
} from './principal.ts'
import { rightsOf } from './principal.ts'
import { holdIssuerOfSession, holdPersonOfSession } from './hold-session.queries.ts'
import { readCreditorOfRow } from './creditor-of-row.queries.ts'
import { beginStaffSession, IDLE_MS } from './sessions.ts'
import { hashOf } from './secrets.ts'
import {
  endSessionsOfGrantRows,
  removeSignInRows,
  endStaffSession,
  forgetStaffSessions,
  insertApiKey,
  insertMembershipRow,
  insertPerson,
  isStaffInRow,
  readGrantOfSession,
  readOperatorRole,
  type NewKey,
} from './staff.queries.ts'

export { whoAsked, type WhoAsked } from './who-asked.ts'
export { askedBy, forgetOldKeys, onceUnderKey, type AskedOnce } from './once-under-key.ts'
export { onceByOperator } from './operator-once.ts'
export { makeDemoStaff } from './demo-staff.ts'
export {
  actorOf,
  numberFor,
  rightsOf,
  sessionOf,
  type ClientPrincipal,
  type CreditorMember,
  type KeyHolder,
  type OfficePrincipal,
  type OperatorMember,
  type StaffMember,
} from './principal.ts'
export { hashPassword, isPassword } from './passwords.ts'
export { openCallBudget, type CallBudget } from './call-budget.ts'
export { hashOf } from './secrets.ts'
export { IDLE_MS, requireStaff } from './sessions.ts'
export { beginStaffSession }

const FRESH_MS = 10 * 60_000

/**
 * The person who has shown who they are within ten minutes. Refuses `sign_in_again`, and `not_allowed` to a
 * program.
 */
export function requireFreshSignIn<P extends OfficePrincipal>(
  { clock }: Pick<Context, 'clock'>,
  principal: P,
): Extract<P, { readonly kind: 'staff' }> {
  if (principal.kind !== 'staff') throw new Refusal('not_allowed')
  if (clock.now() - Date.parse(principal.signedInAt) > FRESH_MS) throw new Refusal('sign_in_again')
  return principal as Extract<P, { readonly kind: 'staff' }>
}

/**
 * Refuses `issuer_session` when a provider's own issuer has said who it is: what proves a person everywhere is not changed by what one provider
 * says of them.
 */
export function requireOwnProof({ byIssuer }: Pick<StaffMember, 'byIssuer'>): void {
  if (byIssuer !== null) throw new Refusal('issuer_session')
}

/**
 * An operator's person as who they are at one row: for the creditor whose row it is. Refuses `not_found` for what is at no
 * creditor of their instance, and `mandate_missing` for what an agreement has to give the mandate for.
 */
async function creditorAt(
  db: Connection,
  member: OperatorMember,
  {
    resource,
    id,
    right,
  }: { readonly resource: string; readonly id: string; readonly right: StaffRight | undefined },
): Promise<OperatorAtRow> {
  const row = await readCreditorOfRow(db, resource, { instanceId: member.instance.id, id })
  if (!row?.creditor_id) throw new Refusal('not_found')
  const at: OperatorAtRow = {
    ...member,
    kind: 'operator',
    creditorId: row.creditor_id,
    isInvoice: row.is_invoice,
  }
  if (right === undefined || !rightsOf(member).includes(right)) throw new Refusal('not_allowed')
  if (!rightsOf(at).includes(right)) throw new Refusal('mandate_missing')
  return at
}

/** Who asks, at the row that the call of `contract` is about: an operator's person acts there for its creditor. */
export function principalAt(
  db: Connection,
  principal: OfficePrincipal,
  { path, right }: Pick<Contract, 'path' | 'right'>,
  id: string,
): ClientPrincipal | Promise<ClientPrincipal> {
  if (principal.kind !== 'staff' || principal.creditorId !== null) return principal
  const [, resource = ''] = path.split('/')
  return creditorAt(db, principal, { resource, id, right })
}

/** The person of an e-mail address: made now without a password, or known before, unchanged. Answers who it is. */
export function makePerson(
  tx: Transaction,
  person: { readonly id: string; readonly email: string; readonly name: string },
): Promise<string> {
  return insertPerson(tx, { ...person, passwordHash: null, isDemo: false })
}

/** A membership: made now, or the one that stands, unchanged. Answers which. */
export function makeMembership(
  tx: Transaction,
  membership: Parameters<typeof insertMembershipRow>[1],
): Promise<string> {
  return insertMembershipRow(tx, membership)
}

export type KeyToKeep = Omit<NewKey, 'lastFour' | 'keyHash' | 'isDemo'>

/** Keeps a key by its hash. */
export function keepApiKey(tx: Transaction, secret: string, key: KeyToKeep): Promise<void> {
  return insertApiKey(tx, { ...key, lastFour: secret.slice(-4), keyHash: hashOf(secret), isDemo: false })
}

type Parts = Pick<Context, 'clock'> & { readonly db: Connection }

const iso = (epochMs: number): string => new Date(epochMs).toISOString()

/** Ends the session in every process. Whether it had not ended before. */
export function endSessionOf({ db, clock }: Parts, member: StaffMember): Promise<boolean> {
  const at = iso(clock.now())
  return endStaffSession(db, { instanceId: member.instance.id, id: member.sessionId, at })
}

/**
 * Goes on as another membership of the same person: a new token of the same sign-in, and the old one ends. Refuses `not_signed_in`
 * when it has ended meanwhile, by its twin, by a new password, by "sign out everywhere" or with its issuer: one token is never two.
 */
export async function continueAs(
  tx: Transaction,
  { clock }: Pick<Context, 'clock'>,
  { member, membershipId }: { readonly member: StaffMember; readonly membershipId: string },
): Promise<{ readonly token: string }> {
  const { instance, sessionId, signedInAt, byIssuer } = member
  if (byIssuer !== null && !(await holdIssuerOfSession(tx, instance.id, byIssuer)))
    throw new Refusal('not_signed_in')
  await holdPersonOfSession(tx, instance.id, sessionId)
  const grantId = await readGrantOfSession(tx, { instanceId: instance.id, id: sessionId })
  if (!(await endSessionOf({ db: tx, clock }, member))) throw new Refusal('not_signed_in')
  const from = { signedInAt, grantId, byIssuer }
  return beginStaffSession(tx, { clock }, { instanceId: instance.id, id: membershipId, ...from })
}

/** Ends the sign-ins of a person that are not done, at every instance: what their password has proven so far proves nothing. */
export function endSignIns(db: Connection, personId: string): Promise<void> {
  return removeSignInRows(db, personId)
}

/** Ends the sessions of a sign-in whose code has come a second time: somebody else has it too. */
export function endSessionsOfGrant({ db, clock }: Parts, instanceId: string, grantId: string): Promise<void> {
  return endSessionsOfGrantRows(db, { instanceId, grantId, at: iso(clock.now()) })
}

/** May a session of staff, or a key, still make calls? For what was made for it alone, such as a file's name. */
export function isStaffIn(
  { db, clock }: Parts,
  who: { readonly instanceId: string; readonly id: string },
): Promise<boolean> {
  const now = clock.now()
  return isStaffInRow(db, { ...who, at: iso(now), idleSince: iso(now - IDLE_MS) })
}

/** Has whoever a session of staff is of the right, by the role that they have now? No creditor's person and no key has an operator's. */
export async function hasOperatorRight(
  { db }: Pick<Parts, 'db'>,
  session: { readonly instanceId: string; readonly id: string },
  right: StaffRight,
): Promise<boolean> {
  const role = await readOperatorRole(db, session)
  return role !== undefined && isOperatorRole(role) && RIGHTS_OF_OPERATOR[role].includes(right)
}

/**
 * Refuses `not_signed_in` when the session has ended since the call began. Whoever changes what proves who a person is asks with the
 * person's row held, which is how sessions are ended by another password, a reset or "sign out everywhere".
 */
export async function requireOpenSession(parts: Parts, { instance, sessionId }: StaffMember): Promise<void> {
  if (!(await isStaffIn(parts, { instanceId: instance.id, id: sessionId })))
    throw new Refusal('not_signed_in')
}

/** Removes the sessions that nobody can use any more. */
export function forgetIdleSessions({ db, clock }: Parts): Promise<void> {
  return forgetStaffSessions(db, iso(clock.now()), iso(clock.now() - IDLE_MS))
}
