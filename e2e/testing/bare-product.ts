/** The product for tests that kill it: server and sandbox as programs, a database that outlives them, and lines to cut. */
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { afterAll, afterEach, expect } from 'vitest'
import { systemClock } from '../../apps/server/src/platform/clock.ts'
import { openDatabase } from '../../apps/server/src/platform/database/database.ts'
import { startEmbeddedPostgres } from '../../apps/server/src/platform/embedded-postgres/embedded-postgres.ts'
import { migrate } from '../../apps/server/src/platform/database/migrate.ts'
import { buildInstance, buildInvoice, type BuiltInvoice } from '../../apps/server/src/testing/build.ts'
import { MANY_STARTS } from '../../apps/server/src/testing/many-starts.ts'
import { brokenInvariants } from '../../apps/server/src/testing/test-database.ts'
import { openCounterpartyLine, type CounterpartyLine } from './counterparty-line.ts'
import { openDatabaseLine, type DatabaseLine } from './database-line.ts'
import { findPorts } from './ports.ts'
import { startProgram, type Program } from './program.ts'

export type Order = { readonly id: string; readonly reference: string; readonly status: string }
export type Answer = { readonly status: number; readonly json: unknown }

export type BareProduct = {
  readonly address: string
  readonly databaseLine: DatabaseLine
  readonly counterparties: CounterpartyLine
  readonly today: string
  buildInvoice(): Promise<BuiltInvoice>
  /** A call of the API. Answers undefined when the server died over it, or is not there, or says nothing for MOST_PATIENCE_MS. */
  call(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<Answer | undefined>
  control<Result>(method: string, path: string, body?: unknown): Promise<Result>
  orders(): Promise<Order[]>
  rows<Row>(sql: string, values?: readonly unknown[]): Promise<Row[]>
  kill9(): Promise<void>
  /** The processes of the server that answer, when there are several; the youngest last. */
  workers(): number[]
  start(): Promise<void>
}

/** A connection that was handed to a worker in the moment of its death is never answered. */
const MOST_PATIENCE_MS = 10_000

/** Nobody asks for it; it must not be seen by others all the same. */
export const PASSWORD = 'bare-pa55word'
const MIGRATIONS = fileURLToPath(new URL('../../apps/server/migrations', import.meta.url))

function settingsOf(parts: {
  folder: string
  port: number
  linePort: number
  user: string
  workers: number
}) {
  const { folder, port, linePort, user, workers } = parts
  const certificates = join(folder, 'data', 'sandbox', 'certificates')
  const files = (prefix: string) => ({
    [`${prefix}_CA_FILE`]: join(certificates, 'ca.pem'),
    [`${prefix}_CERTIFICATE_FILE`]: join(certificates, 'client.pem'),
    [`${prefix}_KEY_FILE`]: join(certificates, 'client-key.pem'),
  })
  const line = encodeURIComponent(join(folder, 'line'))
  return {
    DATA_DIR: join(folder, 'data'),
    PORT: String(port),
    SANDBOX_PORT: String(port + 1),
    DATABASE_URL: `postgresql://${user}:${PASSWORD}@localhost:5432/postgres?host=${line}`,
    DEMO: 'off',
    LOG_LEVEL: 'error',
    ...MANY_STARTS,
    WORKERS: String(workers),
    BANK_BASE_URL: `https://localhost:${linePort}`,
    BANK_LINK_HOSTS: 'localhost,127.0.0.1',
    SWISH_BASE_URL: `https://localhost:${linePort}/swish-cpcapi`,
    SWISH_PAYEE_ALIAS: '1234679304',
    ...files('BANK'),
    ...files('SWISH'),
  }
}

/** Starts everything, stops it after the file's last test, and after each test expects the books to be right. */
export async function runBareProduct(workers = 1): Promise<BareProduct> {
  const folder = mkdtempSync(join(tmpdir(), 'kvitt-kill-'))
  chmodSync(folder, 0o711)
  mkdirSync(join(folder, 'line'), { mode: 0o711 })
  mkdirSync(join(folder, 'data'), { mode: 0o711 })
  const postgres = await startEmbeddedPostgres({
    dataDir: join(folder, 'data'),
    log: () => {},
    // What is killed is the program; its database lives on.
    settings: { fsync: 'off' },
  })
  const address = { host: postgres.host, port: postgres.port, database: 'postgres' }
  const ownerAddress = { ...address, user: postgres.ownerUser }
  const appAddress = { ...address, user: 'kvitt_app' }
  await migrate(ownerAddress, MIGRATIONS)
  const owner = new pg.Pool({ ...ownerAddress, max: 4 })
  owner.on('error', () => {})
  const db = openDatabase(appAddress, 4)
  const test = { db, address: appAddress, owner, ownerAddress }
  const clock = systemClock(() => 0)
  const { id: instanceId } = await buildInstance(test)

  const port = await findPorts()
  const databaseLine = await openDatabaseLine(join(folder, 'line'), postgres.host)
  const sandboxSettings = {
    DATA_DIR: join(folder, 'data'),
    PORT: String(port),
    SANDBOX_PORT: String(port + 1),
  }
  const sandbox = await startProgram('sandbox', sandboxSettings)
  const certificates = join(folder, 'data', 'sandbox', 'certificates')
  const counterparties = await openCounterpartyLine(certificates, port + 2)
  const settings = settingsOf({
    folder,
    port,
    linePort: counterparties.port,
    user: postgres.ownerUser,
    workers,
  })
  let server: Program | undefined = await startProgram('server', settings)

  async function ask(url: string, method: string, body?: unknown, headers: Record<string, string> = {}) {
    const response = await fetch(url, {
      method,
      signal: AbortSignal.timeout(MOST_PATIENCE_MS),
      headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    return { status: response.status, json: text === '' ? undefined : (JSON.parse(text) as unknown) }
  }
  async function control<Result>(method: string, path: string, body?: unknown): Promise<Result> {
    const answer = await ask(`http://127.0.0.1:${port + 1}/control/${path}`, method, body)
    if (answer.status !== 200) throw new Error(`${method} ${path}: ${answer.status}`)
    return answer.json as Result
  }
  afterEach(async () => {
    expect(await brokenInvariants(owner)).toEqual({})
  })
  afterAll(async () => {
    await server?.stop()
    await sandbox.stop()
    counterparties.close()
    databaseLine.close()
    await db.close()
    await owner.end()
    await postgres.stop()
    rmSync(folder, { recursive: true, force: true })
  })
  return {
    address: `http://127.0.0.1:${port}`,
    databaseLine,
    counterparties,
    today: clock.today('Europe/Stockholm'),
    buildInvoice: () => buildInvoice(test, instanceId, clock),
    call: (method, path, body, headers) =>
      ask(`http://127.0.0.1:${port}/api/${path}`, method, body, headers).catch(() => undefined),
    control,
    orders: () => control('GET', 'orders?all=true'),
    async rows<Row>(sql: string, values: readonly unknown[] = []) {
      return (await owner.query(sql, [...values])).rows as Row[]
    },
    async kill9() {
      await server?.kill9()
      server = undefined
      databaseLine.reset()
      counterparties.reset()
    },
    workers: () => server?.workers() ?? [],
    async start() {
      server ??= await startProgram('server', settings)
    },
  }
}
