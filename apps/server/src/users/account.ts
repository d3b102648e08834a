/** What somebody who works here does with their own account. A program has none. */
import { Refusal } from '@kvitt/domain/errors.ts'
import type { AnswerOf, BodyOf } from '@kvitt/domain/contract.ts'
import type * as contract from '@kvitt/domain/staff/account.contract.ts'
import { noteEvent, noteWithin } from '../audit/audit.ts'
import type { Context } from '../context.ts'
import { queueToStaff } from '../mail/mail.ts'
import { newId } from '../platform/identity.ts'
import { takeTry } from '../sign-in/sign-in.ts'
import {
  endSignIns,
  hashPassword,
  IDLE_MS,
  isPassword,
  requireOpenSession,
  requireOwnProof,
  type OfficePrincipal,
  type StaffMember,
} from '../staff/staff.ts'
import { isStrong } from './password-strength.ts'
import { holdPersonRow, readPasswordHash, setPasswordRow } from './users.queries.ts'
import { endOtherRows, readOwnSessions } from './account.queries.ts'

const TRIES = 10
const WINDOW_MS = 15 * 60_000

const iso = (epochMs: number): string => new Date(epochMs).toISOString()

function personOf(principal: OfficePrincipal): StaffMember {
  if (principal.kind !== 'staff') throw new Refusal('not_allowed')
  return principal
}

/** Where this person is signed in at this provider. */
export async function listSessions(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  principal: OfficePrincipal,
): Promise<AnswerOf<typeof contract.listOwnSessions>> {
  const { instance, personId, sessionId } = personOf(principal)
  const now = clock.now()
  const of = { instanceId: instance.id, personId, at: iso(now), idleSince: iso(now - IDLE_MS) }
  const rows = await readOwnSessions(db, of)
  return rows.map(({ id, creditor, signed_in_at, used_at, ends_at }) => ({
    id,
    isThis: id === sessionId,
    creditor,
    signedInAt: iso(Date.parse(signed_in_at)),
    usedAt: iso(Date.parse(used_at)),
    endsAt: iso(Date.parse(ends_at)),
  }))
}

/** Signs this person out everywhere else. */
export async function endOthers(context: Context, principal: OfficePrincipal): Promise<undefined> {
  const member = personOf(principal)
  const { instance, personId, sessionId } = member
  const at = iso(context.clock.now())
  const actor = `person:${personId}`
  await context.db.transaction(async (tx) => {
    // Whoever goes on as another membership meanwhile has done so before, and is seen, or waits and finds its session ended.
    await holdPersonRow(tx, personId)
    await requireOpenSession({ db: tx, clock: context.clock }, member)
    await endSignIns(tx, personId)
    await endOtherRows(tx, { instanceId: instance.id, personId, sessionId, at })
    const kind = 'staff_signed_out_elsewhere'
    await noteWithin(tx, { instanceId: instance.id, kind, actor, about: actor })
  })
}

/**
 * Another password for whoever knows the one that they have. Refuses `sign_in_throttled` after ten tries in a quarter of an hour,
 * `password_wrong` and `password_too_weak`.
 */
export async function changePassword(
  context: Context,
  principal: OfficePrincipal,
  { current, password }: BodyOf<typeof contract.changePassword>,
): Promise<undefined> {
  const member = personOf(principal)
  requireOwnProof(member)
  const { instance, personId, sessionId, email, name } = member
  const budgets = [{ name: JSON.stringify(['change', personId]), limit: TRIES }]
  // Counted before it is looked at: a session that lies open must not become a way to guess.
  if (!(await takeTry(context, instance, { scope: 'staff-sign-in', budgets, windowMs: WINDOW_MS })))
    throw new Refusal('sign_in_throttled')
  const known = await readPasswordHash(context.db, personId)
  if (!(await isPassword(known, current))) throw new Refusal('password_wrong', {}, ['current'])
  if (password === current || !(await isStrong(password, [email, name, ...name.split(/\s+/)])))
    throw new Refusal('password_too_weak', {}, ['password'])
  const passwordHash = await hashPassword(password)
  const now = context.clock.now()
  await context.db.transaction(async (tx) => {
    await holdPersonRow(tx, personId)
    await requireOpenSession({ db: tx, clock: context.clock }, member)
    if ((await readPasswordHash(tx, personId)) !== known) throw new Refusal('password_wrong', {}, ['current'])
    await setPasswordRow(tx, { personId, passwordHash, at: iso(now), exceptSession: sessionId })
    queueToStaff(context, tx, {
      kind: 'staff_password_changed',
      cause: `password:${newId(now)}`,
      instance,
      recipient: email,
      params: { name },
    })
  })
  const actor = `person:${personId}`
  await noteEvent(context, { instanceId: instance.id, kind: 'staff_password_changed', actor, about: actor })
}
