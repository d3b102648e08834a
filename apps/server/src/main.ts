/** One Node process: API, jobs and the built portals. With WORKERS above 1, as many processes share the port. */
import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import { accessSync, constants } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { setFlagsFromString } from 'node:v8'
import { readConfig, wantsTraces, type Config } from '../config/config.ts'
import { whatIsMissing } from '../config/config-missing.ts'
import { VERSION } from '../config/version.ts'
import { isLoopback } from './platform/http/loopback.ts'
import type { Context } from './context.ts'
import { loadCast } from './demo/load-cast.ts'
import { openDatabase, type DatabaseAddress } from './platform/database/database.ts'
import { warnOfTellingLog } from './platform/database/database-log.ts'
import { makeFolder } from './platform/embedded-postgres/data-folder-lock.ts'
import { startEmbeddedPostgres } from './platform/embedded-postgres/embedded-postgres.ts'
import { openLog } from './platform/log.ts'
import { framesOf, withoutData } from './platform/log-text.ts'
import { loginsOf } from './platform/database/logins.ts'
import { checkMigrated, migrate } from './platform/database/migrate.ts'
import { StartupError } from './platform/startup-error.ts'
import { checkStores } from './platform/store/check-stores.ts'
import { readDemoMarker } from './demo/demo.queries.ts'
import { startProduct, type Product, type ProductOptions } from './start.ts'
import { welcomeLines } from './demo/welcome.ts'

/**
 * A heap may grow by half before it is collected. Left alone it grows to four times of what is in use where the
 * machine has memory: 110 MB more under load, and no call is answered sooner for it.
 */
setFlagsFromString('--heap-growing-percent=50')

const folder = (path: string): string => fileURLToPath(new URL(path, import.meta.url))
const MIGRATIONS = folder('../migrations')
const DEMO_FILES = folder('../demo')
const PORTALS = {
  debtor: folder('../../debtor/dist'),
  staff: folder('../../staff/dist'),
  home: folder('../../home/dist'),
  support: folder('../../support/dist'),
}
/** How long requests under way may take once the process is to stop. */
const PATIENCE_MS = 15_000

const say = (line: string): void => void process.stderr.write(`${line}\n`)

type Prepared = { readonly database: DatabaseAddress; readonly isDemo: boolean; stop(): Promise<void> }

/** Database up and migrated, demo cast loaded. Only the first process does this. */
async function prepare(config: Config): Promise<Prepared> {
  const patience = { waitMs: config.databaseWaitMs, log: say }
  if (config.databaseUrl) {
    const { owner, program: database } = loginsOf({ ...config, databaseUrl: config.databaseUrl })
    if (owner) await migrate(owner, MIGRATIONS, patience, VERSION)
    else await checkMigrated(database, MIGRATIONS, patience)
    await warnOfTellingLog(database, patience)
    return { database, isDemo: await prepareDemo(config, database), stop: async () => {} }
  }
  makeDataFolder(config.dataDir)
  const postgres = await startEmbeddedPostgres({
    dataDir: config.dataDir,
    log: say,
    onEnd: stopWithoutDatabase,
  })
  try {
    const at = { host: postgres.host, port: postgres.port, database: 'postgres' }
    await migrate({ ...at, user: postgres.ownerUser }, MIGRATIONS, patience, VERSION)
    const database = { ...at, user: 'kvitt_app' }
    return { database, isDemo: await prepareDemo(config, database), stop: () => postgres.stop() }
  } catch (error) {
    await postgres.stop()
    throw error
  }
}

function makeDataFolder(dataDir: string): void {
  try {
    makeFolder(dataDir)
    accessSync(dataDir, constants.W_OK)
  } catch (error) {
    throw new StartupError(
      `The data folder ${dataDir} cannot be written to (${(error as NodeJS.ErrnoException).code}). Make it writable or set DATA_DIR.`,
    )
  }
}

/** A product without its database can do nothing: it stops, and whoever watches over it starts it again. */
function stopWithoutDatabase(): void {
  say('The database has ended by itself, so Kvitt stops. Start it again.')
  process.exitCode = 1
  process.emit('SIGINT')
}

