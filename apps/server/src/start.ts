/** Puts the product together over a database that is already migrated. Used by main.ts and by the tests. */
import type { FastifyInstance } from 'fastify'
import { buildApp, buildJobsApp, type AppOptions, type PortalFolders } from './app.ts'
import type { Config } from '../config/config.ts'
import type { Context } from './context.ts'
import { openCredentials, type Credentials } from './credentials/credentials.ts'
import { refreshShift } from './demo/clock.ts'
import { readDemoMarker } from './demo/demo.queries.ts'
import { openFirmJob } from './demo/firm/firm-job.ts'
import { performAllRuns } from './collection/collection.ts'
import { openBankId } from './electronic-id/electronic-id.ts'
import { openElectronicInvoice, openInvoiceCopy, openStepLetter } from './documents/documents.ts'
import {
  deliverMail,
  openAccessPoint,
  openDigitalMailbox,
  openPrintQueue,
  openSms,
  openSmtp,
  senderOf,
  type DateLetter,
  type DrawLetter,
  type DropStepMail,
  type Ways,
  type WriteBill,
} from './mail/mail.ts'
import { beginJobs, keepHouse, keepUp } from './jobs.ts'
import { openInstances, type Instance, type Instances } from './instances/instances.ts'
import { sendApproved } from './office-invoices/office-invoices.ts'
import { openGateways, openJournal, sweepPayments, type Gateway } from './payments/payments.ts'
import { sweepRefunds } from './refunds/refunds.ts'
import { systemClock, type Clock } from './platform/clock.ts'
import {
  openDatabase,
  REQUEST_LIMITS,
  type Database,
  type DatabaseAddress,
} from './platform/database/database.ts'
import { openJobs } from './platform/jobs.ts'
import { openLog } from './platform/log.ts'
import { openReadiness } from './platform/database/readiness.ts'
import { openKeptAssets, type KeptAssets } from './platform/pages/kept-assets.ts'
import { StartupError } from './platform/startup-error.ts'
import { readOrMakeSecret } from './platform/database/secrets.queries.ts'
import { openWebhookSender } from './webhooks/webhooks.ts'
import { dateLetter, dropStepMail } from './unsent-letters/unsent-letters.ts'

export type Product = {
  readonly app: FastifyInstance
  readonly context: Context
  /** Asks every gateway about every payment under way, now. */
  sweepAll(): Promise<void>
  /** Sends every approved invoice whose day has come, now: it is owed, and its message waits. */
  sendApproved(): Promise<void>
  /** Sends every message that is due, now. */
  sendMail(): Promise<void>
  /** Sends every event that is due to its webhook, now. */
  sendEvents(): Promise<void>
  /** Says that no more requests should come; those that come are answered. */
  drain(): void
  stop(): Promise<void>
}

export type ProductOptions = {
  readonly config: Config
  /** How the application role reaches the database. */
  readonly database: DatabaseAddress
  readonly version: string
  readonly isDemo: boolean
  readonly portalFolders?: PortalFolders
  /** In tests: another clock, other gateways, and every answer compared with its contract. */
  readonly clock?: Clock
  readonly gateways?: readonly Gateway[]
  readonly checkAnswers?: boolean
  /**
   * Fills the database before any job of the product begins: a job would send the letters of past daily runs as of today, and
   * what follows them would be planned from today.
   */
  readonly fill?: (context: Context) => Promise<void>
  /** Holds cast.json, where this process makes the demo's firm when it is asked for. */
  readonly firmFiles?: string
  /** How often the safety net is drawn, in milliseconds; 0 for never. */
  readonly sweepMs?: number
  /** How long `/metrics` tells again what it has read from the database, in milliseconds. */
  readonly measuresKeptMs?: number
}

const SWEEP_MS = 5_000
/** The demo's clock waits for a daily run that another process is in. */
const DAILY_RUN_PATIENCE_MS = 60_000
/** The zone whose day decides when a due-date payment is worth asking about often. */
const HOME_ZONE = 'Europe/Stockholm'

