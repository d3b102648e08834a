/** The one address that an issuer leads back to: it proves nothing, and leads on to what the browser began, where its cookies are. */
import type { FastifyInstance } from 'fastify'
import { Refusal } from '@kvitt/domain/errors.ts'
import type { Context } from '../context.ts'
import type { Instance } from '../instances/instances.ts'
import { hashOf } from '../staff/staff.ts'
import { readGoOn } from './issuer-tries.queries.ts'

export const CALLBACK_PATH = '/oidc/issuer/callback'
const KEPT = ['code', 'state', 'iss', 'error'] as const

/** Serves it. What is not known leads nowhere: no address of a caller's is followed. Refuses `sign_in_expired`. */
export function serveIssuerCallback(
  app: FastifyInstance,
  { db, clock }: Pick<Context, 'db' | 'clock'>,
): void {
  app.get(CALLBACK_PATH, async (request, reply) => {
    const instance = request.tenant as Instance | undefined
    if (!instance) throw new Refusal('not_found')
    const query = request.query as Readonly<Record<string, unknown>>
    const { state } = query
    if (typeof state !== 'string') throw new Refusal('sign_in_expired')
    const at = new Date(clock.now()).toISOString()
    const goOn = await readGoOn(db, { instanceId: instance.id, stateHash: hashOf(state), at })
    if (goOn === undefined) throw new Refusal('sign_in_expired')
    const brought = new URLSearchParams()
    for (const name of KEPT) {
      const value = query[name]
      if (typeof value === 'string') brought.set(name, value)
    }
    return reply.header('cache-control', 'no-store').redirect(`${goOn}?${brought.toString()}`, 303)
  })
}
