/** The two programs of a product and its database, in a data folder of their own. */
import { copyFileSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { reachOf, WORK_LIMITS } from '../../apps/server/src/platform/database/database.ts'
import {
  findEmbeddedPostgres,
  startEmbeddedPostgres,
} from '../../apps/server/src/platform/embedded-postgres/embedded-postgres.ts'
import { MANY_STARTS } from '../../apps/server/src/testing/many-starts.ts'
import { openBankLine, type BankLine } from './bank-line.ts'
import { findPorts } from './ports.ts'
import { CAST_DATABASE, copyData, KEPT_JOURNAL, today } from './prepared-data.ts'
import { startProgram, type Program } from './program.ts'

export type Options = {
  /** Begins with an empty folder, as a new user does, and not with a copy of the prepared data. */
  readonly fromNothing?: true
  readonly withBankLine?: true
  readonly settings?: Readonly<Record<string, string>>
}

export type Programs = {
  readonly folder: string
  readonly dataDir: string
  readonly address: string
  readonly sandboxAddress: string
  /** For a command that works on the same product. */
  readonly settings: Readonly<Record<string, string>>
  readonly bankLine: BankLine | undefined
  /** Asks as the owner of the tables, which the program itself may not be, on a connection that is kept. */
  ask<Row extends object>(query: pg.QueryConfig): Promise<Row[]>
  /** The same on a connection of its own, so that nothing waits for it. */
  askAlone<Row extends object>(query: pg.QueryConfig): Promise<Row[]>
  logs(): string
  kill9Server(): Promise<void>
  startAgain(): Promise<void>
  /** Both programs, as Ctrl-C stops them; answers their exit statuses. */
  stopCleanly(): Promise<(number | null)[]>
  /** Database and sandbox as they were when the demo had been loaded. The server runs on. */
  putBack(): Promise<void>
  isRunning(): boolean
  /** The day from which the demo tells its stories. */
  readonly day: string
  /** Stops everything, however it stands, and removes the folder. */
  end(): Promise<void>
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
export async function stopDatabase(dataDir: string): Promise<void> {
  if (!findEmbeddedPostgres(dataDir)) return
  await (await startEmbeddedPostgres({ dataDir, log: () => {} })).stop()
}

async function connect(dataDir: string, database: string): Promise<pg.Client> {
  const found = findEmbeddedPostgres(dataDir)
  if (!found) throw new Error('The database of the product does not run.')
  const address = { host: found.host, port: found.port, user: found.ownerUser, database }
  const client = new pg.Client(reachOf(address, WORK_LIMITS).config)
  client.on('error', () => {})
  await client.connect()
  return client
}

async function askAlone<Row extends object>(dataDir: string, query: pg.QueryConfig): Promise<Row[]> {
  const client = await connect(dataDir, 'postgres')
  try {
    return (await client.query<Row>(query)).rows
  } finally {
    await client.end()
  }
}

/** One connection as the owner, made again when its database was away: what it asks after every test is planned once. */
function openOwner(dataDir: string) {
  let client: Promise<pg.Client> | undefined
  const close = async (): Promise<void> => {
    const open = await client?.catch(() => undefined)
    client = undefined
    await open?.end().catch(() => {})
  }
  return {
    close,
    async ask<Row extends object>(query: pg.QueryConfig): Promise<Row[]> {
      client ??= connect(dataDir, 'postgres').then((open) => {
        open.once('end', () => (client = undefined))
        return open
      })
      return (await (await client).query<Row>(query)).rows
    },
  }
}

/** The sandbox does not run meanwhile. */
function putJournalBack(dataDir: string): void {
  const folder = join(dataDir, 'sandbox')
  copyFileSync(join(folder, KEPT_JOURNAL), join(folder, 'bank.jsonl'))
  rmSync(join(folder, 'attachments'), { recursive: true, force: true })
  rmSync(join(dataDir, 'print-queue'), { recursive: true, force: true })
}

async function putDatabaseBack(dataDir: string): Promise<void> {
  const admin = await connect(dataDir, 'template1')
  try {
    await admin.query('drop database postgres with (force)')
    await admin.query(`create database postgres template ${CAST_DATABASE} strategy file_copy`)
  } finally {
    await admin.end()
  }
}

/**
 * Starts the product with the demo in `folder`.
 * @param prepared folder of the data to begin with; without it they are made
 */
export async function startPrograms(
  folder: string,
  prepared: string | undefined,
  options: Options = {},
): Promise<Programs> {
  const dataDir = join(folder, 'data')
  const port = await findPorts()
  const day = today()
  if (!options.fromNothing) await copyData(dataDir, port, prepared)
  const certificates = join(dataDir, 'sandbox', 'certificates')
  const settings: Record<string, string> = {
    DATA_DIR: dataDir,
    PORT: String(port),
    SANDBOX_PORT: String(port + 1),
    ...MANY_STARTS,
  }
  const owner = openOwner(dataDir)
  const bankLine = options.withBankLine && (await openBankLine(certificates, port + 4, port + 2))
  let sandbox: Program | undefined
  let server: Program | undefined

  const stopCleanly = async (): Promise<(number | null)[]> => {
    const programs = [server, sandbox]
    server = undefined
    sandbox = undefined
    await owner.close()
    const statuses = []
    for (const program of programs) if (program) statuses.push(await program.stop())
    return statuses
  }
  const startAgain = async (): Promise<void> => {
    sandbox ??= await startProgram('sandbox', settings)
    server ??= await startProgram('server', {
      ...settings,
      ...options.settings,
      ...(bankLine ? bankSettings(certificates, port + 4, port + 2) : {}),
    })
  }
  await startAgain()
  return {
    folder,
    dataDir,
    address: `http://localhost:${port}`,
    sandboxAddress: `http://localhost:${port + 1}`,
    settings,
    bankLine,
    ask: owner.ask,
    askAlone: (query) => askAlone(dataDir, query),
    logs: () =>
      [
        sandbox?.output(),
        server?.output(),
        readFileSync(join(dataDir, 'postgres', 'postgres.log'), 'utf8'),
      ].join('\n'),
    async kill9Server() {
      await server?.kill9()
      server = undefined
    },
    stopCleanly,
    startAgain,
    async putBack() {
      await owner.close()
      await putDatabaseBack(dataDir)
      await sandbox?.stop()
      putJournalBack(dataDir)
      sandbox = await startProgram('sandbox', settings)
    },
    isRunning: () => [server, sandbox].every((program) => program?.isRunning()),
    day,
    async end() {
      await stopCleanly()
      bankLine?.close()
      await stopDatabase(dataDir)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