/** A live provider's debtors pay: nothing of it goes over plain http, nor do its links and callbacks. */
function refusePlainLive(instances: readonly Instance[], { publicUrl }: Config): void {
  const live = instances.find(({ mode }) => mode === 'live')
  if (!live || publicUrl.startsWith('https://')) return
  throw new StartupError(
    `The provider ${live.row.url_alias} is live, and PUBLIC_URL is not an address that begins with https://. Set PUBLIC_URL to the https address under which this server is reached.`,
  )
}

export async function startProduct(options: ProductOptions): Promise<Product> {
  const { config, sweepMs = SWEEP_MS } = options
  const log = openLog(config.logLevel)
  const db = openDatabase(options.database, config.databaseConnections.requests, REQUEST_LIMITS)
  const jobDb = openDatabase(options.database, config.databaseConnections.jobs)
  const readiness = openReadiness(db, log)
  let shiftDays = 0
  const setShift = (days: number): void => void (shiftDays = days)
  const clock = options.clock ?? systemClock(() => shiftDays)
  // Never on the connections of requests: a database that says nothing would have them wait for it.
  const credentials = await openCredentials(jobDb, config.settingsKeyFile, log)
  const context = await openContext(options, { db, clock, log }, credentials)
  const instances = openInstances(db, context.clock)
  // Asked apart: what `instances` has read is kept for some seconds.
  refusePlainLive(await openInstances(db, context.clock).all(), config)
  const work: Context = { ...context, db: jobDb }
  const firm = openFirmJob(work, options)
  const performRuns = async (waitMs: number): Promise<void> => {
    if (waitMs > 0) await firm.untilMade()
    await performAllRuns(work, await instances.all(), waitMs)
  }
  const sendNow = async (): Promise<void> => void (await sendApproved(work, await instances.all()))
  const send = openSender(work, { instances, credentials, isDemo: options.isDemo })
  const sendMail = (): Promise<void> => firm.inTurn(send)
  const events = openWebhookSender({ context: work, instances })
  const demoClock = {
    context: work,
    timeZone: HOME_ZONE,
    setShift,
    performRuns: () => performRuns(DAILY_RUN_PATIENCE_MS),
    sendMail,
  }
  await refreshShift(demoClock)
  const jobs = openJobs(log)
  const keptAssets = await keepAssets(options, work, db)
  const parts = { context, jobs, readiness, instances, pools: { requests: db, jobs: jobDb } }
  const app = openApp(options, { ...parts, keptAssets, ...(options.isDemo ? { demoClock } : {}) })
  await fillFirst(options, context, [db, jobDb])
  const doesJobs = config.role !== 'api'
  if (sweepMs > 0 && doesJobs) {
    beginJobs(jobs, {
      work,
      instances,
      sweepMoney: () => sweepMoneyIn(work, false),
      performRuns,
      sendNow,
      sendMail,
      events,
      sweepMs,
      isHeld: firm.isUnderWay,
    })
  }
  if (options.firmFiles && doesJobs) firm.begin({ app, jobs, folder: options.firmFiles })
  if (doesJobs) keepHouse(jobs, work)
  keepUp(jobs, credentials, keptAssets)
  if (options.isDemo) jobs.every('read the demo clock', 1_000, () => refreshShift(demoClock))
  return {
    app,
    context,
    async sweepAll() {
      await sweepMoneyIn(work, true)
      await sweepRefunds(work, { all: true })
      // A payment that a callback holds just now was left to it.
      await jobs.rest()
    },
    sendApproved: sendNow,
    sendMail,
    sendEvents: () => events.sendAll(),
    drain: () => readiness.drain(),
    async stop() {
      readiness.drain()
      firm.stop()
      await app.close()
      await jobs.stop()
      await context.journal.close()
      await Promise.all([db.close(), jobDb.close()])
    },
  }
}

/** A process that serves portals keeps what they were built to where every other finds it. */
async function keepAssets(
  { config, portalFolders = {}, version }: ProductOptions,
  work: Context,
  db: Database,
): Promise<KeptAssets | undefined> {
  const folders = Object.values(portalFolders)
  if (config.role === 'jobs' || folders.length === 0) return undefined
  return openKeptAssets({ db, work: work.db, log: work.log, version, folders })
}

