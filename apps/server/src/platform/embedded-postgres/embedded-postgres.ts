import { spawn } from 'node:child_process'
import {
  closeSync,
  existsSync,
  openSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { lockDataFolder } from './data-folder-lock.ts'
import {
  ensureCluster,
  makeSocketFolder,
  ownerUser,
  postgresEnvironment,
  preparePrograms,
  removeSocketFolder,
} from './embedded-postgres-files.ts'
import { type ClusterHome, asAccount, openClusterHome } from './embedded-postgres-home.ts'
import { defaultSettings } from './embedded-postgres-settings.ts'
import { isRunning, listProgramsIn, worksInFolder } from './running-programs.ts'
import { StartupError } from '../startup-error.ts'

export type EmbeddedPostgres = {
  /** The private folder of the server's socket; give it to the driver as `host`. */
  host: string
  port: number
  /** The superuser, for migrations. No password: only the account of the cluster and root get into the folder. */
  ownerUser: string
  /** True when a server that an earlier run left behind was taken over. */
  adopted: boolean
  /** Fast shutdown (open transactions are rolled back), then the data folder is free again. Safe to call twice. */
  stop(): Promise<void>
}

type Options = {
  dataDir: string
  log: (line: string) => void
  settings?: Record<string, string>
  /** Called once when the database ends without being asked to. */
  onEnd?: () => void
}
type RunningServer = { pid: number; socketFolder: string; adopted: boolean }

const port = 5432
const WATCH_MS = 1_000

/**
 * Starts the PostgreSQL that comes with Kvitt on `dataDir`, or takes over the one an earlier run left there.
 * It outlives a killed product on purpose: committed work is safe, and the next start adopts it.
 * @param options.log gets a line for what takes time or is unusual
 * @param options.settings PostgreSQL settings above the defaults
 * @throws StartupError when the folder is in use, not writable, of another version, or the server does not start.
 */
export async function startEmbeddedPostgres(options: Options): Promise<EmbeddedPostgres> {
  const lock = lockDataFolder(options.dataDir)
  try {
    const home = openClusterHome(options.dataDir, options.log)
    const programs = preparePrograms(home, options.log)
    await ensureCluster(home, programs, options.log)
    const launch: Launch = {
      home,
      program: join(programs, 'postgres'),
      settings: withDefaults(options.settings),
      log: options.log,
    }
    const server = (await adoptServer(launch)) ?? (await launchServer(launch))
    let stopped: Promise<void> | undefined
    const watch = setInterval(() => {
      if (isRunning(server.pid)) return
      clearInterval(watch)
      options.onEnd?.()
    }, WATCH_MS)
    watch.unref()
    const stop = async (): Promise<void> => {
      clearInterval(watch)
      await stopServer(home, server)
      removeSocketFolder(server.socketFolder, home)
      lock.release()
    }
    return {
      host: server.socketFolder,
      port,
      ownerUser,
      adopted: server.adopted,
      stop: () => (stopped ??= stop()),
    }
  } catch (error) {
    lock.release()
    throw error
  }
}

/**
 * Where the database of this data folder listens while a product runs on it, for commands that join in.
 * Undefined when none runs.
 */
export function findEmbeddedPostgres(
  dataDir: string,
): Pick<EmbeddedPostgres, 'host' | 'port' | 'ownerUser'> | undefined {
  const cluster = clusterIn(dataDir)
  const found = readPidFile(cluster)
  if (found?.status !== 'ready' || !worksInFolder(found.pid, cluster)) return undefined
  return { host: found.socketFolder, port, ownerUser }
}

/** Whether a database was ever made in this data folder. */
export function hasEmbeddedPostgres(dataDir: string): boolean {
  const folder = resolve(dataDir)
  return existsSync(join(folder, 'postgres.location')) || existsSync(clusterIn(dataDir))
}

function clusterIn(dataDir: string): string {
  const folder = resolve(dataDir)
  const pointer = join(folder, 'postgres.location')
  const base = existsSync(pointer) ? readFileSync(pointer, 'utf8').trim() : join(folder, 'postgres')
  return join(base, 'cluster')
}

type Launch = {
  home: ClusterHome
  program: string
  settings: Record<string, string>
  log: (line: string) => void
}

function withDefaults(settings: Record<string, string> = {}): Record<string, string> {
  return { ...defaultSettings(), ...settings }
}

function listArguments({ home, settings }: Launch, socketFolder: string): string[] {
  const fixed = {
    listen_addresses: '',
    port: String(port),
    unix_socket_permissions: '0700',
    unix_socket_directories: `"${socketFolder.replaceAll('"', '""')}"`,
  }
  const all = Object.entries({ ...settings, ...fixed })
  return ['-D', home.cluster, ...all.flatMap(([name, value]) => ['-c', `${name}=${value}`])]
}

async function adoptServer(launch: Launch): Promise<RunningServer | undefined> {
  const { home, log } = launch
  const found = readPidFile(home.cluster)
  if (found === undefined) return undefined
  if (!worksInFolder(found.pid, home.cluster)) {
    await clearPidFile(home, found.pid)
    removeSocketFolder(found.socketFolder, home)
    return undefined
  }
  await waitUntilSettled(home, found.pid, log)
  const now = readPidFile(home.cluster)
  if (now?.status === 'ready' && wasLaunchedLike(launch, now)) {
    log(`Taking over the database that an earlier run left running (process ${now.pid})`)
    return { pid: now.pid, socketFolder: now.socketFolder, adopted: true }
  }
  log('Restarting the database that an earlier run left running')
  await stopServer(home, found)
  removeSocketFolder(found.socketFolder, home)
  return undefined
}

/** Same program, same settings, and a socket that is still there: else a restart is due. */
function wasLaunchedLike(launch: Launch, found: PidFile): boolean {
  try {
    const wanted = [
      launch.program,
      ...listArguments(launch, found.socketFolder).map((text) => `"${text}"`),
    ].join(' ')
    if (readFileSync(join(launch.home.cluster, 'postmaster.opts'), 'utf8').trim() !== wanted) return false
    statSync(join(found.socketFolder, `.s.PGSQL.${port}`))
    // A reinstalled program is another file under the same name; the old one can no longer load its libraries.
    return (
      process.platform !== 'linux' || readlinkSync(`/proc/${found.pid}/exe`) === realpathSync(launch.program)
    )
  } catch {
    return false
  }
}

async function launchServer(launch: Launch): Promise<RunningServer> {
  const { home, log } = launch
  for (let attempt = 1; ; attempt += 1) {
    const socketFolder = makeSocketFolder(home)
    const outcome = await tryLaunch(launch, socketFolder)
    if (typeof outcome === 'number') return { pid: outcome, socketFolder, adopted: false }
    removeSocketFolder(socketFolder, home)
    // The last connections of a killed server may still be ending; PostgreSQL waits for them for good reason.
    const isPassing = /pre-existing shared memory block|lock file "postmaster.pid" already exists/.test(
      outcome,
    )
    if (isPassing && attempt <= 20) {
      await sleep(500)
      continue
    }
    log(outcome)
    throw new StartupError(
      `The database did not start (${explainLog(outcome)}). Its log is ${logFileOf(home)}.`,
    )
  }
}

/** @returns the process number of the server that accepts connections, or what it wrote before it gave up */
async function tryLaunch(launch: Launch, socketFolder: string): Promise<number | string> {
  const { home, log } = launch
  const logFile = logFileOf(home)
  keepLogSmall(logFile)
  const descriptor = openSync(logFile, 'a', 0o600)
  const offset = statSync(logFile).size
  // Detached: Ctrl-C in the terminal reaches us alone, and we stop the database after our own work is done.
  const child = spawn(launch.program, listArguments(launch, socketFolder), {
    cwd: home.base,
    env: postgresEnvironment,
    detached: true,
    stdio: ['ignore', descriptor, descriptor],
    ...asAccount(home.account),
  })
  closeSync(descriptor)
  const outcome: { failure?: string } = {}
  child.once('error', (error) => (outcome.failure = error.message))
  child.once('exit', (code, signal) => (outcome.failure ??= `ended with ${code ?? signal}`))
  await new Promise((settled) => child.once('spawn', settled).once('error', settled))
  const pid = child.pid
  if (pid === undefined) return outcome.failure ?? 'could not be started'
  child.unref()
  for (let polls = 0; outcome.failure === undefined; polls += 1) {
    const found = readPidFile(home.cluster)
    if (found?.pid === pid && found.status === 'ready') return pid
    if (polls > 0 && polls % 500 === 0) log('Waiting for the database to recover')
    await sleep(10)
  }
  return readFileSync(logFile).subarray(offset).toString('utf8').trim() || outcome.failure
}

function explainLog(output: string): string {
  const fatal = output.split('\n').find((line) => /FATAL|PANIC|could not/.test(line))
  return (fatal ?? output.split('\n').at(-1) ?? output).replace(/^.*?(FATAL|PANIC|LOG|HINT): +/, '')
}

async function stopServer(home: ClusterHome, server: { pid: number }): Promise<void> {
  if (!worksInFolder(server.pid, home.cluster)) return
  process.kill(server.pid, 'SIGINT')
  if (await hasEnded(server.pid, 30_000)) return
  process.kill(server.pid, 'SIGQUIT')
  if (await hasEnded(server.pid, 10_000)) return
  throw new Error(`The database (process ${server.pid}) does not stop`)
}

async function hasEnded(pid: number, patienceMs: number): Promise<boolean> {
  for (let waitedMs = 0; waitedMs < patienceMs; waitedMs += 10) {
    if (!isRunning(pid)) return true
    await sleep(10)
  }
  return !isRunning(pid)
}

/** Waits out a server that is still recovering or already stopping. */
async function waitUntilSettled(home: ClusterHome, pid: number, log: (line: string) => void): Promise<void> {
  for (let polls = 0; worksInFolder(pid, home.cluster); polls += 1) {
    if (readPidFile(home.cluster)?.status === 'ready') return
    if (polls > 0 && polls % 500 === 0) log(`Waiting for the database of an earlier run (process ${pid})`)
    await sleep(10)
  }
}

type PidFile = { pid: number; socketFolder: string; status: string }

/** postmaster.pid: process, data folder, start, port, socket folder, address, shared memory, status. */
function readPidFile(cluster: string): PidFile | undefined {
  try {
    const lines = readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n')
    const pid = Number(lines[0])
    if (!Number.isSafeInteger(pid) || pid <= 1) return undefined
    return { pid, socketFolder: lines[4] ?? '', status: lines[7]?.trim() ?? '' }
  } catch {
    return undefined
  }
}

/**
 * The process of the pid file is no server of this folder. When it has ended, PostgreSQL clears the file itself
 * and uses it to find connections that are still ending. When another program has its number now, PostgreSQL
 * would refuse for ever, so we clear the file once nothing works in the folder any more.
 */
async function clearPidFile(home: ClusterHome, pid: number): Promise<void> {
  if (!isRunning(pid)) return
  for (let polls = 0; listProgramsIn(home.cluster).length > 0; polls += 1) {
    if (polls >= 50) throw new StartupError(`Other programs still work in ${home.cluster}. Stop them first.`)
    await sleep(100)
  }
  rmSync(join(home.cluster, 'postmaster.pid'), { force: true })
}

function logFileOf(home: ClusterHome): string {
  return join(home.base, 'postgres.log')
}

function keepLogSmall(logFile: string): void {
  const size = statSync(logFile, { throwIfNoEntry: false })?.size ?? 0
  if (size > 10_000_000) renameSync(logFile, `${logFile}.1`)
}
