/** The calls about the session of staff. */
import * as contract from '@kvitt/domain/staff/session.contract.ts'
import type { AnswerOf } from '@kvitt/domain/contract.ts'
import { Refusal } from '@kvitt/domain/errors.ts'
import { isCreditorRole, isOperatorRole } from '@kvitt/domain/staff/roles.ts'
import type { Context } from '../context.ts'
import type { Binding } from '../platform/http/call.ts'
import { bind } from '../sign-in/bind.ts'
import { continueAs, endSessionOf, rightsOf, type OfficePrincipal, type StaffMember } from '../staff/staff.ts'
import { readMemberships, type MembershipRow } from './oidc-items.queries.ts'

type StaffMembership = AnswerOf<typeof contract.getStaffSession>['membership']

/** A program has no session. */
function memberOf(principal: OfficePrincipal): StaffMember {
  if (principal.kind !== 'staff') throw new Refusal('not_allowed')
  return principal
}

/** What the person works as at this provider, for creditors and for the operator. */
async function membershipsOf(context: Context, member: StaffMember) {
  const all = await readMemberships(context.db, member.instance.id, member.personId)
  return all.flatMap(({ id, role, creditor_id, creditor_name }: MembershipRow): StaffMembership[] => {
    if (creditor_id === null) return isOperatorRole(role) ? [{ id, role, creditor: null }] : []
    return isCreditorRole(role)
      ? [{ id, role, creditor: { id: creditor_id, name: creditor_name ?? '' } }]
      : []
  })
}

export const STAFF_SESSION_BINDINGS: readonly Binding[] = [
  bind(contract.getStaffSession, async ({ context, principal }) => {
    const member = memberOf(principal)
    const memberships = await membershipsOf(context, member)
    const membership = memberships.find(({ id }) => id === member.membershipId)
    if (!membership) throw new Refusal('not_signed_in')
    return {
      person: { name: member.name, email: member.email },
      membership,
      memberships,
      rights: [...rightsOf(member)],
      signedInAt: new Date(member.signedInAt).toISOString(),
      endsAt: new Date(member.endsAt).toISOString(),
    }
  }),
  bind(contract.changeMembership, async ({ context, principal, body }) => {
    const member = memberOf(principal)
    const memberships = await membershipsOf(context, member)
    if (!memberships.some(({ id }) => id === body.membershipId)) throw new Refusal('not_found')
    const begun = await context.db.transaction((tx) =>
      continueAs(tx, context, { member, membershipId: body.membershipId }),
    )
    return { access_token: begun.token, token_type: 'Bearer' as const }
  }),
  bind(contract.endStaffSession, async ({ context, principal }) => {
    await endSessionOf(context, memberOf(principal))
    return undefined
  }),
]
