/** HTTP: binds contracts to use cases, and is the one place where a refusal becomes an answer. */
import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { Contract } from '@kvitt/domain/contract.ts'
import { Refusal, type ErrorCode } from '@kvitt/domain/errors.ts'
import type { Context } from '../context.ts'
import { writeJson } from './json.ts'
import { pathForLog } from './log.ts'
import { linkHeader, type Listed } from './paging.ts'
import { describeProblem } from './problem.ts'
import { isFile, sendFile } from './send-file.ts'
import { languageFrom, type Language } from './texts.ts'

/** Whose host a request came to. Features know more of it than the door does. */
export type Tenant = { readonly id: string; readonly language: Language }

declare module 'fastify' {
  interface FastifyRequest {
    tenant: Tenant | undefined
    traceId: string
    startedAt: number
  }
}

/** What a handler is given: who asks, and the checked input. */
export type Call<Asker, Query, Body> = {
  readonly context: Context
  readonly asker: Asker
  readonly query: Query
  readonly body: Body
  readonly request: FastifyRequest
}

export type Handler<Asker> = (call: Call<Asker, never, never>) => Promise<unknown>

/** A contract and the use case that answers it. */
export type Binding = { readonly contract: Contract; readonly handler: Handler<never> }

export type ServeOptions = {
  readonly context: Context
  readonly bindings: readonly Binding[]
  /** Whose host this is; undefined answers 404. */
  readonly tenantOf: (hostHeader: string | undefined) => Promise<Tenant | undefined>
  /** Lets in who asks, before the call does anything, or refuses. */
  readonly admit: (knock: Knock) => Promise<Admitted>
  /** Compares each answer with its contract and turns a difference into a 500. */
  readonly checkAnswers: boolean
}

/** A call at a door, with what its path names the asker by; an open call has no credentials. */
export type Knock = {
  readonly tenant: Tenant
  readonly contract: Contract
  readonly request: FastifyRequest
  readonly credentials: { readonly reference: string; readonly zip: string } | undefined
}

/** Who asks, and the cookie for the browser once the call has succeeded. */
export type Admitted = { readonly asker: unknown; readonly setCookie?: string | undefined }

const BODY_LIMIT = 1024 * 1024

export const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'x-frame-options': 'DENY',
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=()',
}

/** The server without its port: listen on it, or inject requests into it. */
export function buildServer(options: ServeOptions): FastifyInstance {
  const { context } = options
  const app = Fastify({
    logger: false,
    bodyLimit: BODY_LIMIT,
    trustProxy: context.config.trustedProxies.length > 0 ? [...context.config.trustedProxies] : false,
    requestTimeout: 30_000,
    keepAliveTimeout: 72_000,
    routerOptions: { maxParamLength: 200, ignoreTrailingSlash: false },
    return503OnClosing: true,
    forceCloseConnections: 'idle',
    clientErrorHandler: answerBrokenRequest,
    frameworkErrors: (error, request, reply) => {
      request.traceId ??= randomUUID()
      void sendFailure(options, request, reply, error)
    },
  })
  app.decorateRequest('tenant', undefined)
  app.decorateRequest('traceId', '')
  app.decorateRequest('startedAt', 0)
  app.addHook('onRequest', async (request, reply) => {
    request.traceId = randomUUID()
    request.startedAt = context.clock.now()
    reply.headers(SECURITY_HEADERS)
    if (request.url.startsWith('/api/')) reply.header('cache-control', 'no-store')
    request.tenant = await options.tenantOf(request.headers.host)
    // Before routing, so that nobody learns which paths exist behind the debtor's door (D-25).
    if (/^\/api\/debtor(\/|\?|$)/.test(request.url)) throw new Refusal('not_signed_in')
  })
  let isClosing = false
  app.addHook('preClose', async () => {
    isClosing = true
  })
  app.addHook('onSend', async (_request, reply) => {
    // A connection that is kept alive would keep a stopping process alive with it.
    if (isClosing) reply.header('connection', 'close')
  })
  app.addHook('onResponse', async (request, reply) => {
    if (!context.log.isLevelEnabled('info')) return
    const ms = context.clock.now() - request.startedAt
    context.log.info({
      method: request.method,
      path: pathForLog(request.url),
      status: reply.statusCode,
      ms,
      traceId: request.traceId,
    })
  })
  app.setErrorHandler((error, request, reply) => sendFailure(options, request, reply, error as Error))
  app.setNotFoundHandler((request, reply) => sendNotFound(options, app, request, reply))
  for (const binding of options.bindings) bind(app, options, binding)
  return app
}

