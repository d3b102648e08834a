/** Who sits at this machine. */
import type { FastifyRequest } from 'fastify'
import { Refusal } from '@kvitt/domain/errors.ts'

/** Refuses with 404 whoever did not come straight from this machine; what a proxy passes on came from elsewhere. */
export function requireLoopback(request: FastifyRequest): void {
  const isLocal = /^(127\.|::1$|::ffff:127\.)/.test(request.socket.remoteAddress ?? '')
  const isPassedOn =
    request.headers['x-forwarded-for'] !== undefined || request.headers.forwarded !== undefined
  if (!isLocal || isPassedOn) throw new Refusal('not_found')
}
