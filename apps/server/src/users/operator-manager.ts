/** Somebody becomes a manager of the operator: one person proposes it, another carries it out. */
import { Refusal } from '@kvitt/domain/errors.ts'
import type { ProposalWork } from '../proposals/proposals.ts'
import { lockMembershipRow, setRoleRow } from './users.queries.ts'

const idOf = (about: string): string => about.slice(about.indexOf(':') + 1)

export const OPERATOR_MANAGER_WORK: ProposalWork = {
  readNow: async (tx, { instanceId, about }) => {
    const membership = await lockMembershipRow(tx, { instanceId, id: idOf(about) })
    return membership ? { role: membership.role } : {}
  },
  carryOut: async (tx, { principal, proposal }) => {
    const key = { instanceId: principal.instance.id, id: idOf(proposal.about) }
    const membership = await lockMembershipRow(tx, key)
    // Nobody agrees that they are a manager themselves, under whichever membership.
    if (membership?.person_id === principal.personId) throw new Refusal('another_person_needed')
    await setRoleRow(tx, key, { role: 'manager', proposedRole: null, proposedBy: null })
  },
}
