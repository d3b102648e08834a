/** The HTTP application: contracts, callbacks, demo calls, files and the portal, over one context. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Contract } from '@kvitt/domain/contract.ts'
import { Refusal, type ErrorCode } from '@kvitt/domain/errors.ts'
import { getInvoice } from '@kvitt/domain/invoices/invoice.contract.ts'
import { startPayment } from '@kvitt/domain/payments/payment.contract.ts'
import { BINDINGS } from './api.ts'
import { eventOfRefusal, networkActor, noteEvent } from './audit/audit.ts'
import type { Context } from './context.ts'
import { serveDemoBankFiles } from './demo/bank-files.ts'
import { serveDemoClock, type DemoClock } from './demo/clock.ts'
import { serveDemoGuesses } from './demo/guesses.ts'
import { serveDemoLedger } from './demo/ledger.ts'
import { openFile } from './documents/documents.ts'
import type { Instance, Instances } from './instances/instances.ts'
import {
  applyCallback,
  receiveBankNotification,
  receiveSwishCallback,
  type Callback,
} from './payments/payments.ts'
import { brandingOf } from './instances/branding.ts'
import { listLoginProviders } from './instances/service-providers.ts'
import { serveCspReports } from './platform/csp-reports.ts'
import { readLink } from './platform/file-links.ts'
import { serveHealth } from './platform/health.ts'
import type { Jobs } from './platform/jobs.ts'
import { describeApi } from './platform/openapi.ts'
import { servePortal } from './platform/portal.ts'
import type { Readiness } from './platform/readiness.ts'
import { serveReference } from './platform/reference-page.ts'
import { sendFile } from './platform/send-file.ts'
import { buildServer, type Admitted, type Knock, type SignedIn, type Tenant } from './platform/serve.ts'
import { followRefund, receiveRefundCallback } from './refunds/refunds.ts'
import { requireSession, type Session } from './sign-in/sessions.ts'
import { countClosedInstances, letIn } from './sign-in/sign-in.ts'
import { aimAt, hasPower, networkOf, type DebtorViewer } from './sign-in/viewer.ts'
import { countMissingFiles, countOpenTasks } from './tasks/tasks.ts'

export type AppOptions = {
  readonly context: Context
  readonly instances: Instances
  /** Where work goes on that was answered before it is done. */
  readonly jobs: Jobs
  /** Where the debtor portal was built; left out in tests of the API alone. */
  readonly portalFolder?: string
  readonly readiness: Readiness
  /** Present while the demo is on. */
  readonly demoClock?: DemoClock
  readonly checkAnswers: boolean
}

export function buildApp(options: AppOptions): FastifyInstance {
  const { context, instances } = options
  const app = buildServer({
    context,
    bindings: BINDINGS,
    checkAnswers: options.checkAnswers,
    tenantOf: (host) => instances.ofHost(host),
    signedIn: (tenant, request) => signedIn(context, tenant, request),
    admit: (knock) => admit(options, knock),
    refused: (request, { code }) => noteRefusal(context, request, code),
  })
  serveStorage(app, context)
  serveCallbacks(app, context, options.jobs)
  serveHealth(app, context, {
    countOpenTasks,
    countMissingFiles,
    countClosedInstances,
    readiness: options.readiness,
    counters: [serveCspReports(app, context.clock)],
  })
  serveReference(app, describeApi(BINDINGS, context.version))
  if (options.demoClock) {
    serveDemoClock(app, options.demoClock)
    serveDemoGuesses(app, context)
    serveDemoLedger(app, context)
    serveDemoBankFiles(app, context)
  }
  if (options.portalFolder) {
    servePortal(app, options.portalFolder, (tenant) =>
      brandingOf(tenant as Instance, {
        loginProviders: listLoginProviders(context, tenant as Instance),
        errorReportingDsn: context.config.errorReportingDsn,
      }),
    )
  }
  return app
}

/** What they read first takes the guess that the pair is. */
const TAKEN_BY_READ: readonly Contract[] = [getInvoice, startPayment]

