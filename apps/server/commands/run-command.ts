/** What every command beside the product does around its work: help, the database it reaches, and how it ends. */
import { userInfo } from 'node:os'
import { readCommon } from './command-options.ts'
import { readConfig, wantsTraces, type Config } from '../config/config.ts'
import { readShiftDays } from '../src/demo/demo.queries.ts'
import { systemClock, type Clock } from '../src/platform/clock.ts'
import { openInstances, type Instance } from '../src/instances/instances.ts'
import {
  openDatabase,
  statement,
  type Database,
  type Transaction,
} from '../src/platform/database/database.ts'
import { openLog, type Log } from '../src/platform/log.ts'
import { withoutData } from '../src/platform/log-text.ts'
import { StartupError } from '../src/platform/startup-error.ts'
import { reachDatabase } from '../src/reach-database.ts'

export type CommandContext = {
  readonly db: Database
  readonly clock: Clock
  readonly config: Config
  readonly log: Log
  /** Who runs it, for the audit log. */
  readonly by: string
  /** The provider as it was named; undefined for the default one. */
  readonly provider: string | undefined
}

export type Command<Wishes> = {
  readonly help: string
  /** Throws StartupError with a sentence about the first mistake. */
  readonly readArguments: (args: readonly string[]) => Wishes
  /** Works, prints what became of it, and answers the exit status. Throws StartupError with a sentence. */
  readonly work: (context: CommandContext, wishes: Wishes) => Promise<number>
}

const HELP_LINE = /^ {2}--help .*$/m
const COMMON_HELP = `  --provider ALIAS   the provider, by the first part of its address; without it, the default one
  --by NAME          who runs this, for the audit log; without it, the account of the operating system
`

function accountName(): string {
  try {
    return userInfo().username
  } catch {
    return 'unknown'
  }
}

async function statusOf<Wishes>(command: Command<Wishes>): Promise<number> {
  if (/^(-h|--help)$/.test(process.argv[2] ?? '')) {
    process.stdout.write(command.help.replace(HELP_LINE, `${COMMON_HELP}$&`))
    return 0
  }
  const args = process.argv.slice(2)
  const wishes = command.readArguments(args)
  const common = readCommon(args, accountName)
  const config = readConfig()
  const reached = await reachDatabase(config)
  const db = openDatabase(reached.database, 2)
  try {
    const shiftDays = await readShiftDays(db)
    const clock = systemClock(() => shiftDays)
    const context = { db, clock, config, log: openLog(config.logLevel), ...common }
    // A name that nobody has is a mistake in every command, also in one that would list nothing for it.
    if (common.provider !== undefined) await findProvider(context)
    return await command.work(context, wishes)
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
    const text = isExpected ? error.message : `The command stopped: ${withoutData((error as Error).message)}`
    process.stderr.write(`${text}\n`)
    if (wantsTraces()) process.stderr.write(`${(error as Error).stack}\n`)
    process.exitCode = 2
  }
}

/** The provider that was named, else the default one. Throws StartupError when there is none. */
export async function findProvider({ db, clock, provider }: CommandContext): Promise<Instance> {
  const all = await openInstances(db, clock).all()
  const found = all.find(({ isDefault, row }) => (provider ? row.url_alias === provider : isDefault))
  if (found) return found
  if (all.length === 0) throw new StartupError('There is no provider yet. Make one with "npm run provider".')
  const known = all.map(({ row }) => row.url_alias).join(', ')
  throw new StartupError(
    `There is no ${provider === undefined ? 'default provider' : `provider ${provider}`}. There are ${known}.`,
  )
}

const readOnly = statement('command.readOnly', 'set transaction read only')

/** Reads, and can do nothing else: for what only lists. */
export function reading<Result>(db: Database, work: (tx: Transaction) => Promise<Result>): Promise<Result> {
  return db.transaction(async (tx) => {
    await tx.rows(readOnly)
    return work(tx)
  })
}
