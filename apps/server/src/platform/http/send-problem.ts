/** The one place where a refusal or a failure becomes an answer. */
import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Refusal, type ErrorCode } from '@kvitt/domain/errors.ts'
import { isDatabaseAway, isDatabaseBusy } from '../database/database-away.ts'
import { routeForLog, type Log } from '../log.ts'
import { describeProblem } from './problem.ts'
import { problemPage, wantsPage } from '../pages/problem-page.ts'
import { languageFrom } from '../texts.ts'

export const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'x-frame-options': 'DENY',
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=()',
}

/** How long whoever is told that we are done may take to go, before the line is cut. */
const GOODBYE_MS = 2_000

/**
 * What is not even HTTP that we read: headers too large, a broken line. There is no request to answer by. Whoever goes on
 * sending all the same holds no connection by that.
 */
export function answerBrokenRequest(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  socket.end(writtenProblem('400 Bad Request', new Refusal('invalid_request')))
  setTimeout(() => socket.destroy(), GOODBYE_MS).unref()
}

/** One connection too many of an address: it hears why, and is closed. */
export function refuseConnection(socket: Socket): void {
  socket.on('error', () => {})
  socket.pause()
  socket.write(writtenProblem('503 Service Unavailable', new Refusal('unavailable')))
  socket.destroySoon()
}

/** A whole answer, to what is not read as a request. */
function writtenProblem(status: string, refusal: Refusal): string {
  const body = JSON.stringify(describeProblem(refusal, 'sv', randomUUID()))
  const headers = [
    `HTTP/1.1 ${status}`,
    'Content-Type: application/problem+json; charset=utf-8',
    'Cache-Control: no-store',
    ...(status.startsWith('503') ? ['Retry-After: 5'] : []),
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ]
  return `${headers.join('\r\n')}\r\n\r\n${body}`
}

/** Fastify's own complaints about a request, by code, as ours. */
const FRAMEWORK_ERRORS: Readonly<Record<string, ErrorCode>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'payload_too_large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
  FST_ERR_BAD_URL: 'not_found',
  FST_ERR_MAX_PARAM_LENGTH: 'not_found',
}

function refusalOf(error: Error): Refusal | undefined {
  if (error instanceof Refusal) return error
  const code = (error as { code?: unknown }).code
  const known = typeof code === 'string' ? FRAMEWORK_ERRORS[code] : undefined
  if (known) return new Refusal(known)
  const status = (error as { statusCode?: unknown }).statusCode
  return typeof status === 'number' && status >= 400 && status < 500
    ? new Refusal('invalid_request')
    : undefined
}

/** Whatever was thrown, as an answer. What is not a refusal is our own fault, and goes to the log. */
export function sendFailure(
  log: Log,
  request: FastifyRequest,
  reply: FastifyReply,
  error: Error,
): FastifyReply {
  const known = refusalOf(error)
  const isPassing = isDatabaseAway(error) || isDatabaseBusy(error)
  const refusal = known ?? new Refusal(isPassing ? 'unavailable' : 'internal_error')
  if (!known)
    log.error({ err: error, traceId: request.traceId, route: routeForLog(request) }, 'request failed')
  return sendProblem(request, reply, refusal)
}

export function sendProblem(request: FastifyRequest, reply: FastifyReply, refusal: Refusal): FastifyReply {
  const language = languageFrom(request.headers['accept-language'], request.tenant?.language ?? 'sv')
  const problem = describeProblem(refusal, language, request.traceId)
  const wait = problem.params.retryAfterSeconds ?? (problem.status === 503 ? '5' : undefined)
  if (wait) reply.header('retry-after', wait)
  reply.code(problem.status).headers(SECURITY_HEADERS).header('cache-control', 'no-store')
  if (wantsPage(request)) {
    const { html, policy } = problemPage(problem, language, request.tenant !== undefined)
    return reply
      .header('content-type', 'text/html; charset=utf-8')
      .header('content-security-policy', policy)
      .send(html)
  }
  return reply.header('content-type', 'application/problem+json; charset=utf-8').send(JSON.stringify(problem))
}
