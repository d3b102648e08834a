/** The HTTP application: contracts, callbacks, demo calls, files and the portal, over one context. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Refusal, type ErrorCode } from '@kvitt/domain/errors.ts'
import type { PortalName } from '@kvitt/domain/instances/portals.ts'
import type { Site } from '@kvitt/site/frame.ts'
import { BINDINGS } from './api.ts'
import { eventOfRefusal, networkActor, noteAccess, noteEvent } from './audit/audit.ts'
import type { Context } from './context.ts'
import { serveDemoBankFiles } from './demo/bank-files.ts'
import { serveDemoClock, type DemoClock } from './demo/clock.ts'
import { serveDemoFirm } from './demo/firm/ask-firm.ts'
import { serveDemoGuesses } from './demo/guesses.ts'
import { serveDemoLedger } from './demo/ledger.ts'
import { openFile } from './documents/documents.ts'
import { portalOfHost, type Instance, type Instances } from './instances/instances.ts'
import {
  applyCallback,
  PAYMENT_MEASURES,
  receiveBankNotification,
  receiveSwishCallback,
  type Callback,
} from './payments/payments.ts'
import { ANSWER_MEASURES } from './articles/articles.ts'
import { brandingOf, siteBrandOf, staffBrandingOf } from './instances/branding.ts'
import { listLoginProviders } from './instances/service-providers.ts'
import { serveCspReports } from './platform/pages/csp-reports.ts'
import { readLink } from './platform/files/file-links.ts'
import { COLLECTION_MEASURES } from './collection/collection.ts'
import { serveHealth } from './platform/http/health.ts'
import type { Jobs } from './platform/jobs.ts'
import { contractIdOf } from './platform/http/other-contract.ts'
import { describeApi } from './platform/http/openapi.ts'
import type { KeptAssets } from './platform/pages/kept-assets.ts'
import { servePortals, type Portal } from './platform/pages/portals.ts'
import { openDebtorPortal } from './platform/pages/debtor-portal.ts'
import { openStaffPortal } from './platform/pages/staff-portal.ts'
import type { Tenant } from './platform/http/call.ts'
import type { Readiness } from './platform/database/readiness.ts'
import type { Pools } from './platform/measures/pools.ts'
import { leadToSites, openSite, receiveForms, type SiteOptions } from './platform/pages/built-site.ts'
import { serveReference } from './platform/pages/reference-page.ts'
import { sendFile } from './platform/http/send-file.ts'
import { buildServer } from './platform/http/serve.ts'
import { followRefund, receiveRefundCallback } from './refunds/refunds.ts'
import { portalUrlIn, portalUrlOf, senderName } from './mail/mail.ts'
import { pastDoor, receiveAnswer, writeRegions } from './sites/sites.ts'
import { proveSession, proveStaff, sessionOfRequest } from './sign-in/session-of-request.ts'
import { openCallBudget } from './staff/staff.ts'
import { GUESS_MEASURES } from './sign-in/sign-in.ts'
import { staffOfPeek } from './sign-in/peeks.ts'
import { networkOf, type Session } from './sign-in/viewer.ts'
import { serveStaffSignIn } from './staff-sign-in/staff-sign-in.ts'
import { serveIssuerCallback } from './issuers/issuers.ts'
import { serveForgotten } from './users/forgotten.ts'
import { serveInvitations } from './users/invitation-page.ts'
import { TASK_MEASURES } from './tasks/tasks.ts'
import { measureFolders, PROVIDER_MEASURES } from './watch/watch.ts'

/** The program of each portal. The two of staff are one: where it stands, it is the creditor's or the operator's. */
const PROGRAM_OF = {
  debtor: 'debtor',
  client: 'staff',
  admin: 'staff',
  home: 'home',
  support: 'support',
} as const satisfies Readonly<Record<PortalName, string>>

/** Where the programs of the portals are served from. */
export type PortalFolders = Readonly<Partial<Record<(typeof PROGRAM_OF)[PortalName], string>>>

