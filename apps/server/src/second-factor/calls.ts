/** The calls about one's own second factor. A program has none. */
import * as contract from '@kvitt/domain/staff/second-factor.contract.ts'
import { Refusal } from '@kvitt/domain/errors.ts'
import type { Context } from '../context.ts'
import type { Binding } from '../platform/http/call.ts'
import { bind } from '../sign-in/bind.ts'
import { requireFreshSignIn, type OfficePrincipal, type StaffMember } from '../staff/staff.ts'
import { countCodesLeft, readFactor } from './factors.queries.ts'
import { takeCodeTry } from './prove-code.ts'
import { isFactorRequired } from './second-factor.ts'
import { beginFactor, confirmFactor, removeFactor, renewCodes, type FactorOwner } from './set-up.ts'

function ownerOf({ instance, personId: id, email, name }: StaffMember): FactorOwner {
  return { instance, person: { id, email, name } }
}

const freshOwner = (context: Context, principal: OfficePrincipal): FactorOwner =>
  ownerOf(requireFreshSignIn(context, principal))

export const SECOND_FACTOR_BINDINGS: readonly Binding[] = [
  bind(contract.getSecondFactor, async ({ context, principal }) => {
    if (principal.kind !== 'staff') throw new Refusal('not_allowed')
    const { instance, personId } = principal
    const factor = await readFactor(context.db, personId)
    return {
      isOn: factor !== undefined,
      since: factor?.confirmed_at ? new Date(factor.confirmed_at).toISOString() : null,
      recoveryCodesLeft: await countCodesLeft(context.db, personId),
      isRequired: await isFactorRequired(context, instance, personId),
    }
  }),
  bind(contract.beginSecondFactor, ({ context, principal }) =>
    beginFactor(context, freshOwner(context, principal)),
  ),
  bind(contract.confirmSecondFactor, async ({ context, principal, body, request }) => {
    const member = requireFreshSignIn(context, principal)
    const owner = ownerOf(member)
    const from = { address: request.ip, proof: member.sessionId }
    await takeCodeTry(context, member.instance, { person: owner.person, from })
    const confirmation = { code: body.code, sessionId: member.sessionId, onlyFirst: false }
    return { recoveryCodes: [...(await confirmFactor(context, owner, confirmation))] }
  }),
  bind(contract.removeSecondFactor, async ({ context, principal }) => {
    const member = requireFreshSignIn(context, principal)
    if (await isFactorRequired(context, member.instance, member.personId))
      throw new Refusal('second_factor_required')
    return removeFactor(context, ownerOf(member), member.sessionId)
  }),
  bind(contract.makeRecoveryCodes, async ({ context, principal }) => ({
    recoveryCodes: [...(await renewCodes(context, freshOwner(context, principal)))],
  })),
]
