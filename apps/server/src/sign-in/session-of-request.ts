/** The session that a request at the debtor's door has proven. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '@kvitt/domain/errors.ts'
import { requireSession, type SessionParts } from './sessions.ts'
import type { Session } from './viewer.ts'

const proven = new WeakMap<FastifyRequest, Session>()

/** Undefined for a request that came to another door. */
export function sessionOfRequest(request: FastifyRequest): Session | undefined {
  return proven.get(request)
}

/**
 * Who is signed in, before anything behind the debtor's door is looked for, or refuses. The answer carries the token that takes
 * the place of the one that came, when it is time for that (D-05).
 */
export async function proveSession(
  parts: SessionParts,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  if (!request.tenant) throw new Refusal('not_signed_in')
  const session = await requireSession(parts, {
    instanceId: request.tenant.id,
    // Node keeps the first of two headers and says nothing; two are a contradiction and prove nothing.
    authorization: request.raw.rawHeaders.filter(
      (_, at, all) => all[at - 1]?.toLowerCase() === 'authorization' && at % 2 === 1,
    ),
    cookie: request.headers.cookie,
    isHttps: request.isHttps,
  })
  proven.set(request, session)
  if (session.renewedToken) reply.header('x-session-token', session.renewedToken)
}
