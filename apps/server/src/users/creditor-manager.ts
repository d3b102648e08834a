/**
 * The first manager of a creditor: one of the operator's people proposes, another agrees, and then they are invited.
 * Everybody else of the creditor is invited by its own managers.
 */
import { Refusal } from '@kvitt/domain/errors.ts'
import type { Context } from '../context.ts'
import type { Transaction } from '../platform/database/database.ts'
import { propose, type ProposalWork } from '../proposals/proposals.ts'
import { actorOf, requireFreshSignIn, type OperatorMember } from '../staff/staff.ts'
import { isOperatorsPerson, lockManagerRows } from './creditor-manager.queries.ts'
import { appointManagerOf, hasCome } from './make-manager.ts'
import { takeInvitation } from './tell-invited.ts'

const creditorOf = (about: string): string => about.slice(about.indexOf(':') + 1)

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
    await refuseOperators(tx, instance.id, email)
    await appointManagerOf(context, tx, {
      instance,
      creditorId,
      email,
      name,
      by: actorOf(principal),
      before: await lockManagerRows(tx, { instanceId: instance.id, creditorId }),
      // Nobody agrees that they are a manager themselves, under whichever membership.
      check: (personId) => {
        if (personId === principal.personId) throw new Refusal('another_person_needed')
      },
    })
  },
}