/** Every tenant here came from `instances.ofHost`. */
async function admit({ context }: AppOptions, knock: Knock): Promise<Admitted> {
  const { tenant, contract, request, credentials, signedIn } = knock
  const instance = tenant as Instance
  if (signedIn) {
    const session = signedIn.session as Session
    return { asker: { kind: 'debtor', instance, session, aim: aimAt(signedIn.about) } satisfies DebtorViewer }
  }
  if (!credentials) return { asker: { instance } }
  // Before the pair is looked at, so that nobody learns here which one is right.
  if (!instance.row.logins.includes('PAYMENT_REFERENCE')) throw new Refusal('eid_required')
  const { cookie, 'challenge-solution': solution } = request.headers
  const { viewer, setCookie, prove } = await letIn(
    { db: context.db, clock: context.clock, key: context.guessKey },
    {
      ...credentials,
      instance,
      address: request.ip,
      cookie,
      isHttps: request.isHttps,
      solution: solution === undefined ? undefined : String(solution),
      isTakenByRead: TAKEN_BY_READ.includes(contract),
    },
  )
  // After the pair has proven right: a stranger does not learn what the instance keeps.
  if (!hasPower(viewer, contract.power)) throw new Refusal('eid_required')
  return { asker: viewer, setCookie, prove }
}

async function signedIn(context: Context, tenant: Tenant, request: FastifyRequest): Promise<SignedIn> {
  const session = await requireSession(context, {
    instanceId: tenant.id,
    // Node keeps the first of two headers and says nothing; two are a contradiction and prove nothing.
    authorization: request.raw.rawHeaders.filter(
      (_, at, all) => all[at - 1]?.toLowerCase() === 'authorization' && at % 2 === 1,
    ),
    cookie: request.headers.cookie,
    isHttps: request.isHttps,
  })
  return { session, renewedToken: session.renewedToken }
}

/** Leaves the trace of a refusal, if it is one that should. */
async function noteRefusal(context: Context, request: FastifyRequest, code: ErrorCode): Promise<void> {
  const instanceId = request.tenant?.id ?? null
  const session = request.session as Session | undefined
  const event = eventOfRefusal({
    code,
    instanceId,
    route: `${request.method} ${request.routeOptions.url ?? ''}`,
    sessionId: session?.id,
    network: networkActor(context, instanceId, networkOf(request.ip)),
    hasToken: request.headers.authorization !== undefined,
  })
  if (event) await noteEvent(context, event)
}

function serveStorage(app: FastifyInstance, context: Context): void {
  app.get('/api/storage/:name', async (request, reply) => {
    if (!request.tenant) throw new Refusal('not_found')
    const { name } = request.params as { name: string }
    const file = await openFile(context, request.tenant as Instance, name)
    const link = readLink(context, name)
    if (link) {
      const instanceId = request.tenant.id
      const actor = networkActor(context, instanceId, networkOf(request.ip))
      await noteEvent(context, {
        instanceId,
        kind: 'document_opened',
        actor,
        about: `file:${link.kind}:${link.id}`,
      })
    }
    return sendFile(reply, file)
  })
}

/**
 * The gateways' doors. They name no tenant and need no host of ours: the secret in the path is the address. The
 * answer goes out once the event is kept; applying it is not the gateway's business.
 */
function serveCallbacks(app: FastifyInstance, context: Context, jobs: Jobs): void {
  const doors = { 'direct-bank': receiveBankNotification, swish: receiveSwishCallback }
  for (const [name, receive] of Object.entries(doors)) {
    app.post(`/api/callbacks/${name}/:secret`, async (request, reply) => {
      const { secret } = request.params as { secret: string }
      const identifier = [request.headers['callbackidentifier']].flat()[0]
      const callback: Callback = { secret, identifier, body: request.body }
      const payment = await receive(context, callback)
      jobs.beside(
        () => applyCallback(context, payment, callback),
        (err) => context.log.error({ err, paymentId: payment.id }, 'callback kept but not applied yet'),
      )
      return reply.code(200).send()
    })
  }
  app.post('/api/callbacks/refund/:secret', async (request, reply) => {
    const refund = await receiveRefundCallback(context, (request.params as { secret: string }).secret)
    jobs.beside(
      () => followRefund(context, refund),
      (err) => context.log.error({ err, refundId: refund.id }, 'refund not looked into yet'),
    )
    return reply.code(200).send()
  })
}