export type AppOptions = {
  readonly context: Context
  readonly instances: Instances
  /** Where work goes on that was answered before it is done. */
  readonly jobs: Jobs
  /** Where each portal was built; none in tests of the API alone. */
  readonly portalFolders?: PortalFolders
  /** What portals of other releases were built to. */
  readonly keptAssets?: KeptAssets | undefined
  readonly readiness: Readiness
  readonly pools: Pools
  /** For how long `/metrics` answers with the figures that it has read. 0 in tests: it reads them each time. */
  readonly measuresKeptMs?: number
  /** Present while the demo is on. */
  readonly demoClock?: DemoClock
  readonly checkAnswers: boolean
}

type Watchable = Pick<AppOptions, 'context' | 'readiness' | 'pools' | 'measuresKeptMs'>

/** What whoever watches over a process is told, by whichever process is asked: these are read from the database. */
const MEASURES = [
  ...PAYMENT_MEASURES,
  ...COLLECTION_MEASURES,
  ...TASK_MEASURES,
  ...GUESS_MEASURES,
  ...PROVIDER_MEASURES,
  ...ANSWER_MEASURES,
]
/** A scrape of several watchers, or of one that asks often, reads them once. */
const MEASURES_KEPT_MS = 10_000

/** What is measured by a process of any role. */
function watchedOf({ readiness, pools, measuresKeptMs = MEASURES_KEPT_MS }: Watchable) {
  return { measures: MEASURES, keptMs: measuresKeptMs, pools, readiness }
}

/** The application of a process that only does jobs: whether it lives, and what it measures. All else is not here. */
export function buildJobsApp(options: Watchable): FastifyInstance {
  const { context } = options
  const app = buildServer({
    context,
    bindings: [],
    contract: '',
    checkAnswers: false,
    tenantOf: async () => undefined,
    proveSession: async () => {
      throw new Refusal('not_found')
    },
  })
  serveHealth(app, context, { ...watchedOf(options), counters: measureFolders(context) })
  return app
}

export function buildApp(options: AppOptions): FastifyInstance {
  const { context, instances } = options
  const callBudget = openCallBudget(context.clock)
  const api = describeApi(BINDINGS, context.version)
  const contract = contractIdOf(api)
  const app = buildServer({
    context,
    bindings: BINDINGS,
    contract,
    checkAnswers: options.checkAnswers,
    tenantOf: async (host) => {
      const instance = await instances.ofHost(host)
      const named = instance && portalOfHost(instance, host)
      return named === undefined || named === 'debtor' || options.portalFolders?.[PROGRAM_OF[named]]
        ? instance
        : undefined
    },
    proveSession: (door, request, reply) =>
      door === 'client' || door === 'admin'
        ? proveStaff({ ...context, callBudget }, request, reply)
        : proveSession(context, request, reply),
    refused: (request, { code }) => noteRefusal(context, request, code),
  })
  serveStorage(app, context)
  serveStaffSignIn(app, context)
  serveIssuerCallback(app, context)
  serveInvitations(app, context)
  serveForgotten(app, context)
  serveCallbacks(app, context, options.jobs)
  serveHealth(app, context, {
    ...watchedOf(options),
    counters: [serveCspReports(app, context.clock), ...measureFolders(context)],
  })
  serveReference(app, api)
  if (options.demoClock) {
    serveDemoClock(app, options.demoClock)
    serveDemoFirm(app, options.demoClock)
    serveDemoGuesses(app, context)
    serveDemoLedger(app, context)
    serveDemoBankFiles(app, context)
  }
  const portalOf = (request: FastifyRequest): PortalName | undefined =>
    portalOfHost(request.tenant as Instance, request.headers.host)
  servePortals(app, openPortals(context, options.portalFolders ?? {}, contract), portalOf, options.keptAssets)
  if (options.portalFolders?.support) {
    const site = siteOptions(context, 'support', options.portalFolders.support)
    void app.register(async (scope) => receiveForms(scope, site, portalOf))
  }
  return app
}

