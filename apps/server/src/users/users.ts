/** A creditor's people. Whoever changes who may do what has shown who they are a short while ago (staff.md 1). */
import { randomBytes } from 'node:crypto'
import type { BodyOf } from '@kvitt/domain/contract.ts'
import { Refusal } from '@kvitt/domain/errors.ts'
import type { changeUser, inviteUser } from '@kvitt/domain/staff/user.contract.ts'
import { noteDeed } from '../audit/audit.ts'
import type { Context } from '../context.ts'
import { queueToStaff } from '../mail/mail.ts'
import { JsonText } from '../platform/http/json.ts'
import { newId } from '../platform/identity.ts'
import { takeTry } from '../sign-in/sign-in.ts'
import type { Transaction } from '../platform/database/database.ts'
import {
  actorOf,
  hashOf,
  makeMembership,
  makePerson,
  requireFreshSignIn,
  type ClientPrincipal,
  type CreditorMember,
} from '../staff/staff.ts'
import { clientPortalOf, passwordPageOf } from './password-link.ts'
import {
  endUserRow,
  hasChosenPassword,
  insertInvitationRow,
  lockUserRows,
  readCreditorName,
  readUserJson,
  readUserRow,
  setRoleRow,
  type UserRow,
} from './users.queries.ts'

export { clientPortalOf } from './password-link.ts'

const DAY_MS = 24 * 60 * 60_000
const INVITED_MS = 3 * DAY_MS
/** By one creditor in a day. */
const MOST_INVITED = 50

/** Refuses `not_found`: another creditor's people do not exist. */
export async function findUser(context: Context, principal: ClientPrincipal, id: string): Promise<UserRow> {
  const found = await readUserRow(context.db, principal, id)
  if (!found) throw new Refusal('not_found')
  return found
}

async function present(tx: Transaction, member: CreditorMember, id: string): Promise<JsonText> {
  const json = await readUserJson(tx, member, { id })
  if (json === undefined) throw new Error('a user is gone in the same transaction')
  return new JsonText(json)
}

/** Invites somebody by e-mail. A manager is invited as a clerk, and another manager agrees to the rest. */
export async function invite(
  context: Context,
  principal: ClientPrincipal,
  { email, name, role }: BodyOf<typeof inviteUser>,
): Promise<JsonText> {
  const member = requireFreshSignIn(context, principal)
  const { instance, creditorId, membershipId } = member
  const now = context.clock.now()
  // Counted before anything is made: each invitation is an e-mail in the provider's name to an address that somebody typed.
  const budgets = [{ name: JSON.stringify(['creditor', creditorId]), limit: MOST_INVITED }]
  if (!(await takeTry(context, instance, { scope: 'staff-invited', budgets, windowMs: DAY_MS })))
    throw new Refusal('invitations_throttled')
  return context.db.transaction(async (tx) => {
    const personId = await makePerson(tx, { id: newId(now), email, name })
    const wanted = newId(now)
    const isManager = role === 'manager'
    const given = isManager ? 'clerk' : role
    const at = { instanceId: instance.id, id: wanted, personId, creditorId, role: given, invitedName: name }
    const id = await makeMembership(tx, at)
    if (id !== wanted) throw new Refusal('already_a_user', {}, ['email'])
    if (isManager) {
      const proposed = { role: given, proposedRole: role, proposedBy: membershipId } as const
      await setRoleRow(tx, { instanceId: instance.id, id }, proposed)
    }
    await tell(context, tx, { member, personId, id, email: email.toLowerCase(), name })
    await noteDeed(tx, {
      instanceId: instance.id,
      kind: 'user_invited',
      by: actorOf(member),
      about: `membership:${id}`,
      after: { role: given, ...(isManager ? { proposedRole: role } : {}) },
    })
    return present(tx, member, id)
  })
}

type Invited = {
  readonly member: CreditorMember
  readonly personId: string
  readonly id: string
  readonly email: string
  readonly name: string
}

