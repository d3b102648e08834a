/** The people of a creditor, or of the operator. Whoever changes who may do what has shown who they are a short while ago. */
import { randomBytes } from 'node:crypto'
import type { BodyOf } from '@kvitt/domain/contract.ts'
import { Refusal } from '@kvitt/domain/errors.ts'
import { isCreditorRole, isOperatorRole, type StaffRole } from '@kvitt/domain/staff/roles.ts'
import type { changeUser, inviteUser } from '@kvitt/domain/staff/user.contract.ts'
import { noteDeed } from '../audit/audit.ts'
import type { Context } from '../context.ts'
import { offerFor } from '../issuers/issuers.ts'
import { queueToStaff } from '../mail/mail.ts'
import { JsonText } from '../platform/http/json.ts'
import { newId } from '../platform/identity.ts'
import { propose } from '../proposals/proposals.ts'
import type { Transaction } from '../platform/database/database.ts'
import {
  actorOf,
  hashOf,
  makeMembership,
  makePerson,
  requireFreshSignIn,
  type ClientPrincipal,
  type OfficePrincipal,
  type OperatorMember,
} from '../staff/staff.ts'
import { endUser } from './end-user.ts'
import { passwordPageOf } from './password-link.ts'
import { portalOf, takeInvitation, tell, type Member } from './tell-invited.ts'
import {
  hasChosenPassword,
  holdPersonRow,
  insertInvitationRow,
  lockUserRows,
  readUserJson,
  readUserRow,
  setRoleRow,
  type UserRow,
} from './users.queries.ts'

export { CREDITOR_MANAGER_WORK, proposeManagerOf } from './creditor-manager.ts'
export { inviteManagerIn } from './first-manager.ts'
export { OPERATOR_MANAGER_WORK } from './operator-manager.ts'
export { clientPortalOf, staffPortalOf } from './password-link.ts'
export { takeInvitation } from './tell-invited.ts'

const MINUTE_MS = 60_000
const RESET_MS = 30 * MINUTE_MS

/** Refuses `not_found`: people of another creditor, or of another provider, do not exist. */
export async function findUser(context: Context, principal: OfficePrincipal, id: string): Promise<UserRow> {
  const found = await readUserRow(context.db, principal, id)
  if (!found) throw new Refusal('not_found')
  return found
}

async function present(tx: Transaction, member: Member, id: string): Promise<JsonText> {
  const json = await readUserJson(tx, member, { id })
  if (json === undefined) throw new Error('a user is gone in the same transaction')
  return new JsonText(json)
}

/** A role is of a creditor's staff or of an operator's, `manager` of both. */
function requireRole({ creditorId }: Member, role: StaffRole): void {
  const isRole = creditorId === null ? isOperatorRole(role) : isCreditorRole(role)
  if (!isRole) throw new Refusal('invalid_request', {}, ['role'])
}

/** What somebody works as until others agree that they are a manager. */
const beforeManager = ({ creditorId }: Member) => (creditorId === null ? 'support' : 'clerk')

/** Invites somebody by e-mail. A manager is invited as less, and others agree to the rest. */
export async function invite(
  context: Context,
  principal: ClientPrincipal | OperatorMember,
  { email, name, role }: BodyOf<typeof inviteUser>,
): Promise<JsonText> {
  const member = requireFreshSignIn(context, principal)
  requireRole(member, role)
  await takeInvitation(context, member)
  const { instance, creditorId } = member
  const now = context.clock.now()
  return context.db.transaction(async (tx) => {
    const personId = await makePerson(tx, { id: newId(now), email, name })
    const wanted = newId(now)
    const isManager = role === 'manager'
    const given = isManager ? beforeManager(member) : role
    const at = { instanceId: instance.id, id: wanted, personId, creditorId, role: given, invitedName: name }
    const id = await makeMembership(tx, at)
    if (id !== wanted) throw new Refusal('already_a_user', {}, ['email'])
    await tell(context, tx, { member, personId, id, email: email.toLowerCase(), name })
    await noteDeed(tx, {
      instanceId: instance.id,
      kind: 'user_invited',
      by: actorOf(member),
      about: `membership:${id}`,
      after: { role: given, ...(isManager ? { proposedRole: role } : {}) },
    })
    if (isManager) await proposeManager(context, tx, { member, id, role: given, name, email })
    return present(tx, member, id)
  })
}

type NewManager = { readonly member: Member } & Pick<UserRow, 'id' | 'role' | 'name' | 'email'>