/** A site that the build has made, in `folder`, and what it asks of the features. */
function siteOptions(context: Context, site: Site, folder: string): SiteOptions {
  return {
    site,
    folder,
    publicUrl: context.config.publicUrl,
    brandOf: (tenant, language) => {
      const { row } = tenant as Instance
      const smsAddress = portalUrlIn(portalUrlOf(context.config, row), language, row.language)
      return siteBrandOf(tenant as Instance, language, { smsSender: senderName(row.name), smsAddress })
    },
    leadsTo: pastDoor,
    regionsOf: (page) => writeRegions(context, page),
    receive: (page, form) => receiveAnswer(context, page, form),
  }
}

/** What a page is told of its provider, and which contract it was made for (packages/ui/src/api.ts). */
function withContract<Brand extends { readonly answer: unknown }>(contract: string, branding: Brand): Brand {
  return { ...branding, answer: { ...(branding.answer as object), contract } }
}

/** The portals that have a folder. */
function openPortals(context: Context, { debtor, ...folders }: PortalFolders, contract: string): Portal[] {
  const portals: Portal[] = []
  if (debtor !== undefined) {
    const brandingOfTenant = (tenant: Tenant) =>
      withContract(
        contract,
        brandingOf(tenant as Instance, {
          loginProviders: listLoginProviders(context, tenant as Instance),
          errorReportingDsn: context.config.errorReportingDsn,
        }),
      )
    const portal = openDebtorPortal(debtor, brandingOfTenant)
    const { home, support } = folders
    const hasSites = home !== undefined && support !== undefined
    portals.push(hasSites ? leadToSites(portal, siteOptions(context, 'home', home)) : portal)
  }
  for (const name of ['client', 'admin'] as const) {
    const folder = folders[PROGRAM_OF[name]]
    if (folder !== undefined)
      portals.push(
        openStaffPortal(name, folder, (tenant) =>
          withContract(contract, staffBrandingOf(tenant as Instance)),
        ),
      )
  }
  for (const site of ['home', 'support'] as const) {
    const folder = folders[site]
    if (folder !== undefined) portals.push(openSite(siteOptions(context, site, folder)))
  }
  return portals
}

/** Leaves the trace of a refusal, if it is one that should. */
async function noteRefusal(context: Context, request: FastifyRequest, code: ErrorCode): Promise<void> {
  const instanceId = request.tenant?.id ?? null
  const event = eventOfRefusal({
    code,
    instanceId,
    route: `${request.method} ${request.routeOptions.url ?? ''}`,
    signedIn: signedInAs(sessionOfRequest(request)),
    network: networkActor(context, instanceId, networkOf(request.ip)),
    hasToken: request.headers.authorization !== undefined,
  })
  if (event) await noteEvent(context, event)
}

/** For the audit log: whoever looks as a debtor would is named as who they are. */
function signedInAs(session: Session | undefined): string | undefined {
  return session && (session.peek?.staff ?? `session:${session.id}`)
}

function serveStorage(app: FastifyInstance, context: Context): void {
  app.get('/api/storage/:name', async (request, reply) => {
    if (!request.tenant) throw new Refusal('not_found')
    const { name } = request.params as { name: string }
    const file = await openFile(context, request.tenant as Instance, name)
    const link = readLink(context, name)
    if (link) {
      const instanceId = request.tenant.id
      const about = `file:${link.kind}:${link.id}`
      const looker = await staffOfPeek(context, {
        instanceId,
        id: link.isForStaff ? undefined : link.session,
      })
      if (looker) {
        await noteAccess(context, { instanceId, kind: 'staff_opened', actor: looker, about, details: {} })
      } else {
        const actor = networkActor(context, instanceId, networkOf(request.ip))
        await noteEvent(context, { instanceId, kind: 'document_opened', actor, about })
      }
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