/** Who has a password already is told that there is one more place to work in; who has none is asked to choose one. */
async function tell(context: Context, tx: Transaction, invited: Invited): Promise<void> {
  const { member, personId, id, email, name } = invited
  const { instance } = member
  const isKnown = await hasChosenPassword(tx, personId)
  const token = randomBytes(32).toString('base64url')
  if (!isKnown) {
    const expiresAt = new Date(context.clock.now() + INVITED_MS).toISOString()
    const row = { instanceId: instance.id, id: newId(context.clock.now()), membershipId: id, personId }
    await insertInvitationRow(tx, { ...row, tokenHash: hashOf(token), expiresAt })
  }
  queueToStaff(context, tx, {
    kind: isKnown ? 'staff_added' : 'staff_invited',
    cause: `membership:${id}`,
    instance,
    recipient: email,
    params: {
      name,
      creditor: await readCreditorName(tx, member),
      link: isKnown ? clientPortalOf(context, instance) : passwordPageOf(context, instance, token),
    },
  })
}

/** Refuses `last_manager` when nobody would be left who may do what only a manager may. */
function requireManagerLeft(users: readonly UserRow[], without: string): void {
  if (!users.some(({ id, role }) => id !== without && role === 'manager')) throw new Refusal('last_manager')
}

/** Gives somebody another role. What makes them a manager waits for another manager. */
export async function giveRole(
  context: Context,
  principal: ClientPrincipal,
  { id, role, version }: BodyOf<typeof changeUser> & { readonly id: string },
): Promise<JsonText> {
  const member = requireFreshSignIn(context, principal)
  const instanceId = member.instance.id
  return context.db.transaction(async (tx) => {
    const users = await lockUserRows(tx, member)
    const before = users.find((one) => one.id === id)
    if (!before) throw new Refusal('not_found')
    if (before.version !== version) throw new Refusal('changed_meanwhile', {}, ['version'])
    if (before.role === 'manager' && role !== 'manager') requireManagerLeft(users, id)
    const isProposed = role === 'manager' && before.role !== 'manager'
    const after = isProposed
      ? ({ role: before.role, proposedRole: role, proposedBy: member.membershipId } as const)
      : { role, proposedRole: null, proposedBy: null }
    await setRoleRow(tx, { instanceId, id }, after)
    await noteDeed(tx, {
      instanceId,
      kind: 'user_changed',
      by: actorOf(member),
      about: `membership:${id}`,
      before: { role: before.role, proposedRole: before.proposed_role },
      after: { role: after.role, proposedRole: after.proposedRole },
    })
    return present(tx, member, id)
  })
}

/** A second manager agrees: neither who proposed it nor whom it is about, under whichever membership. */
export async function approveUser(
  context: Context,
  principal: ClientPrincipal,
  id: string,
): Promise<JsonText> {
  const member = requireFreshSignIn(context, principal)
  const instanceId = member.instance.id
  return context.db.transaction(async (tx) => {
    const before = (await lockUserRows(tx, member)).find((one) => one.id === id)
    if (!before) throw new Refusal('not_found')
    if (before.proposed_role === null) throw new Refusal('nothing_proposed')
    if ([before.proposed_by_person, before.person_id].includes(member.personId)) {
      throw new Refusal('another_person_needed')
    }
    const after = { role: before.proposed_role, proposedRole: null, proposedBy: null }
    await setRoleRow(tx, { instanceId, id }, after)
    await noteDeed(tx, {
      instanceId,
      kind: 'user_changed',
      by: actorOf(member),
      about: `membership:${id}`,
      before: { role: before.role, proposedRole: before.proposed_role },
      after: { role: after.role },
    })
    return present(tx, member, id)
  })
}

/** Ends the membership, its sessions and its invitations. */
export async function removeUser(
  context: Context,
  principal: ClientPrincipal,
  id: string,
): Promise<undefined> {
  const member = requireFreshSignIn(context, principal)
  const instanceId = member.instance.id
  await context.db.transaction(async (tx) => {
    const users = await lockUserRows(tx, member)
    const before = users.find((one) => one.id === id)
    if (!before) throw new Refusal('not_found')
    if (before.role === 'manager') requireManagerLeft(users, id)
    await endUserRow(tx, { instanceId, id, at: new Date(context.clock.now()).toISOString() })
    await noteDeed(tx, {
      instanceId,
      kind: 'user_removed',
      by: actorOf(member),
      about: `membership:${id}`,
      before: { role: before.role },
    })
  })
}