/** What this process answers: everything, or only whoever watches over it. */
function openApp(
  { config, portalFolders, measuresKeptMs, checkAnswers = false }: ProductOptions,
  given: Omit<AppOptions, 'portalFolders' | 'checkAnswers'>,
): FastifyInstance {
  const parts = { ...given, ...(measuresKeptMs === undefined ? {} : { measuresKeptMs }) }
  if (config.role === 'jobs') return buildJobsApp(parts)
  return buildApp({ ...parts, checkAnswers, ...(portalFolders ? { portalFolders } : {}) })
}

/** What every use case works with: the counterparties that the settings name, and the installation's secrets. */
async function openContext(
  { config, gateways, version }: ProductOptions,
  parts: Pick<Context, 'db' | 'clock' | 'log'>,
  credentials: Credentials,
): Promise<Context> {
  return {
    ...parts,
    config,
    version,
    gateways: gateways ?? openGateways(config, parts.clock, credentials),
    journal: openJournal(config, parts),
    identityProvider: config.bankId
      ? openBankId(config.bankId, credentials, () => parts.clock.now())
      : undefined,
    starterKey: await readOrMakeSecret(parts.db, 'order-starters'),
    fileKey: await readOrMakeSecret(parts.db, 'file-links'),
    guessKey: await readOrMakeSecret(parts.db, 'guesses'),
  }
}

function sweepMoneyIn(work: Context, all: boolean): Promise<void> {
  return sweepPayments(work, { all, today: work.clock.today(HOME_ZONE) })
}

/** When it fails nothing begins, and the process can end. */
async function fillFirst(
  { fill }: ProductOptions,
  context: Context,
  pools: readonly Database[],
): Promise<void> {
  try {
    await fill?.(context)
  } catch (error) {
    await Promise.all(pools.map((pool) => pool.close()))
    throw error
  }
}

function openWays({ config, clock }: Context, credentials: Credentials): Ways {
  const { smtp, from, sms, digitalMailbox, accessPoint } = config.mail
  const { letters } = config.stores
  return {
    EMAIL: smtp && openSmtp(smtp, from),
    SMS: sms && openSms(sms),
    LETTER: letters && openPrintQueue(letters),
    DIGITAL_MAILBOX: digitalMailbox && openDigitalMailbox(digitalMailbox, clock, credentials),
    ELECTRONIC_INVOICE: accessPoint && openAccessPoint(accessPoint, clock, credentials),
  }
}

/** Sends messages on the ways that are configured. What the demo's cast heard before the demo began is not sent. */
function openSender(
  context: Context,
  parts: { readonly instances: Instances; readonly credentials: Credentials; readonly isDemo: boolean },
): () => Promise<void> {
  const { instances, credentials, isDemo } = parts
  const ways = openWays(context, credentials)
  const instanceOf = async (instanceId: string) => (await instances.all()).find(({ id }) => id === instanceId)
  const drawLetter: DrawLetter = async ({ instanceId, stepId, debt }) => {
    const instance = await instanceOf(instanceId)
    if (!instance) return undefined
    const claimId = 'claimId' in debt ? debt.claimId : undefined
    const file =
      stepId === null && 'invoiceId' in debt
        ? await openInvoiceCopy(context, instance, { invoiceId: debt.invoiceId, paper: 'sent' })
        : await openStepLetter(context, instance, { stepId: stepId ?? '', claimId })
    return file && { name: file.name_raw, title: file.title, bytes: file.content }
  }
  const writeBill: WriteBill = async ({ instanceId, invoiceId, to }) => {
    const instance = await instanceOf(instanceId)
    const { accessPoint } = context.config.mail
    if (!instance || !accessPoint) return undefined
    const from = senderOf(accessPoint, credentials, instance.row.url_alias)
    return openElectronicInvoice(context, instance, { invoiceId, from, to })
  }
  const dropStep: DropStepMail = async ({ instanceId, ...step }, drop) => {
    const instance = await instanceOf(instanceId)
    if (!instance) return
    const on = context.clock.today(instance.timeZone)
    await dropStepMail(context, { instanceId, ...step, on }, drop)
  }
  const dateStep: DateLetter = (step) => dateLetter(context, step)
  return async () => {
    if (isDemo && !(await readDemoMarker(context.db)).is_loaded) return
    await deliverMail(
      { ...context, drawLetter, writeBill, dropStepMail: dropStep, dateLetter: dateStep },
      ways,
    )
  }
}