/** The demo's people have a password that everybody can read: nobody outside this machine is let near them, demo or not. */
function refusePublicDemo({ host, publicUrl }: Config): void {
  const { hostname } = new URL(publicUrl)
  const isHere = isLoopback(hostname) || hostname === '[::1]' || /\.(localhost|test)$/.test(hostname)
  if (isHere && isLoopback(host)) return
  throw new StartupError(
    `The database has the people and keys of the demo, whose password stands in the README, and ${isHere ? `HOST is ${host}` : `PUBLIC_URL is ${publicUrl}`}. Start with an empty database, or without that setting.`,
  )
}

/** Whether this database is the demo's; a fresh one becomes it when settings allow. */
async function prepareDemo(config: Config, database: DatabaseAddress): Promise<boolean> {
  const db = openDatabase(database, 1)
  try {
    const marker = await readDemoMarker(db)
    const isFresh = marker.instances === 0 && !marker.is_demo
    if (config.demo === 'on' && !isFresh && !marker.is_demo) {
      throw new StartupError(
        'DEMO=on needs an empty database, and this one has real instances in it. Leave DEMO out.',
      )
    }
    const mayBegin = config.demo === 'on' || (config.demo === 'auto' && !config.databaseUrl)
    const isDemo = config.demo !== 'off' && (marker.is_demo || (isFresh && mayBegin))
    if (isDemo && !isLoopback(config.host)) {
      throw new StartupError(
        `The demo only runs on this machine, and HOST is ${config.host}. Set HOST=127.0.0.1, or DEMO=off for a real installation.`,
      )
    }
    if (marker.has_staff || isDemo) refusePublicDemo(config)
    return isDemo
  } finally {
    await db.close()
  }
}

type Shared = Pick<Prepared, 'database' | 'isDemo'>

function start(config: Config, shared: Shared, more: Partial<ProductOptions> = {}): Promise<Product> {
  return startProduct({
    config,
    database: shared.database,
    version: VERSION,
    isDemo: shared.isDemo,
    portalFolders: PORTALS,
    ...more,
  })
}

async function listen(config: Config, product: Product): Promise<void> {
  try {
    await product.app.listen({ port: config.port, host: config.host })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EADDRINUSE') {
      throw new StartupError(
        `Port ${config.port} is taken by another program. Stop it, or set PORT to another number.`,
      )
    }
    if (code === 'EACCES' || code === 'EADDRNOTAVAIL') {
      throw new StartupError(
        `Kvitt cannot listen on ${config.host}:${config.port}. Set HOST and PORT to an address of this machine.`,
      )
    }
    throw error
  }
}

type Stopping = {
  /** Says that no more requests should come. */
  readonly drain: () => void
  readonly drainMs: number
  readonly stop: (signal: NodeJS.Signals) => Promise<void>
}

/**
 * Runs `stop` once, on the first signal or when the parent is gone; a second signal ends the process at once. SIGTERM
 * comes from whoever shares out requests among several: that one first gets the time to see that we are going. Ctrl-C
 * and a parent that is gone leave nobody to tell.
 */
function stopOnSignal({ drain, drainMs, stop }: Stopping): void {
  let isStopping = false
  const begin = async (signal: NodeJS.Signals): Promise<void> => {
    if (isStopping) process.exit(1)
    isStopping = true
    drain()
    if (signal === 'SIGTERM') await sleep(drainMs)
    // A request that hangs must not keep the process alive for ever.
    setTimeout(() => process.exit(1), 25_000).unref()
    stop(signal).then(
      () => process.exit(),
      () => process.exit(1),
    )
  }
  process.on('SIGTERM', () => void begin('SIGTERM'))
  process.on('SIGINT', () => void begin('SIGINT'))
  process.once('disconnect', () => {
    if (!isStopping) void begin('SIGINT')
  })
}

