/** The calls about one's own second factor and passkeys. A program has none. */
import * as passkey from '@kvitt/domain/staff/passkey.contract.ts'
import * as contract from '@kvitt/domain/staff/second-factor.contract.ts'
import { Refusal } from '@kvitt/domain/errors.ts'
import type { Context } from '../context.ts'
import type { Binding } from '../platform/http/call.ts'
import type { Transaction } from '../platform/database/database.ts'
import { bind, bindSharedRow } from '../sign-in/bind.ts'
import {
  requireFreshSignIn,
  requireOpenSession,
  requireOwnProof,
  type OfficePrincipal,
  type StaffMember,
} from '../staff/staff.ts'
import { addPasskey, beginPasskey } from './add-passkey.ts'
import { countCodesLeft, readFactor } from './factors.queries.ts'
import { findPasskey, listPasskeys, removePasskey, renamePasskey } from './own-passkeys.ts'
import { readPasskeys } from './passkeys.queries.ts'
import { takeCodeTry } from './prove-code.ts'
import { findRelyingParty, relyingPartyOf } from './relying-party.ts'
import { isFactorRequired } from './second-factor.ts'
import { beginFactor, confirmFactor, removeFactor, renewCodes, type ChangingOwner } from './set-up.ts'

function ownerOf({ clock }: Pick<Context, 'clock'>, member: StaffMember): ChangingOwner {
  requireOwnProof(member)
  const { instance, personId: id, email, name } = member
  const requireStill = (tx: Transaction) => requireOpenSession({ db: tx, clock }, member)
  return { instance, person: { id, email, name }, requireStill }
}

const freshOwner = (context: Context, principal: OfficePrincipal): ChangingOwner =>
  ownerOf(context, requireFreshSignIn(context, principal))

export const SECOND_FACTOR_BINDINGS: readonly Binding[] = [
  bind(contract.getSecondFactor, async ({ context, principal }) => {
    if (principal.kind !== 'staff') throw new Refusal('not_allowed')
    const { instance, personId } = principal
    const factor = await readFactor(context.db, personId)
    return {
      isOn: factor !== undefined,
      since: factor?.confirmed_at ? new Date(factor.confirmed_at).toISOString() : null,
      recoveryCodesLeft: await countCodesLeft(context.db, personId),
      hasPasskey: (await readPasskeys(context.db, personId)).length > 0,
      isRequired: await isFactorRequired(context, instance, personId),
    }
  }),
  bind(contract.beginSecondFactor, ({ context, principal }) =>
    beginFactor(context, freshOwner(context, principal)),
  ),
  bind(contract.confirmSecondFactor, async ({ context, principal, body, request }) => {
    const member = requireFreshSignIn(context, principal)
    const owner = ownerOf(context, member)
    const from = { address: request.ip, proof: member.sessionId }
    await takeCodeTry(context, member.instance, { person: owner.person, from })
    const confirmation = { code: body.code, sessionId: member.sessionId, onlyFirst: false }
    return { recoveryCodes: [...(await confirmFactor(context, owner, confirmation))] }
  }),
  bind(contract.removeSecondFactor, ({ context, principal }) => {
    const member = requireFreshSignIn(context, principal)
    return removeFactor(context, ownerOf(context, member), { sessionId: member.sessionId })
  }),
  bind(contract.makeRecoveryCodes, async ({ context, principal }) => ({
    recoveryCodes: [...(await renewCodes(context, freshOwner(context, principal)))],
  })),
  bind(passkey.listPasskeys, ({ context, principal, request }) => {
    if (principal.kind !== 'staff') throw new Refusal('not_allowed')
    return listPasskeys(context, principal.personId, findRelyingParty(request))
  }),
  bind(passkey.beginPasskey, ({ context, principal, request }) => {
    const member = requireFreshSignIn(context, principal)
    const adding = { by: { sessionId: member.sessionId }, party: relyingPartyOf(request) }
    return beginPasskey(context, ownerOf(context, member), adding)
  }),
  bind(passkey.addPasskey, async ({ context, principal, request, body }) => {
    const member = requireFreshSignIn(context, principal)
    const adding = { by: { sessionId: member.sessionId }, party: relyingPartyOf(request), ...body }
    return { recoveryCodes: [...(await addPasskey(context, ownerOf(context, member), adding))] }
  }),
  bindSharedRow(passkey.renamePasskey, findPasskey, ({ context, principal, row, body: { name } }) => {
    if (principal.kind !== 'staff') throw new Refusal('not_allowed')
    return renamePasskey(context, ownerOf(context, principal), { id: row.id, name })
  }),
  bindSharedRow(passkey.removePasskey, findPasskey, ({ context, principal, row }) => {
    const member = requireFreshSignIn(context, principal)
    return removePasskey(context, ownerOf(context, member), { id: row.id, sessionId: member.sessionId })
  }),
]
