/**
 * The first manager of a creditor: one of the operator's people proposes, another agrees, and then they are invited (staff.md 1).
 * Everybody else of the creditor is invited by its own managers.
 */
import { Refusal } from '@kvitt/domain/errors.ts'
import { noteDeed } from '../audit/audit.ts'
import type { Context } from '../context.ts'
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
import { hasManagerRow, setRoleRow } from './users.queries.ts'

const creditorOf = (about: string): string => about.slice(about.indexOf(':') + 1)

/** Answers the proposal. Refuses `manager_exists` where somebody of the creditor can invite them. */
export async function proposeManagerOf(
  context: Context,
  principal: OperatorMember,
  { creditorId, name, email }: { readonly creditorId: string; readonly name: string; readonly email: string },
): Promise<string> {
  const member = requireFreshSignIn(context, principal)
  await takeInvitation(context, { instance: member.instance, creditorId })
  return context.db.transaction(async (tx) => {
    if (await hasManagerRow(tx, { instanceId: member.instance.id, creditorId }))
      throw new Refusal('manager_exists')
    const after = { role: 'manager', name, email: email.toLowerCase() }
    const about = `creditor-manager:${creditorId}`
    return propose(tx, context, member, { kind: 'creditor_manager', about, creditorId, before: {}, after })
  })
}

/** How somebody becomes the first manager of a creditor. */
export const CREDITOR_MANAGER_WORK: ProposalWork = {
  readNow: async (tx, { instanceId, about }) =>
    (await hasManagerRow(tx, { instanceId, creditorId: creditorOf(about) })) ? { role: 'manager' } : {},
  carryOut: async (tx, { context, principal, proposal }) => {
    const { instance } = principal
    const creditorId = creditorOf(proposal.about)
    const { name, email } = proposal.after as { readonly name: string; readonly email: string }
    const now = context.clock.now()
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