/** The first process prepares and does the jobs. It answers requests itself unless there are workers for that. */
async function runFirst(config: Config): Promise<void> {
  for (const sentence of whatIsMissing(config)) say(sentence)
  await checkStores(config.stores, config.publicUrl, say)
  const prepared = await prepare(config)
  const { isDemo } = prepared
  const withFirm = isDemo && config.demoFirm
  const fill = isDemo ? (context: Context) => loadCast(context, DEMO_FILES, { withFirm }) : undefined
  const more = { ...(fill ? { fill } : {}), ...(isDemo ? { firmFiles: DEMO_FILES } : {}) }
  const product = await start(config, prepared, more).catch(async (error: unknown) => {
    await prepared.stop()
    throw error
  })
  const stop = async (signal: NodeJS.Signals = 'SIGINT'): Promise<void> => {
    await stopWorkers(signal)
    // Whatever still hangs, the database is stopped as it should be.
    await Promise.race([product.stop(), sleep(PATIENCE_MS)])
    await prepared.stop()
  }
  try {
    if (config.workers === 1) await listen(config, product)
    else await startWorkers(config.workers, { database: prepared.database, isDemo: prepared.isDemo })
  } catch (error) {
    await stop()
    throw error
  }
  // Workers drain themselves: what shares out requests asks them.
  const drainMs = config.workers === 1 ? config.drainMs : 0
  stopOnSignal({ drain: () => product.drain(), drainMs, stop })
  const lines = await welcomeLines(config, product.context, prepared.isDemo)
  process.send?.({ type: 'ready', port: config.port, lines })
  if (!process.send) process.stdout.write(`ready http://localhost:${config.port}\n`)
}

/** Workers that share the port. One that ends by itself later is replaced; one that cannot begin ends the start. */
async function startWorkers(count: number, shared: Shared): Promise<void> {
  const fork = (): Worker => {
    const worker = cluster.fork()
    // Not as an argument, which everybody on the machine may read: the database's address has its password. It asks when it
    // listens: what is sent before that is lost.
    worker.once('message', () => worker.send({ type: 'shared', ...shared }))
    return worker
  }
  await Promise.all(
    Array.from({ length: count }, async () => {
      const worker = fork()
      const began = await Promise.race([
        once(worker, 'listening').then(() => true),
        once(worker, 'exit').then(() => false),
      ])
      // The worker has said why on standard error.
      if (!began) throw new StartupError('A worker process could not start.')
    }),
  )
  cluster.on('exit', (worker) => {
    if (!worker.exitedAfterDisconnect && !isStoppingWorkers) fork()
  })
}

let isStoppingWorkers = false

async function stopWorkers(signal: NodeJS.Signals): Promise<void> {
  isStoppingWorkers = true
  await Promise.all(
    Object.values(cluster.workers ?? {}).map(async (worker) => {
      if (!worker || worker.isDead()) return
      const gone = once(worker, 'exit')
      worker.process.kill(signal)
      await gone
    }),
  )
}

async function runWorker(config: Config): Promise<void> {
  // Whatever else the first process may say meanwhile, this is what it is asked for.
  const told = new Promise<Shared>((tell) => {
    process.on('message', (one: Shared & { type: string }) => void (one.type === 'shared' && tell(one)))
  })
  process.send?.({ type: 'asks' })
  const shared = await told
  const product = await start(config, shared)
  stopOnSignal({ drain: () => product.drain(), drainMs: config.drainMs, stop: () => product.stop() })
  await listen(config, product)
}

async function main(): Promise<void> {
  const config = readConfig()
  await (cluster.isPrimary ? runFirst(config) : runWorker(config))
}

// Node would print all that the error holds, and what the database says of a row is part of that.
process.on('uncaughtException', (error) => {
  openLog('fatal').fatal({ err: error }, 'ended by a bug')
  process.exit(1)
})

main().catch((error: unknown) => {
  const isExpected = error instanceof StartupError
  const text = isExpected ? error.message : `Kvitt could not start: ${withoutData((error as Error).message)}`
  say(text)
  if (wantsTraces()) say(framesOf(error as Error).join('\n'))
  process.exit(isExpected ? error.status : 1)
})
