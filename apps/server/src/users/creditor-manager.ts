/**
 * The first manager of a creditor: one of the operator's people proposes, another agrees, and then they are invited (staff.md 1).
 * Everybody else of the creditor is invited by its own managers.
 */
import { Refusal } from '@kvitt/domain/errors.ts'
import { noteDeed } from '../audit/audit.ts'
import type { Context } from '../context.ts'
import type { Transaction } from '../platform/database/database.ts'
import { newId } from '../platform/identity.ts'
import { propose, type ProposalWork } from '../proposals/proposals.ts'
import {
  actorOf,
  makeMembership,
  makePerson,
  requireFreshSignIn,
  type OperatorMember,
} from '../staff/staff.ts'
import { takeInvitation, tell } from './tell-invited.ts'
import { isOperatorsPerson, lockManagerRows, type ManagerRow } from './creditor-manager.queries.ts'
import { endUserRow, setRoleRow } from './users.queries.ts'

const creditorOf = (about: string): string => about.slice(about.indexOf(':') + 1)

/** Somebody of the creditor who can invite others: who was invited and has never come cannot, and may be a mistyped address. */
const hasCome = (managers: readonly ManagerRow[]): boolean => managers.some(({ has_come }) => has_come)

/** Whoever works for the operator would decide for both sides. Refuses `another_person_needed`. */
async function refuseOperators(tx: Transaction, instanceId: string, email: string): Promise<void> {
  if (await isOperatorsPerson(tx, instanceId, email))
    throw new Refusal('another_person_needed', {}, ['email'])
}

/**
 * Answers the proposal. Refuses `manager_exists` where somebody of the creditor can invite them, and `another_person_needed` for
 * somebody of the operator.
 */
export async function proposeManagerOf(
  context: Context,
  principal: OperatorMember,
  { creditorId, name, email }: { readonly creditorId: string; readonly name: string; readonly email: string },
): Promise<string> {
  const member = requireFreshSignIn(context, principal)
  await takeInvitation(context, { instance: member.instance, creditorId })
  return context.db.transaction(async (tx) => {
    if (hasCome(await lockManagerRows(tx, { instanceId: member.instance.id, creditorId })))
      throw new Refusal('manager_exists')
    await refuseOperators(tx, member.instance.id, email)
    const after = { role: 'manager', name, email: email.toLowerCase() }
    const about = `creditor-manager:${creditorId}`
    return propose(tx, context, member, { kind: 'creditor_manager', about, creditorId, before: {}, after })
  })
}

async function endInvited(
  tx: Transaction,
  principal: OperatorMember,
  { id, at }: { readonly id: string; readonly at: string },
): Promise<void> {
  const instanceId = principal.instance.id
  await endUserRow(tx, { instanceId, id, at })
  await noteDeed(tx, {
    instanceId,
    kind: 'user_removed',
    by: actorOf(principal),
    about: `membership:${id}`,
    before: { role: 'manager' },
  })
}

/** How somebody becomes the first manager of a creditor. */
export const CREDITOR_MANAGER_WORK: ProposalWork = {
  readNow: async (tx, { instanceId, about }) =>
    hasCome(await lockManagerRows(tx, { instanceId, creditorId: creditorOf(about) }))
      ? { role: 'manager' }
      : {},
  carryOut: async (tx, { context, principal, proposal }) => {
    const { instance } = principal
    const creditorId = creditorOf(proposal.about)
    const { name, email } = proposal.after as { readonly name: string; readonly email: string }
    const now = context.clock.now()
    await refuseOperators(tx, instance.id, email)
    // Whoever was invited before and never came: the address was wrong, or they are not the one any more.
    for (const { id } of await lockManagerRows(tx, { instanceId: instance.id, creditorId }))
      await endInvited(tx, principal, { id, at: new Date(now).toISOString() })
    const personId = await makePerson(tx, { id: newId(now), email, name })
    // Nobody agrees that they are a manager themselves, under whichever membership.
    if (personId === principal.personId) throw new Refusal('another_person_needed')
    const wanted = newId(now)
    const row = {
      instanceId: instance.id,
      id: wanted,
      personId,
      creditorId,
      role: 'manager',
      invitedName: name,
    }
    const id = await makeMembership(tx, row)
    if (id !== wanted)
      await setRoleRow(
        tx,
        { instanceId: instance.id, id },
        { role: 'manager', proposedRole: null, proposedBy: null },
      )
    await tell(context, tx, { member: { instance, creditorId }, personId, id, email, name })
    await noteDeed(tx, {
      instanceId: instance.id,
      kind: 'user_invited',
      by: actorOf(principal),
      about: `membership:${id}`,
      after: { role: 'manager' },
    })
  },
}
