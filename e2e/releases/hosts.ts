/** Hosts of two releases on one database, behind one address, with the demo in it and one sandbox. */
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { afterAll } from 'vitest'
import { systemClock } from '../../apps/server/src/platform/clock.ts'
import { openDatabase } from '../../apps/server/src/platform/database/database.ts'
import { migrate } from '../../apps/server/src/platform/database/migrate.ts'
import { startEmbeddedPostgres } from '../../apps/server/src/platform/embedded-postgres/embedded-postgres.ts'
import { buildInvoice, type BuiltInvoice } from '../../apps/server/src/testing/build.ts'
import { MANY_STARTS } from '../../apps/server/src/testing/many-starts.ts'
import { findPorts } from '../testing/ports.ts'
import { startProgram, type Program } from '../testing/program.ts'
import { openRoundRobin, type RoundRobin } from './round-robin.ts'

export type Release = 'older' | 'newer'

export type Hosts = {
  /** Of what stands in front. */
  readonly address: string
  readonly front: RoundRobin
  /** Starts a host of a release, and answers when requests are handed to it. */
  start(release: Release): Promise<Host>
  /** Brings the database to the newer release, as `npm run migrate` does. */
  migrateToNewer(): Promise<number>
  control<Result>(method: string, path: string, body?: unknown): Promise<Result>
  buildInvoice(): Promise<BuiltInvoice>
  rows<Row>(sql: string, values?: readonly unknown[]): Promise<Row[]>
}

export type Host = {
  readonly release: Release
  readonly port: number
  /** As a supervisor stops it: it is told, and answers until nothing is handed to it any more. */
  stop(): Promise<number | null>
}

const HERE = fileURLToPath(new URL('../..', import.meta.url))
const OLDER = process.env['OLDER_RELEASE'] ?? ''
const FOLDERS: Readonly<Record<Release, string>> = { older: OLDER, newer: HERE }
const MIGRATIONS = join(HERE, 'apps/server/migrations')
/** A host starts while others answer and people pay, all of them on one machine. */
const READY_MS = 240_000
/** Longer than two looks of what stands in front. */
const DRAIN_SECONDS = '1'

export async function openHosts(): Promise<Hosts> {
  if (OLDER === '') throw new Error('Run it by "npm run two-releases".')
  const folder = mkdtempSync(join(tmpdir(), 'kvitt-releases-'))
  chmodSync(folder, 0o711)
  const dataDir = join(folder, 'data')
  mkdirSync(dataDir, { mode: 0o711 })
  const postgres = await startEmbeddedPostgres({ dataDir, log: () => {}, settings: { fsync: 'off' } })
  const at = { host: postgres.host, port: postgres.port, database: 'postgres' }
  const ownerAddress = { ...at, user: postgres.ownerUser }
  const owner = new pg.Pool({ ...ownerAddress, max: 4 })
  owner.on('error', () => {})
  const port = await findPorts()
  const front = await openRoundRobin(port)
  const sandbox = await startProgram('sandbox', {
    DATA_DIR: dataDir,
    PORT: String(port),
    SANDBOX_PORT: String(port + 1),
  })
  const url = (user: string): string =>
    `postgresql://${user}@localhost:${at.port}/postgres?host=${encodeURIComponent(at.host)}`
  const running = new Set<Program>()
  const db = openDatabase({ ...at, user: 'kvitt_app' }, 4)
  let last = port + 10
  afterAll(async () => {
    for (const program of running) await program.stop()
    await sandbox.stop()
    front.close()
    await db.close()
    await owner.end()
    await postgres.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  async function start(release: Release): Promise<Host> {
    const own = (last += 1)
    const program = await startProgram(
      'server',
      {
        DATA_DIR: dataDir,
        PORT: String(own),
        HOST: '127.0.0.1',
        PUBLIC_URL: `http://localhost:${port}`,
        SANDBOX_PORT: String(port + 1),
        DATABASE_URL: url('kvitt_app'),
        // A new database is made by its first host; from then on hosts have the program's login alone.
        ...(running.size === 0 && last === port + 11 ? { DATABASE_OWNER_URL: url(postgres.ownerUser) } : {}),
        DEMO: 'on',
        DRAIN_SECONDS,
        LOG_LEVEL: 'error',
        ...MANY_STARTS,
      },
      { root: FOLDERS[release], readyMs: READY_MS },
    )
    running.add(program)
    front.hosts.add(own)
    for (let n = 0; n < 300 && !front.ready.has(own); n++) await sleep(100)
    if (!front.ready.has(own)) throw new Error(`The ${release} host did not get ready.`)
    return {
      release,
      port: own,
      async stop() {
        const status = await program.stop('SIGTERM')
        front.hosts.delete(own)
        running.delete(program)
        return status
      },
    }
  }

  const clock = systemClock(() => 0)
  const instanceId = async (): Promise<string> => {
    const { rows } = await owner.query<{ id: string }>('select id from instance where is_default')
    return rows[0]?.id ?? ''
  }
  return {
    address: `http://localhost:${port}`,
    front,
    start,
    migrateToNewer: () => migrate(ownerAddress, MIGRATIONS),
    async control<Result>(method: string, path: string, body?: unknown) {
      const answer = await fetch(`http://127.0.0.1:${port + 1}/control/${path}`, {
        method,
        ...(body === undefined
          ? {}
          : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
      })
      if (answer.status !== 200) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
      return (await answer.json()) as Result
    },
    buildInvoice: async () =>
      buildInvoice(
        { db, address: { ...at, user: 'kvitt_app' }, owner, ownerAddress },
        await instanceId(),
        clock,
      ),
    async rows<Row>(sql: string, values: readonly unknown[] = []) {
      return (await owner.query(sql, [...values])).rows as Row[]
    },
  }
}
