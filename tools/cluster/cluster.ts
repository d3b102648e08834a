/** The reference cluster on loopback: three databases, two hosts that answer, one that does the jobs, and what stands in front. */
import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { startDatabases, type Databases } from './databases.ts'
import { NODES, openLayout, ownFile, type Layout } from './layout.ts'
import { findNeeded, type Needed } from './needed.ts'
import { familyOf, openProcesses, signalAll, type Processes, type Program } from './processes.ts'
import { dataDirOf, haproxyOf } from './settings.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const HOSTS = ['api1', 'api2', 'jobs'] as const
export type HostName = (typeof HOSTS)[number]

export type Options = {
  readonly folder: string
  /** The first of a hundred ports. */
  readonly base: number
  /** The cast of the demo; else an empty database, with the bank of the sandbox. */
  readonly isDemo: boolean
  /** More settings of the product. */
  readonly settings?: Readonly<Record<string, string>>
  readonly log: (line: string) => void
}

export type Cluster = {
  readonly address: string
  readonly sandbox: string
  readonly databases: Databases
  readonly layout: Layout
  kill(name: HostName): void
  freeze(name: HostName): void
  thaw(name: HostName): void
  /** SIGTERM and its end, as a deploy does. Answers the exit status. */
  stop(name: HostName): Promise<number>
  /** Resolves when it answers `/readyz` with 200. */
  start(name: HostName): Promise<void>
  stopAll(): Promise<void>
}

/** All three hosts of the database; the program finds the one that writes. */
function addressFor({ ports, passwords }: Layout, login: 'owner' | 'app'): string {
  const hosts = NODES.map((node) => `127.0.0.1:${ports.postgresLine(node)}`).join(',')
  const user = login === 'owner' ? 'kvitt' : 'kvitt_app'
  return `postgres://${user}:${passwords[login]}@${hosts}/kvitt?target_session_attrs=read-write`
}

function settingsOf(layout: Layout, { isDemo, settings = {} }: Options): Record<string, string> {
  const { ports, folder } = layout
  const shared = join(folder, 'shared')
  const certificate = (name: string): string => join(shared, 'sandbox', 'certificates', name)
  return {
    DATABASE_URL: addressFor(layout, 'app'),
    DATA_DIR: shared,
    SANDBOX_PORT: String(ports.sandbox),
    PUBLIC_URL: `http://127.0.0.1:${ports.proxy}`,
    TRUSTED_PROXIES: '127.0.0.1',
    LOG_LEVEL: 'warn',
    ...(isDemo
      ? { DEMO: 'on' }
      : {
          DEMO: 'off',
          BANK_BASE_URL: `https://localhost:${ports.sandbox + 1}`,
          BANK_LINK_HOSTS: 'localhost,127.0.0.1',
          BANK_CA_FILE: certificate('ca.pem'),
          BANK_CERTIFICATE_FILE: certificate('client.pem'),
          BANK_KEY_FILE: certificate('client-key.pem'),
          BANK_SEAL_CERTIFICATE_FILE: certificate('seal.pem'),
          BANK_SEAL_KEY_FILE: certificate('seal-key.pem'),
        }),
    ...settings,
  }
}

async function answers(url: string): Promise<boolean> {
  try {
    return (await fetch(url, { signal: AbortSignal.timeout(2_000) })).status === 200
  } catch {
    return false
  }
}

async function untilAnswers(url: string, program: Program): Promise<void> {
  for (const until = performance.now() + 240_000; !(await answers(url)); await sleep(200)) {
    if (!program.isRunning()) throw new Error(`${program.name} ended with status ${await program.ended}.`)
    if (performance.now() > until) throw new Error(`${program.name} did not answer.`)
  }
}

/** The logins and the database of roles.sh, where a new cluster has none. */
async function makeDatabase(databases: Databases, { passwords }: Layout): Promise<void> {
  await databases.asSuperuser('postgres', async (client) => {
    const { rows } = await client.query(`select from pg_database where datname = 'kvitt'`)
    if (rows.length > 0) return
    await client.query(`create role kvitt login createrole password '${passwords.owner}'`)
    await client.query(`create role kvitt_app login noinherit password '${passwords.app}'`)
    await client.query('grant kvitt_app to kvitt with admin option')
    await client.query('create database kvitt owner kvitt')
  })
}

