/** What every command beside the product does around its work: help, the database it reaches, and how it ends. */
import { readConfig, wantsTraces, type Config } from './config.ts'
import { readShiftDays } from './demo/demo.queries.ts'
import { systemClock, type Clock } from './platform/clock.ts'
import { openDatabase, type Database } from './platform/database.ts'
import { openLog, type Log } from './platform/log.ts'
import { StartupError } from './platform/startup-error.ts'
import { reachDatabase } from './reach-database.ts'

export type CommandContext = {
  readonly db: Database
  readonly clock: Clock
  readonly config: Config
  readonly log: Log
}

export type Command<Wishes> = {
  readonly help: string
  /** Throws StartupError with a sentence about the first mistake. */
  readonly readArguments: (args: readonly string[]) => Wishes
  /** Works, prints what became of it, and answers the exit status. Throws StartupError with a sentence. */
  readonly work: (context: CommandContext, wishes: Wishes) => Promise<number>
}

async function statusOf<Wishes>(command: Command<Wishes>): Promise<number> {
  if (/^(-h|--help)$/.test(process.argv[2] ?? '')) {
    process.stdout.write(command.help)
    return 0
  }
  const wishes = command.readArguments(process.argv.slice(2))
  const config = readConfig()
  const reached = await reachDatabase(config)
  const db = openDatabase(reached.database, 2)
  try {
    const shiftDays = await readShiftDays(db)
    const clock = systemClock(() => shiftDays)
    return await command.work({ db, clock, config, log: openLog(config.logLevel) }, wishes)
  } finally {
    await db.close()
    await reached.stop()
  }
}

export function runCommand<Wishes>(command: Command<Wishes>): Promise<void> {
  return endWith(() => statusOf(command))
}

/**
 * Does the work of a command and sets its status, which is not exited with: what is printed through a pipe must reach its
 * end.
 */
export async function endWith(work: () => Promise<number>): Promise<void> {
  try {
    process.exitCode = await work()
  } catch (error) {
    const isExpected = error instanceof StartupError
    const text = isExpected ? error.message : `The command stopped: ${(error as Error).message}`
    process.stderr.write(`${text}\n`)
    if (wantsTraces()) process.stderr.write(`${(error as Error).stack}\n`)
    process.exitCode = 2
  }
}
