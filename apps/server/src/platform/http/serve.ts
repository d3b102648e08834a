/** HTTP: binds contracts to use cases. */
import { randomUUID } from 'node:crypto'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { Door } from '@kvitt/domain/contract.ts'
import { Refusal } from '@kvitt/domain/errors.ts'
import type { Context } from '../../context.ts'
import { answerCall } from './answer-call.ts'
import { askAgain, mayAskAgain, watchCalls } from '../call-deadline.ts'
import type { Answered, Binding, Tenant } from './call.ts'
import { isProbe } from './health.ts'
import { limitConnections, watchUnused } from './connections.ts'
import { isHttps, isPressedElsewhere, namesTwoHosts, ONLY_HTTPS } from './arrival.ts'
import { readForms } from './forms.ts'
import { SERVER_LIMITS } from './limits.ts'
import { logAnswer } from '../log.ts'
import { LONGEST_PART, namesPair, pathsOf, whyNotFound } from './paths.ts'
import { readJson } from './read-json.ts'
import { rewriteUrl } from './request-path.ts'
import { toldToPage } from './other-contract.ts'
import {
  answerBrokenRequest,
  refuseConnection,
  SECURITY_HEADERS,
  sendFailure,
  sendProblem,
} from './send-problem.ts'
import { watchBodies } from './slow-bodies.ts'

export { pathOf, pathsOf } from './paths.ts'

declare module 'fastify' {
  interface FastifyRequest {
    tenant: Tenant | undefined
    /** Does the browser reach us over https, as far as the address, the proxy and the tenant tell? */
    isHttps: boolean
    traceId: string
    startedAt: number
    /** A file that is made while somebody waits for it, for as long as that takes. */
    isLong: boolean
  }
  interface FastifyContextConfig {
    takesForm?: boolean
    /** A call of a contract, whose answer somebody waits for. */
    isCall?: boolean
  }
}

export type ServeOptions = {
  readonly context: Context
  readonly bindings: readonly Binding[]
  /** Names them; pages that were made for others are told so (other-contract.ts). */
  readonly contract: string
  /** Whose host this is; undefined answers 404. */
  readonly tenantOf: (hostHeader: string | undefined) => Promise<Tenant | undefined>
  /** Proves who is signed in, before anything behind the debtor's or the staff's doors is looked for, or refuses. */
  readonly proveSession: (door: Door, request: FastifyRequest, reply: FastifyReply) => Promise<void>
  /** Told of each refusal before it is answered. */
  readonly refused?: (request: FastifyRequest, refusal: Refusal) => Promise<void>
  /** Compares each answer with its contract and turns a difference into a 500. */
  readonly checkAnswers: boolean
  /** How long a call may take, in milliseconds, where that is not the rule. */
  readonly callMs?: number
}