/** What is not even HTTP that we read: headers too large, a broken line. There is no request to answer by. */
function answerBrokenRequest(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const problem = describeProblem(new Refusal('invalid_request'), 'sv', randomUUID())
  const body = JSON.stringify(problem)
  socket.end(
    `HTTP/1.1 400 Bad Request\r\nContent-Type: application/problem+json; charset=utf-8\r\nCache-Control: no-store\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  )
}

/** The path of a contract behind one of its doors. */
export function pathOf(contract: Contract, door: 'open' | 'public' | 'debtor'): string {
  if (door === 'open') return `/api${contract.path}`
  if (door === 'public') return `/api/public/${contract.subject}/:paymentReference/:zip${contract.path}`
  return `/api/debtor/${contract.subject}${contract.path}`
}

function bind(app: FastifyInstance, options: ServeOptions, { contract, handler }: Binding): void {
  // The debtor's door has no sessions yet: the hook above answers it whole.
  for (const door of contract.doors.filter((d) => d !== 'debtor')) {
    app.route({
      method: contract.method,
      url: pathOf(contract, door),
      handler: async (request, reply) => {
        const { tenant } = request
        if (!tenant) throw new Refusal('not_found')
        const { paymentReference = '', zip = '' } = request.params as Record<string, string>
        const credentials = door === 'public' ? { reference: paymentReference, zip } : undefined
        const { asker, setCookie } = await options.admit({ tenant, contract, request, credentials })
        const query = readInput(contract, 'query', request.query)
        const body = readInput(
          contract,
          'body',
          contract.method === 'GET' ? undefined : (request.body ?? undefined),
        )
        const call = { context: options.context, asker, query, body, request } as unknown as Call<
          never,
          never,
          never
        >
        const answer = await handler(call)
        if (setCookie) reply.header('set-cookie', setCookie)
        return sendAnswer(options, contract, { request, reply, answer })
      },
    })
  }
}

function readInput(contract: Contract, part: 'query' | 'body', value: unknown): unknown {
  const isNothing =
    value === undefined || (value !== null && typeof value === 'object' && Object.keys(value).length === 0)
  const result = contract[part].safeParse(value)
  if (result.success) return result.data
  // A call that takes no body is not harmed by an empty one.
  if (part === 'body' && isNothing && contract.body.safeParse(undefined).success) return undefined
  const fields = result.error.issues.map((issue) => issue.path.join('.')).filter((f) => f !== '')
  throw new Refusal('invalid_request', {}, [...new Set(fields)].slice(0, 20))
}

function isListed(answer: unknown): answer is Listed<unknown> {
  return (
    answer !== null &&
    typeof answer === 'object' &&
    'items' in answer &&
    'total' in answer &&
    'page' in answer
  )
}

type Sent = { readonly request: FastifyRequest; readonly reply: FastifyReply; readonly answer: unknown }

function sendAnswer(
  options: ServeOptions,
  contract: Contract,
  { request, reply, answer }: Sent,
): FastifyReply {
  if (isFile(answer)) return sendFile(reply, answer)
  const listed = isListed(answer) ? answer : undefined
  const json = writeJson(listed ? listed.items : answer)
  if (options.checkAnswers) {
    const checked = contract.response.safeParse(JSON.parse(json))
    if (!checked.success) throw new Error(`${contract.name} broke its contract: ${checked.error.message}`)
  }
  if (listed) {
    reply.header('x-total-count', listed.total)
    reply.header('link', linkHeader(request.url, listed))
  }
  return reply.code(contract.status).header('content-type', 'application/json; charset=utf-8').send(json)
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

/** SQLSTATE classes and system errors that mean: the database is not there now. */
const DATABASE_AWAY = /^(08|53|57P0|ECONN|ENOENT|EPIPE|ETIMEDOUT)/

function sendFailure(
  options: ServeOptions,
  request: FastifyRequest,
  reply: FastifyReply,
  error: Error,
): FastifyReply {
  const known = refusalOf(error)
  const { code } = error as { code?: unknown }
  const isAway = typeof code === 'string' && DATABASE_AWAY.test(code)
  const refusal = known ?? new Refusal(isAway ? 'unavailable' : 'internal_error')
  if (!known)
    options.context.log.error(
      { err: error, traceId: request.traceId, path: pathForLog(request.url) },
      'request failed',
    )
  return sendProblem(request, reply, refusal)
}

export function sendProblem(request: FastifyRequest, reply: FastifyReply, refusal: Refusal): FastifyReply {
  const language = languageFrom(request.headers['accept-language'], request.tenant?.language ?? 'sv')
  const problem = describeProblem(refusal, language, request.traceId)
  const wait = problem.params.retryAfterSeconds ?? (problem.status === 503 ? '5' : undefined)
  if (wait) reply.header('retry-after', wait)
  return reply
    .code(problem.status)
    .headers(SECURITY_HEADERS)
    .header('cache-control', 'no-store')
    .header('content-type', 'application/problem+json; charset=utf-8')
    .send(JSON.stringify(problem))
}

const METHODS = ['GET', 'POST', 'PUT', 'DELETE'] as const

/** 405 where the path exists under another method, else the neutral 404. */
function sendNotFound(
  options: ServeOptions,
  app: FastifyInstance,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const path = request.url.split('?', 1)[0] ?? ''
  const allowed = METHODS.filter(
    (method) => app.findRoute({ method, url: path }) ?? matches(options, method, path),
  )
  if (
    request.tenant &&
    path.startsWith('/api/') &&
    allowed.length > 0 &&
    !allowed.includes(request.method as 'GET')
  ) {
    reply.header('allow', allowed.join(', '))
    return sendProblem(request, reply, new Refusal('method_not_allowed'))
  }
  return sendProblem(request, reply, new Refusal('not_found'))
}

function matches({ bindings }: ServeOptions, method: string, path: string): boolean {
  return bindings.some(({ contract }) =>
    contract.doors
      .filter((door) => door !== 'debtor' && contract.method === method)
      .some((door) => new RegExp(`^${pathOf(contract, door).replace(/:\w+/g, '[^/]+')}$`).test(path)),
  )
}