async function migrate(
  layout: Layout,
  settings: Record<string, string>,
  processes: Processes,
): Promise<void> {
  const env = { ...settings, DATABASE_OWNER_URL: addressFor(layout, 'owner') }
  const args = [join(ROOT, 'apps/server/dist/migrate-cli.js')]
  const status = await processes.start({ name: 'migrate', command: process.execPath, args, env, cwd: ROOT })
    .ended
  if (status !== 0)
    throw new Error(`npm run migrate ended with ${status}; ${join(layout.folder, 'logs')} says why.`)
}

function openHosts(processes: Processes, layout: Layout, settings: Record<string, string>) {
  const running = new Map<HostName, Program>()
  const processesOf = (name: HostName): number[] =>
    familyOf([running.get(name)?.pid ?? 0].filter((pid) => pid > 1))
  return {
    kill: (name: HostName) => signalAll(processesOf(name), 'SIGKILL'),
    freeze: (name: HostName) => signalAll(processesOf(name), 'SIGSTOP'),
    thaw: (name: HostName) => signalAll(processesOf(name), 'SIGCONT'),
    async stop(name: HostName) {
      const program = running.get(name)
      if (program?.isRunning()) signalAll([program.pid], 'SIGTERM')
      return (await program?.ended) ?? 0
    },
    async start(name: HostName) {
      const port = layout.ports.host(name)
      const program = processes.start({
        name,
        command: process.execPath,
        args: [join(ROOT, 'apps/server/dist/main.js')],
        cwd: ROOT,
        env: { ...settings, PORT: String(port), ROLE: name === 'jobs' ? 'jobs' : 'api' },
      })
      running.set(name, program)
      await untilAnswers(`http://127.0.0.1:${port}/readyz`, program)
    },
  }
}

function startSandbox(processes: Processes, layout: Layout): Program {
  const { ports, folder } = layout
  const env = {
    DATA_DIR: join(folder, 'shared'),
    SANDBOX_PORT: String(ports.sandbox),
    PORT: String(ports.proxy),
  }
  const args = [join(ROOT, 'apps/sandbox/dist/main.js')]
  return processes.start({ name: 'sandbox', command: process.execPath, args, cwd: ROOT, env })
}

function startProxy(processes: Processes, layout: Layout, { haproxy }: Needed): Program {
  const file = ownFile(layout, 'haproxy.cfg', haproxyOf(layout))
  return processes.start({ name: 'haproxy', command: haproxy, args: ['-db', '-f', file], asAccount: true })
}

/**
 * Starts everything and resolves when a call through the front is answered. Throws one sentence when something is absent or does not
 * start; what was started is ended then.
 */
export async function startCluster(options: Options): Promise<Cluster> {
  const layout = openLayout(options.folder, options.base)
  const needed = findNeeded(layout.folder)
  const processes = openProcesses(
    layout,
    NODES.map((node) => dataDirOf(layout.folder, node)),
  )
  try {
    mkdirSync(join(layout.folder, 'shared'), { recursive: true })
    options.log('Starting etcd and three databases')
    const databases = await startDatabases({ layout, needed, processes })
    await makeDatabase(databases, layout)
    const settings = settingsOf(layout, options)
    const sandbox = `http://127.0.0.1:${layout.ports.sandbox}`
    const played = startSandbox(processes, layout)
    while (!existsSync(join(layout.folder, 'shared/sandbox/certificates/seal-key.pem')) && played.isRunning())
      await sleep(100)
    options.log('Migrating, and starting two hosts that answer and one that does the jobs')
    await migrate(layout, settings, processes)
    const hosts = openHosts(processes, layout, settings)
    for (const name of ['jobs', 'api1', 'api2'] as const) await hosts.start(name)
    const address = `http://127.0.0.1:${layout.ports.proxy}`
    const front = startProxy(processes, layout, needed)
    await untilAnswers(`${address}/readyz`, front)
    return { address, sandbox, databases, layout, ...hosts, stopAll: () => processes.stopAll() }
  } catch (error) {
    await processes.stopAll()
    throw error
  }
}

/** What an earlier cluster has left in the folder. */
export function forgetCluster(folder: string): void {
  for (const name of ['db1', 'db2', 'db3', 'etcd1', 'etcd2', 'etcd3', 'shared', 'logs', 'passwords.json'])
    rmSync(join(folder, name), { recursive: true, force: true })
}
