/** The whole product for a spec file: its own data folder, its own ports, the programs that users run. */
import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { afterAll, afterEach, expect } from 'vitest'
import { clientConfig, WORK_LIMITS } from '../apps/server/src/platform/database.ts'
import { findEmbeddedPostgres, startEmbeddedPostgres } from '../apps/server/src/platform/embedded-postgres.ts'
import { MANY_STARTS } from '../apps/server/src/testing/many-starts.ts'
import { INVARIANTS } from '../apps/server/src/testing/test-database.ts'
import { openBankLine, type BankLine } from './bank-line.ts'
import { findPorts } from './ports.ts'
import { startProgram, type Program } from './program.ts'

/** A payment as the sandbox bank sees it. */
export type Order = {
  readonly id: string
  readonly reference: string
  readonly amount: string
  readonly currency: string
  readonly status:
    | 'waiting'
    | 'signed'
    | 'due-date'
    | 'held'
    | 'executed'
    | 'declined'
    | 'expired'
    | 'cancelled'
  readonly executionDate: string
}

export type Answer = { readonly status: number; readonly body: unknown; readonly text: string }
export type CallOptions = { readonly body?: unknown; readonly headers?: Readonly<Record<string, string>> }

/** What `npm run import -- --json` says about one file. */
export type Imported = {
  readonly outcome: 'created' | 'unchanged' | 'refused'
  readonly invoiceNumber: string | null
  readonly paymentReference: string | null
  readonly zip: string | null
  readonly reason: string | null
}

export type Product = {
  readonly address: string
  readonly sandboxAddress: string
  /** A call of the API, with `path` below `/api/`. */
  call(method: string, path: string, options?: CallOptions): Promise<Answer>
  /** A control call of the sandbox. Throws when it does not answer 200. */
  control<Result>(method: string, path: string, body?: unknown): Promise<Result>
  /** Every order ever placed at the bank for this reference, the newest first. */
  ordersFor(reference: string): Promise<Order[]>
  /** Rows of the product's own database, read as its owner. */
  readRows<Row>(sql: string, values?: readonly unknown[]): Promise<Row[]>
  importFile(xml: string): Imported
  /** All that the programs that run now and the database have written of themselves. */
  logs(): string
  /** `npm run refund-payment -- --payment ID --whole`; answers what it prints. */
  sendBack(paymentId: string): string
  kill9Server(): Promise<void>
  startServerAgain(): Promise<void>
  /** Both programs, as Ctrl-C stops them; answers their exit statuses. */
  stopCleanly(): Promise<(number | null)[]>
  startAgain(): Promise<void>
}

/** A product that speaks to its bank over a line which the test can hold. */
export type ProductOnALine = Product & { readonly bankLine: BankLine }

type Command = 'import' | 'refund-payment'

async function ask(url: string, method: string, options: CallOptions = {}): Promise<Answer> {
  const hasBody = options.body !== undefined
  const response = await fetch(url, {
    method,
    headers: { ...(hasBody ? { 'content-type': 'application/json' } : {}), ...options.headers },
    ...(hasBody ? { body: JSON.stringify(options.body) } : {}),
  })
  const text = await response.text()
  const isJson = (response.headers.get('content-type') ?? '').includes('json')
  return { status: response.status, text, body: isJson ? (JSON.parse(text) as unknown) : undefined }
}

function runCommand(settings: Record<string, string>, name: Command, args: readonly string[]): string {
  const command = fileURLToPath(new URL(`../apps/server/dist/${name}-cli.js`, import.meta.url))
  if (!existsSync(command)) throw new Error(`The command ${name} is not built: run "npm run build".`)
  const { PATH, HOME } = process.env
  const run = spawnSync(process.execPath, [command, ...args], {
    env: { PATH, HOME, ...settings },
    encoding: 'utf8',
  })
  if (run.stdout === '') throw new Error(`The command ${name} said nothing.\n${run.stderr}`)
  return run.stdout
}

function importInto(settings: Record<string, string>, folder: string, xml: string): Imported {
  const file = join(folder, `invoice-${Date.now()}.xml`)
  writeFileSync(file, xml)
  const line = runCommand(settings, 'import', ['--json', file])
    .split('\n')
    .find((text) => text.startsWith('{'))
  if (!line) throw new Error('The import told of no file.')
  return JSON.parse(line) as Imported
}

/** Reads as the owner of the tables, which the program itself may not be. */
async function withOwner<Result>(
  dataDir: string,
  use: (owner: pg.Client) => Promise<Result>,
): Promise<Result> {
  const found = findEmbeddedPostgres(dataDir)
  if (!found) throw new Error('The database of the product does not run.')
  const address = { host: found.host, port: found.port, user: found.ownerUser, database: 'postgres' }
  const owner = new pg.Client(clientConfig(address, WORK_LIMITS))
  await owner.connect()
  try {
    return await use(owner)
  } finally {
    await owner.end()
  }
}

