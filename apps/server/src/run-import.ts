/** What every command that imports does around its work: help, the database it reaches, and how it ends. */
import { readConfig, wantsTraces, type Config } from './config.ts'
import { readShiftDays } from './demo/demo.queries.ts'
import { openInstances, type Instance } from './instances/instances.ts'
import { systemClock, type Clock } from './platform/clock.ts'
import { openDatabase, type Database } from './platform/database.ts'
import { openLog, type Log } from './platform/log.ts'
import { StartupError } from './platform/startup-error.ts'
import { reachDatabase } from './reach-database.ts'

export type ImportPlace = {
  readonly context: {
    readonly db: Database
    readonly clock: Clock
    readonly config: Config
    readonly log: Log
  }
  readonly instance: Instance
}

export type ImportCommand<Wishes> = {
  readonly help: string
  /** Throws StartupError with a sentence about the first mistake. */
  readonly readArguments: (args: readonly string[]) => Wishes
  /** Imports, prints what became of it, and answers how many files were refused. */
  readonly importInto: (place: ImportPlace, wishes: Wishes) => Promise<number>
}

async function findPlace(db: Database, config: Config): Promise<ImportPlace> {
  const shiftDays = await readShiftDays(db)
  const clock = systemClock(() => shiftDays)
  const instance = await openInstances(db, clock).ofHost('localhost')
  if (!instance) {
    throw new StartupError('There is no default instance to import into. Start Kvitt once with "npm start".')
  }
  return { context: { db, clock, config, log: openLog(config.logLevel) }, instance }
}

async function statusOf<Wishes>(command: ImportCommand<Wishes>): Promise<number> {
  if (/^(-h|--help)$/.test(process.argv[2] ?? '')) {
    process.stdout.write(command.help)
    return 0
  }
  const wishes = command.readArguments(process.argv.slice(2))
  const config = readConfig()
  const reached = await reachDatabase(config)
  const db = openDatabase(reached.database, 2)
  try {
    return (await command.importInto(await findPlace(db, config), wishes)) === 0 ? 0 : 2
  } finally {
    await db.close()
    await reached.stop()
  }
}

/** Runs the command. The status is set, not exited with: what is printed through a pipe must reach its end. */
export async function runImport<Wishes>(command: ImportCommand<Wishes>): Promise<void> {
  try {
    process.exitCode = await statusOf(command)
  } catch (error) {
    const isExpected = error instanceof StartupError
    const text = isExpected ? error.message : `The import stopped: ${(error as Error).message}`
    process.stderr.write(`${text}\n`)
    if (wantsTraces()) process.stderr.write(`${(error as Error).stack}\n`)
    process.exitCode = 2
  }
}
