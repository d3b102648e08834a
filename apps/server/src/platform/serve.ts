/** HTTP: binds contracts to use cases. */
import { randomUUID } from 'node:crypto'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { debtorQuery, type Contract, type Door } from '@kvitt/domain/contract.ts'
import { Refusal } from '@kvitt/domain/errors.ts'
import type { Context } from '../context.ts'
import { isProbe } from './health.ts'
import { limitConnections } from './connections.ts'
import { isHttps, isPressedElsewhere, namesTwoHosts, ONLY_HTTPS } from './arrival.ts'
import { formOf, readForms } from './forms.ts'
import { writeJson } from './json.ts'
import { SERVER_LIMITS } from './limits.ts'
import { untilGone } from './until-gone.ts'
import { logAnswer } from './log.ts'
import { isListed, linkHeader, pageOfWhole } from './paging.ts'
import { pathsOf } from './paths.ts'
import { Replayed } from './replayed.ts'
import { readInput, sentTo } from './read-input.ts'
import { readJson } from './read-json.ts'
import { rewriteUrl } from './request-path.ts'
import { isFile, sendFile } from './send-file.ts'
import { sendNotFound } from './send-not-found.ts'
import { answerBrokenRequest, refuseConnection, SECURITY_HEADERS, sendFailure } from './send-problem.ts'
import { watchBodies } from './slow-bodies.ts'
import type { Language } from './texts.ts'

export { pathOf, pathsOf } from './paths.ts'

/** Whose host a request came to. Features know more of it than the door does. */
export type Tenant = { readonly id: string; readonly language: Language; readonly mode: 'test' | 'live' }

declare module 'fastify' {
  interface FastifyRequest {
    tenant: Tenant | undefined
    /** Does the browser reach us over https, as far as the address, the proxy and the tenant tell? */
    isHttps: boolean
    /** Proven at the debtor's door; features know what it is. */
    session: unknown
    traceId: string
    startedAt: number
  }
  interface FastifyContextConfig {
    takesForm?: boolean
  }
}

/** What a handler is given: who asks, and the checked input. */
export type Call<Asker, Query, Body> = {
  readonly context: Context
  readonly asker: Asker
  readonly query: Query
  readonly body: Body
  readonly request: FastifyRequest
  /** Ends when whoever asked has gone. */
  readonly untilGone: () => AbortSignal
  /** Receives and checks the body of a call that takes a form; `body` is undefined then. */
  readonly receive: () => Promise<Body>
}

export type Handler<Asker> = (call: Call<Asker, never, never>) => Promise<unknown>

/** A contract and the use case that answers it. */
export type Binding = { readonly contract: Contract; readonly handler: Handler<never> }

export type ServeOptions = {
  readonly context: Context
  readonly bindings: readonly Binding[]
  /** Whose host this is; undefined answers 404. */
  readonly tenantOf: (hostHeader: string | undefined) => Promise<Tenant | undefined>
  /** Who is signed in, before anything behind the debtor's door is looked for, or refuses. */
  readonly signedIn: (tenant: Tenant, request: FastifyRequest) => Promise<SignedIn>
  /** Lets in who asks, before the call does anything, or refuses. */
  readonly admit: (knock: Knock) => Promise<Admitted>
  /** Told of each refusal before it is answered. */
  readonly refused?: (request: FastifyRequest, refusal: Refusal) => Promise<void>
  /** Compares each answer with its contract and turns a difference into a 500. */
  readonly checkAnswers: boolean
}

/** A session, and the token that takes the place of the one that came, when it is time for that (D-05). */
export type SignedIn = { readonly session: unknown; readonly renewedToken: string | undefined }

/**
 * A call at a door: a public one with the pair of its path, a debtor's with its session and what it is about, an
 * open one with neither.
 */
export type Knock = {
  readonly tenant: Tenant
  readonly contract: Contract
  readonly request: FastifyRequest
  readonly credentials?: { readonly reference: string; readonly zip: string }
  readonly signedIn?: {
    readonly session: unknown
    readonly about: Readonly<Partial<Record<'reference' | 'zip' | 'id', string | undefined>>>
  }
}

/** An answer that also sets cookies. */
export class WithCookies {
  readonly answer: unknown
  readonly cookies: readonly string[]
  constructor(answer: unknown, cookies: readonly string[]) {
    this.answer = answer
    this.cookies = cookies
  }
}