/** The server without its port: listen on it, or inject requests into it. */
export function buildServer(options: ServeOptions): FastifyInstance {
  const { context } = options
  const app = Fastify({
    logger: false,
    trustProxy: context.config.trustedProxies.length > 0 ? [...context.config.trustedProxies] : false,
    ...SERVER_LIMITS,
    rewriteUrl,
    routerOptions: { maxParamLength: LONGEST_PART, ignoreTrailingSlash: false },
    return503OnClosing: true,
    forceCloseConnections: 'idle',
    clientErrorHandler: answerBrokenRequest,
    frameworkErrors: (error, request, reply) => {
      request.traceId ??= randomUUID()
      void answerBadPath(options, request, reply, error)
    },
  })
  limitConnections(app.server, context.config, refuseConnection)
  const endUnused = watchUnused(app.server)
  app.decorateRequest('tenant', undefined)
  app.decorateRequest('isHttps', false)
  app.decorateRequest('traceId', '')
  app.decorateRequest('startedAt', 0)
  app.decorateRequest('isLong', false)
  // Only JSON is read: what a form of another site can send without being asked is not.
  app.removeContentTypeParser('text/plain')
  readJson(app)
  const bodies = watchBodies(answerBrokenRequest)
  const calls = watchCalls(context.log, options.callMs)
  app.addHook('onRequest', async (request, reply) => {
    request.traceId = randomUUID()
    request.startedAt = context.clock.now()
    if (!request.routeOptions.config.takesForm) bodies.begin(request.raw)
    if (request.routeOptions.config.isCall) calls.begin(request, reply)
    reply.headers(SECURITY_HEADERS)
    if (request.url.startsWith('/api/')) reply.header('cache-control', 'no-store')
    if (isProbe(request.url)) return
    if (namesTwoHosts(request)) throw new Refusal('invalid_request')
    request.tenant = await askAgain(request, () => options.tenantOf(request.headers.host))
    request.isHttps = isHttps(
      { protocol: request.protocol, host: request.headers.host ?? '' },
      { publicUrl: context.config.publicUrl, mode: request.tenant?.mode ?? 'test' },
    )
    if (request.isHttps) reply.header('strict-transport-security', ONLY_HTTPS)
    if (isPressedElsewhere(request)) throw new Refusal('invalid_request')
    // Before anything is looked for, so that nobody learns which paths exist behind a door (D-25).
    const door = /^\/api\/(debtor|client|admin)(?:\/|\?|$)/.exec(request.url)?.[1] as Door | undefined
    if (door) await askAgain(request, () => options.proveSession(door, request, reply))
  })
  let isClosing = false
  app.addHook('preClose', async () => {
    isClosing = true
    endUnused()
  })
  app.addHook('onSend', async (_request, reply) => {
    // A connection that is kept alive would keep a stopping process alive with it.
    if (isClosing) reply.header('connection', 'close')
  })
  app.addHook('onResponse', async (request, reply) => {
    bodies.end(request.raw)
    calls.end(request)
    logAnswer(context.log, request, { reply, ms: context.clock.now() - request.startedAt })
  })
  answerRefusals(app, options)
  const underWay = new Set<Promise<unknown>>()
  // A caller who has gone does not end the call: what it needs may only be closed after it.
  app.addHook('onClose', async () => {
    bodies.stop()
    calls.stop()
    await Promise.allSettled(underWay)
  })
  const [forms, others] = [true, false].map((isForm) =>
    options.bindings.filter(({ contract }) => isForm === (contract.largestFile !== undefined)),
  ) as [Binding[], Binding[]]
  for (const binding of others) route(app, { ...options, underWay }, binding)
  void app.register(async (scope) => {
    await readForms(scope)
    for (const binding of forms) route(scope, { ...options, underWay }, binding)
  })
  return app
}

/** What was refused, what failed, and where there is no call. */
function answerRefusals(app: FastifyInstance, options: ServeOptions): void {
  app.setErrorHandler(async (error, request, reply) => {
    const { log } = options.context
    if (!(error instanceof Refusal)) return sendFailure(log, request, reply, error as Error)
    await options.refused?.(request, error)
    const told = toldToPage(error, options.contract, { request, reply, isCall: true })
    return sendFailure(log, request, reply, told)
  })
  app.setNotFoundHandler((request, reply) => {
    const why = whyNotFound(app, options.bindings, request, reply)
    return sendProblem(request, reply, toldToPage(why, options.contract, { request, reply, isCall: false }))
  })
}

/** A path that cannot be read. As a pair it is one that nobody has. */
async function answerBadPath(
  options: ServeOptions,
  request: FastifyRequest,
  reply: FastifyReply,
  error: Error,
): Promise<void> {
  try {
    reply.header('connection', 'close') // Nothing reads its body, if it has one.
    request.tenant = await options.tenantOf(request.headers.host)
    const refusal =
      namesPair(request.url) && request.tenant ? new Refusal('login_error::invalid_data') : error
    void sendFailure(options.context.log, request, reply, refusal)
  } catch (failure) {
    void sendFailure(options.context.log, request, reply, failure as Error)
  }
}

type BindOptions = ServeOptions & { readonly underWay: Set<Promise<unknown>> }

function route(app: FastifyInstance, options: BindOptions, { contract, routes }: Binding): void {
  const { context, checkAnswers, underWay } = options
  for (const { door, answer } of routes) {
    const answered = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
      const { tenant } = request
      if (!tenant) throw new Refusal('not_found')
      const ask = (): Promise<Answered> => answer({ context, tenant, request, reply })
      const given = await (mayAskAgain(contract, request) ? askAgain(request, ask) : ask())
      return answerCall(contract, given, { request, reply, checkAnswers })
    }
    for (const url of pathsOf(contract, door)) {
      app.route({
        method: contract.method,
        url,
        config: {
          takesForm: contract.largestFile !== undefined,
          isCall: contract.largestFile === undefined && contract.answers !== 'file',
        },
        handler: (request, reply) => {
          const whole = answered(request, reply)
          underWay.add(whole)
          return whole.finally(() => underWay.delete(whole))
        },
      })
    }
  }
}
