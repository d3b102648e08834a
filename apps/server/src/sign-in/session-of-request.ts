/** What a request has proven before anything is looked for: the session of a debtor, or who it is of staff. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '@kvitt/domain/errors.ts'
import type { Instance } from '../instances/instances.ts'
import { requireStaff, type CallBudget, type KeyHolder, type StaffMember } from '../staff/staff.ts'
import { isPeekToken, requirePeek } from './peeks.ts'
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
  const proof = {
    instanceId: request.tenant.id,
    authorization: authorizationsOf(request),
    cookie: request.headers.cookie,
    isHttps: request.isHttps,
  }
  const session = await (isPeekToken(request.headers.authorization) ? requirePeek : requireSession)(
    parts,
    proof,
  )
  proven.set(request, session)
  if (session.renewedToken) reply.header('x-session-token', session.renewedToken)
}

/** Node keeps the first of two headers and says nothing; two are a contradiction and prove nothing. */
function authorizationsOf(request: FastifyRequest): string[] {
  return request.raw.rawHeaders.filter(
    (_, at, all) => all[at - 1]?.toLowerCase() === 'authorization' && at % 2 === 1,
  )
}

const staff = new WeakMap<FastifyRequest, StaffMember | KeyHolder>()

/** Undefined for a request that came to another door. */
export function staffOfRequest(request: FastifyRequest): StaffMember | KeyHolder | undefined {
  return staff.get(request)
}

/** Who of staff is calling, before anything behind their doors is looked for, or refuses. */
export async function proveStaff(
  parts: SessionParts & { readonly callBudget: CallBudget },
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  if (!request.tenant) throw new Refusal('not_signed_in')
  const found = await requireStaff(parts, request.tenant as Instance, authorizationsOf(request))
  if (found.kind === 'api_key') parts.callBudget(found.keyId, reply)
  staff.set(request, found)
}