/** Another manager of a creditor agrees; of an operator's it is a proposal, which an approver may decide too. */
async function proposeManager(
  context: Context,
  tx: Transaction,
  { member, id, role, name, email }: NewManager,
): Promise<void> {
  if (member.creditorId !== null) {
    const proposed = { role, proposedRole: 'manager', proposedBy: member.membershipId } as const
    return setRoleRow(tx, { instanceId: member.instance.id, id }, proposed)
  }
  const states = { before: { role }, after: { role: 'manager', name: `${name}, ${email}` } }
  const wanted = { kind: 'operator_manager', about: `membership:${id}`, creditorId: null, ...states } as const
  await propose(tx, context, member, wanted)
}

/** Sends a link with which another password is chosen; to who has never chosen one, another invitation. */
export async function resetUser(
  context: Context,
  principal: ClientPrincipal | OperatorMember,
  id: string,
): Promise<JsonText> {
  const member = requireFreshSignIn(context, principal)
  await takeInvitation(context, member)
  const { instance } = member
  return context.db.transaction(async (tx) => {
    const user = (await lockUserRows(tx, member)).find((one) => one.id === id)
    if (!user) throw new Refusal('not_found')
    const { person_id: personId, email, name } = user
    const isThere = (await offerFor(tx, instance.id, email)).isOffered
    if (!isThere && (await hasChosenPassword(tx, personId))) {
      const [linkId, token] = [newId(context.clock.now()), randomBytes(32).toString('base64url')]
      const expiresAt = new Date(context.clock.now() + RESET_MS).toISOString()
      const row = { instanceId: instance.id, id: linkId, membershipId: null, personId }
      await insertInvitationRow(tx, { ...row, tokenHash: hashOf(token), expiresAt })
      const link = passwordPageOf(context, instance, { token, portal: portalOf(member) })
      const params = { name, link }
      const cause = `invitation:${linkId}`
      queueToStaff(context, tx, { kind: 'staff_forgotten', cause, instance, recipient: email, params })
    } else await tell(context, tx, { member, personId, id, email, name, isAgain: true })
    await noteDeed(tx, {
      instanceId: instance.id,
      kind: 'user_reset',
      by: actorOf(member),
      about: `membership:${id}`,
    })
    return present(tx, member, id)
  })
}

/** Refuses `last_manager` when nobody would be left who may do what only a manager may. */
function requireManagerLeft(users: readonly UserRow[], without: string): void {
  if (!users.some(({ id, role }) => id !== without && role === 'manager')) throw new Refusal('last_manager')
}

/** Gives somebody another role. What makes them a manager waits until others agree. */
export async function giveRole(
  context: Context,
  principal: ClientPrincipal | OperatorMember,
  { id, role, version }: BodyOf<typeof changeUser> & { readonly id: string },
): Promise<JsonText> {
  const member = requireFreshSignIn(context, principal)
  requireRole(member, role)
  const instanceId = member.instance.id
  return context.db.transaction(async (tx) => {
    const users = await lockUserRows(tx, member)
    const before = users.find((one) => one.id === id)
    if (!before) throw new Refusal('not_found')
    if (before.version !== version) throw new Refusal('changed_meanwhile', {}, ['version'])
    if (before.role === 'manager' && role !== 'manager') requireManagerLeft(users, id)
    const isProposed = role === 'manager' && before.role !== 'manager'
    const after = isProposed
      ? ({ role: before.role, proposedRole: role } as const)
      : { role, proposedRole: null }
    if (isProposed) await proposeManager(context, tx, { ...before, member })
    else await setRoleRow(tx, { instanceId, id }, { ...after, proposedBy: null })
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

/** Ends the membership, its sessions and its invitations; with the last one, what is linked at the provider's own issuer. */
export async function removeUser(
  context: Context,
  principal: ClientPrincipal | OperatorMember,
  id: string,
): Promise<undefined> {
  const member = requireFreshSignIn(context, principal)
  const instanceId = member.instance.id
  await context.db.transaction(async (tx) => {
    // Of two memberships that end at once one is the last. People are held before memberships, as where a session begins.
    const about = await readUserRow(tx, member, id)
    if (about) await holdPersonRow(tx, about.person_id)
    const users = await lockUserRows(tx, member)
    const before = users.find((one) => one.id === id)
    if (!before) throw new Refusal('not_found')
    if (before.role === 'manager') requireManagerLeft(users, id)
    const at = new Date(context.clock.now()).toISOString()
    await endUser(tx, { instanceId, id, at, by: actorOf(member) })
    await noteDeed(tx, {
      instanceId,
      kind: 'user_removed',
      by: actorOf(member),
      about: `membership:${id}`,
      before: { role: before.role },
    })
  })
}