/** Who asks, and the cookie for the browser once the call has succeeded. */
export type Admitted = {
  readonly asker: unknown
  readonly setCookie?: string | undefined
  /** Set when the call's own first read decides whether who asks is let in. */
  readonly prove?: (() => Promise<void>) | undefined
}

/** The server without its port: listen on it, or inject requests into it. */
export function buildServer(options: ServeOptions): FastifyInstance {
  const { context } = options
  const app = Fastify({
    logger: false,
    trustProxy: context.config.trustedProxies.length > 0 ? [...context.config.trustedProxies] : false,
    ...SERVER_LIMITS,
    rewriteUrl,
    routerOptions: { maxParamLength: 200, ignoreTrailingSlash: false },
    return503OnClosing: true,
    forceCloseConnections: 'idle',
    clientErrorHandler: answerBrokenRequest,
    frameworkErrors: (error, request, reply) => {
      request.traceId ??= randomUUID()
      void answerBadPath(options, request, reply, error)
    },
  })
  limitConnections(app.server, context.config, refuseConnection)
  app.decorateRequest('tenant', undefined)
  app.decorateRequest('isHttps', false)
  app.decorateRequest('session', undefined)
  app.decorateRequest('traceId', '')
  app.decorateRequest('startedAt', 0)
  // Only JSON is read: what a form of another site can send without being asked is not.
  app.removeContentTypeParser('text/plain')
  readJson(app)
  const bodies = watchBodies(answerBrokenRequest)
  app.addHook('onRequest', async (request, reply) => {
    request.traceId = randomUUID()
    request.startedAt = context.clock.now()
    if (!request.routeOptions.config.takesForm) bodies.begin(request.raw)
    reply.headers(SECURITY_HEADERS)
    if (request.url.startsWith('/api/')) reply.header('cache-control', 'no-store')
    if (isProbe(request.url)) return
    if (namesTwoHosts(request)) throw new Refusal('invalid_request')
    request.tenant = await options.tenantOf(request.headers.host)
    request.isHttps = isHttps(
      { protocol: request.protocol, host: request.headers.host ?? '' },
      { publicUrl: context.config.publicUrl, mode: request.tenant?.mode ?? 'test' },
    )
    if (request.isHttps) reply.header('strict-transport-security', ONLY_HTTPS)
    if (isPressedElsewhere(request)) throw new Refusal('invalid_request')
    // Before anything is looked for, so that nobody learns which paths exist behind the debtor's door (D-25).
    if (/^\/api\/debtor(\/|\?|$)/.test(request.url)) await openDebtorDoor(options, request, reply)
  })
  let isClosing = false
  app.addHook('preClose', async () => void (isClosing = true))
  app.addHook('onSend', async (_request, reply) => {
    // A connection that is kept alive would keep a stopping process alive with it.
    if (isClosing) reply.header('connection', 'close')
  })
  app.addHook('onResponse', async (request, reply) => {
    bodies.end(request.raw)
    logAnswer(context.log, request, { reply, ms: context.clock.now() - request.startedAt })
  })
  app.setErrorHandler(async (error, request, reply) => {
    if (error instanceof Refusal) await options.refused?.(request, error)
    return sendFailure(context.log, request, reply, error as Error)
  })
  app.setNotFoundHandler((request, reply) => sendNotFound(app, options.bindings, request, reply))
  const underWay = new Set<Promise<unknown>>()
  // A caller who has gone does not end the call: what it needs may only be closed after it.
  app.addHook('onClose', async () => {
    bodies.stop()
    await Promise.allSettled(underWay)
  })
  const [forms, others] = [true, false].map((isForm) =>
    options.bindings.filter(({ contract }) => isForm === (contract.largestFile !== undefined)),
  ) as [Binding[], Binding[]]
  for (const binding of others) bind(app, { ...options, underWay }, binding)
  void app.register(async (scope) => {
    await readForms(scope)
    for (const binding of forms) bind(scope, { ...options, underWay }, binding)
  })
  return app
}

