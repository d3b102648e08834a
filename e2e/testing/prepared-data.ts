/** A data folder with the demo in it. It is made once for a run, and every product of the run begins with a copy. */
import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { systemClock } from '../../apps/server/src/platform/clock.ts'
import { startEmbeddedPostgres } from '../../apps/server/src/platform/embedded-postgres/embedded-postgres.ts'
import { findPorts } from './ports.ts'
import { startProgram } from './program.ts'

/** The database as it was when the demo had been loaded. */
export const CAST_DATABASE = 'kvitt_cast'
/** The same for what the sandbox remembers; beside its own. */
export const KEPT_JOURNAL = 'bank.jsonl.cast'
const PATIENCE_MS = 120_000
/** Stands for the product's port in what the sandbox has kept. */
const PORT = 'KVITT_PORT'

/** The day that the demo tells its stories from. */
export const today = (): string => systemClock(() => 0).today('Europe/Stockholm')

function writeJournal(dataDir: string, change: (text: string) => string): void {
  const folder = join(dataDir, 'sandbox')
  const text = change(readFileSync(join(folder, 'bank.jsonl'), 'utf8'))
  for (const name of ['bank.jsonl', KEPT_JOURNAL]) writeFileSync(join(folder, name), text)
}

/** A folder below `parent`. The database runs under another account when we are root, and has to get through. */
export function makeFolder(parent: string = tmpdir()): string {
  const folder = mkdtempSync(join(parent, 'kvitt-journey-'))
  chmodSync(folder, 0o711)
  return folder
}

/** Starts the product on an empty folder, as a new user does, and stops it when the demo is loaded. */
async function makeData(dataDir: string): Promise<void> {
  const port = await findPorts()
  const settings = { DATA_DIR: dataDir, PORT: String(port), SANDBOX_PORT: String(port + 1) }
  const sandbox = await startProgram('sandbox', settings)
  try {
    const server = await startProgram('server', settings)
    await server.stop()
  } finally {
    await sandbox.stop()
  }
  await keepCast(dataDir)
  writeJournal(dataDir, (text) => text.replaceAll(`:${port}/`, `:${PORT}/`))
}

async function keepCast(dataDir: string): Promise<void> {
  const postgres = await startEmbeddedPostgres({ dataDir, log: () => {} })
  const { host, port, ownerUser: user } = postgres
  const client = new pg.Client({ host, port, user, database: 'template1' })
  await client.connect()
  // What journeys kill is the program. Its database lives on, and the machine does too.
  await client.query('alter system set fsync = off')
  await client.query(`create database ${CAST_DATABASE} template postgres strategy file_copy`)
  await client.end()
  await postgres.stop()
}

/** Makes the data of this run in `folder`. Whoever copies them waits for the file that this writes at its end. */
export async function prepareData(folder: string): Promise<void> {
  const day = today()
  let outcome: object
  try {
    await makeData(join(folder, 'data'))
    outcome = { day }
  } catch (error) {
    outcome = { failure: String(error) }
  }
  writeFileSync(join(folder, 'outcome'), JSON.stringify(outcome), { flush: true })
}

/** The day of the prepared data. Throws when they could not be made. */
async function waitForPrepared(folder: string): Promise<string> {
  const file = join(folder, 'outcome')
  for (let waitedMs = 0; waitedMs < PATIENCE_MS; waitedMs += 50) {
    const text = existsSync(file) ? readFileSync(file, 'utf8') : ''
    const { day, failure } = JSON.parse(text === '' ? '{}' : text) as { day?: string; failure?: string }
    if (failure) throw new Error(`The demo could not be prepared. ${failure}`)
    if (day) return day
    await sleep(50)
  }
  throw new Error('The demo was not prepared in time.')
}

/**
 * Fills `dataDir` for a product on `port`. After midnight the prepared data are of yesterday, and it makes its own.
 * @param folder the run's; none where nothing is prepared
 */
export async function copyData(dataDir: string, port: number, folder: string | undefined): Promise<void> {
  if (folder && (await waitForPrepared(folder)) === today()) {
    const copy = spawnSync('cp', ['-Rp', join(folder, 'data'), dataDir], { encoding: 'utf8' })
    if (copy.status !== 0) throw new Error(`The prepared data could not be copied.\n${copy.stderr}`)
  } else await makeData(dataDir)
  writeJournal(dataDir, (text) => text.replaceAll(`:${PORT}/`, `:${port}/`))
}