/** The names of the invariants that do not hold, each with what breaks it. */
async function findBrokenInvariants(owner: pg.Client): Promise<Record<string, unknown[]>> {
  const broken: Record<string, unknown[]> = {}
  for (const view of INVARIANTS) {
    const { rows } = await owner.query(`select * from ${view} limit 5`)
    if (rows.length > 0) broken[view] = rows
  }
  return broken
}

/** The bank over the line; the other counterparties, named too now, directly. */
function bankSettings(certificates: string, linePort: number, apiPort: number): Record<string, string> {
  const addresses = {
    BANK: `https://localhost:${linePort}`,
    SWISH: `https://localhost:${apiPort}/swish-cpcapi`,
    BANKID: `https://localhost:${apiPort}/rp/v6.0`,
  }
  const settings = Object.entries(addresses).flatMap(([name, address]) => [
    [`${name}_BASE_URL`, address],
    [`${name}_CA_FILE`, join(certificates, 'ca.pem')],
    [`${name}_CERTIFICATE_FILE`, join(certificates, 'client.pem')],
    [`${name}_KEY_FILE`, join(certificates, 'client-key.pem')],
  ])
  return { ...(Object.fromEntries(settings) as Record<string, string>), SWISH_PAYEE_ALIAS: '1234679304' }
}

/** A killed server leaves its database running, for the next start to take over. */
async function stopDatabase(dataDir: string): Promise<void> {
  if (!findEmbeddedPostgres(dataDir)) return
  await (await startEmbeddedPostgres({ dataDir, log: () => {} })).stop()
}

/**
 * Starts the product with the demo cast, stops it after the file's last test, and after each test expects the
 * books to be right.
 */
export function runProduct(options: { withBankLine: true }): Promise<ProductOnALine>
export function runProduct(options?: { settings?: Readonly<Record<string, string>> }): Promise<Product>
export async function runProduct(options?: {
  withBankLine?: true
  settings?: Readonly<Record<string, string>>
}): Promise<Product | ProductOnALine> {
  const folder = mkdtempSync(join(tmpdir(), 'kvitt-journey-'))
  // The database runs under another account when we are root, and has to get through.
  chmodSync(folder, 0o711)
  const dataDir = join(folder, 'data')
  const port = await findPorts()
  const certificates = join(dataDir, 'sandbox', 'certificates')
  const settings: Record<string, string> = {
    DATA_DIR: dataDir,
    PORT: String(port),
    SANDBOX_PORT: String(port + 1),
    ...MANY_STARTS,
  }
  const address = `http://localhost:${port}`
  const sandboxAddress = `http://localhost:${port + 1}`
  let sandbox: Program | undefined
  let server: Program | undefined
  let bankLine: BankLine | undefined

  const stopCleanly = async (): Promise<(number | null)[]> => {
    const programs = [server, sandbox]
    server = undefined
    sandbox = undefined
    const statuses = []
    for (const program of programs) if (program) statuses.push(await program.stop())
    return statuses
  }
  const startAgain = async (): Promise<void> => {
    sandbox ??= await startProgram('sandbox', settings)
    if (options?.withBankLine) bankLine ??= await openBankLine(certificates, port + 4, port + 2)
    server ??= await startProgram('server', {
      ...settings,
      ...options?.settings,
      ...(bankLine ? bankSettings(certificates, port + 4, port + 2) : {}),
    })
  }
  afterAll(async () => {
    await stopCleanly()
    bankLine?.close()
    await stopDatabase(dataDir)
    rmSync(folder, { recursive: true, force: true })
  })
  afterEach(async () => {
    expect(await withOwner(dataDir, findBrokenInvariants)).toEqual({})
  })

  await startAgain()
  return {
    ...(bankLine ? { bankLine } : {}),
    address,
    sandboxAddress,
    stopCleanly,
    startAgain,
    startServerAgain: startAgain,
    call: (method, path, options) => ask(`${address}/api/${path}`, method, options),
    async control<Result>(method: string, path: string, body?: unknown) {
      const answer = await ask(`${sandboxAddress}/control/${path}`, method, { body })
      if (answer.status !== 200)
        throw new Error(`${method} /control/${path}: ${answer.status} ${answer.text}`)
      return answer.body as Result
    },
    async ordersFor(reference) {
      const { body } = await ask(`${sandboxAddress}/control/orders?all=true`, 'GET')
      return (body as Order[]).filter((order) => order.reference === reference)
    },
    readRows: <Row>(sql: string, values?: readonly unknown[]) =>
      withOwner(dataDir, async (owner) => (await owner.query(sql, [...(values ?? [])])).rows as Row[]),
    logs: () =>
      [
        sandbox?.output(),
        server?.output(),
        readFileSync(join(dataDir, 'postgres', 'postgres.log'), 'utf8'),
      ].join('\n'),
    importFile: (xml) => importInto(settings, folder, xml),
    sendBack: (paymentId) => runCommand(settings, 'refund-payment', ['--payment', paymentId, '--whole']),
    async kill9Server() {
      await server?.kill9()
      server = undefined
    },
  }
}
