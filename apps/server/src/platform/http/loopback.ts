/** Who sits at this machine. */
import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { Refusal } from '@kvitt/domain/errors.ts'

/** What a proxy adds: whoever it speaks for is elsewhere. */
export const PROXY_HEADERS = [
  'forwarded',
  'via',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
]

/**
 * Refuses with 404 whoever did not come straight from this machine and by its own name: a page elsewhere whose
 * name leads here (DNS rebinding) comes with that name.
 */
export function requireLoopback(request: FastifyRequest): void {
  const isLocal = /^(127\.|::1$|::ffff:127\.)/.test(request.socket.remoteAddress ?? '')
  const isNamedSo = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])(:\d+)?$/.test(request.headers.host ?? '')
  const isPassedOn = PROXY_HEADERS.some((name) => request.headers[name] !== undefined)
  const isForeign = request.headers['sec-fetch-site'] === 'cross-site'
  if (!isLocal || !isNamedSo || isPassedOn || isForeign) throw new Refusal('not_found')
}

/** As `requireLoopback`, and lets whoever shows the token come from anywhere: a Prometheus on another machine. */
export function requireWatcher(request: FastifyRequest, token: string | undefined): void {
  const shown = /^Bearer (\S+)$/.exec(request.headers.authorization ?? '')?.[1]
  if (token === undefined || shown === undefined) return requireLoopback(request)
  const [one, other] = [shown, token].map((text) => createHash('sha256').update(text).digest())
  if (!one || !other || !timingSafeEqual(one, other)) throw new Refusal('not_found')
}

/** True for the names and numbers of this machine itself. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(host)
}