/** A path that cannot be read, or with a part that is too long. As a pair it is one that nobody has. */
async function answerBadPath(
  options: ServeOptions,
  request: FastifyRequest,
  reply: FastifyReply,
  error: Error,
): Promise<void> {
  try {
    reply.header('connection', 'close') // Nothing reads its body, if it has one.
    request.tenant = await options.tenantOf(request.headers.host)
    const isPair = /^\/api\/public\/(invoices|collection-batches)\//.test(request.url)
    const refusal = isPair && request.tenant ? new Refusal('login_error::invalid_data') : error
    void sendFailure(options.context.log, request, reply, refusal)
  } catch (failure) {
    void sendFailure(options.context.log, request, reply, failure as Error)
  }
}

async function openDebtorDoor(
  options: ServeOptions,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  if (!request.tenant) throw new Refusal('not_signed_in')
  const { session, renewedToken } = await options.signedIn(request.tenant, request)
  request.session = session
  if (renewedToken) reply.header('x-session-token', renewedToken)
}

type BindOptions = ServeOptions & { readonly underWay: Set<Promise<unknown>> }

function bind(app: FastifyInstance, options: BindOptions, { contract, handler }: Binding): void {
  for (const door of contract.doors) {
    for (const url of pathsOf(contract, door)) {
      app.route({
        method: contract.method,
        url,
        config: { takesForm: contract.largestFile !== undefined },
        handler: (request, reply) => {
          const answer = answerCall(options, { contract, handler }, { door, request, reply })
          options.underWay.add(answer)
          return answer.finally(() => options.underWay.delete(answer))
        },
      })
    }
  }
}

type Asked = { readonly door: Door; readonly request: FastifyRequest; readonly reply: FastifyReply }

async function answerCall(
  options: ServeOptions,
  { contract, handler }: Binding,
  { door, request, reply }: Asked,
): Promise<FastifyReply> {
  const { tenant } = request
  if (!tenant) throw new Refusal('not_found')
  const admitted = await options.admit({ tenant, contract, request, ...readKnock(door, request) })
  const { asker, setCookie } = admitted
  const { query, body, form } = await readInputs(options.context, contract, request, admitted)
  const own = { untilGone: () => untilGone(reply), receive: form?.receive, context: options.context }
  const call = { asker, query, body, request, ...own }
  let given: unknown
  try {
    given = await handler(call as unknown as Call<never, never, never>)
  } finally {
    await form?.close()
  }
  const said = given instanceof Replayed ? given.answer : given
  if (given instanceof Replayed) reply.header('idempotency-hit', 'true')
  const { answer: told, cookies } = said instanceof WithCookies ? said : { answer: said, cookies: [] }
  const answer = Array.isArray(told) ? pageOfWhole(told, query as object) : told
  const all = setCookie ? [setCookie, ...cookies] : cookies
  if (all.length > 0) reply.header('set-cookie', [...all])
  return sendAnswer(options, contract, { request, reply, answer })
}

function readKnock(door: Door, request: FastifyRequest): Pick<Knock, 'credentials' | 'signedIn'> {
  const { paymentReference = '', zip = '', id } = request.params as Record<string, string>
  if (door === 'public') return { credentials: { reference: paymentReference, zip } }
  if (door === 'open') return {}
  // A path that is spelled so that the hook above does not know it is no way around the session.
  if (!request.session) throw new Refusal('not_signed_in')
  const query = readInput(debtorQuery, request.query)
  return {
    signedIn: { session: request.session, about: { reference: query.paymentReference, zip: query.zip, id } },
  }
}

/** Whoever is not let in hears that first, whatever they sent. */
async function readInputs(
  context: Context,
  contract: Contract,
  request: FastifyRequest,
  { prove }: Admitted,
) {
  try {
    const query = readInput(contract.query, request.query)
    const form = formOf(request, contract, context.config.dataDir)
    const sent = form || contract.method === 'GET' ? undefined : sentTo(contract, request.body)
    return { query, form, body: form ? undefined : readInput(contract.body, sent) }
  } catch (error) {
    await prove?.()
    throw error
  }
}

type Sent = { readonly request: FastifyRequest; readonly reply: FastifyReply; readonly answer: unknown }

function sendAnswer(
  options: ServeOptions,
  contract: Contract,
  { request, reply, answer }: Sent,
): FastifyReply {
  if (isFile(answer)) return sendFile(reply, answer)
  if (contract.status === 204) return reply.code(204).send()
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
