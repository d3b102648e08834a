/** The invitation in an address, as its page and the way to the provider's own issuer read it. */
import type { FastifyRequest } from 'fastify'
import { Refusal } from '@kvitt/domain/errors.ts'
import type { Context } from '../context.ts'
import { portalOfHost, type Instance } from '../instances/instances.ts'
import { hashOf } from '../staff/staff.ts'
import { readOpenInvitation, type OpenInvitation } from './users.queries.ts'

export const INVITATION_PATH = '/oidc/invitation'

export const tokenIn = (request: FastifyRequest): string => (request.params as { token: string }).token

/** The portal that the person works in, on the host that they are at. */
export function portalAt(request: FastifyRequest, { is_creditors: isCreditors }: OpenInvitation): string {
  const host = portalOfHost(request.tenant as Instance, request.headers.host)
  return host === 'client' || host === 'admin' ? '/' : isCreditors ? '/client/' : '/admin/'
}

/** Refuses `invitation_over`. */
export async function openInvitationOf(
  context: Context,
  request: FastifyRequest,
  token: string,
): Promise<OpenInvitation> {
  const instance = request.tenant as Instance | undefined
  if (!instance) throw new Refusal('not_found')
  const at = new Date(context.clock.now()).toISOString()
  const found = await readOpenInvitation(context.db, {
    instanceId: instance.id,
    tokenHash: hashOf(token),
    at,
  })
  if (!found) throw new Refusal('invitation_over')
  return found
}

/** What is shown; `told` is a sentence of why it is shown again. */
export type Form = {
  readonly invitation: OpenInvitation
  readonly token: string
  readonly told?: string
  readonly fault?: 'invitation.too_weak'
}
