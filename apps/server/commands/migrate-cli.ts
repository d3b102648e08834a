/** `npm run migrate`: brings the configured database up to date, on its own. */
import { readOptions } from './command-options.ts'
import { readConfig } from '../config/config.ts'
import { StartupError } from '../src/platform/startup-error.ts'
import { migrateAlone } from '../src/reach-database.ts'
import { endWith } from './run-command.ts'

const USAGE = 'Usage: npm run migrate'
const HELP = `${USAGE}

Brings the database of DATABASE_OWNER_URL, of DATABASE_URL or of the data folder to the version of this program.
`

await endWith(async () => {
  if (/^(-h|--help)$/.test(process.argv[2] ?? '')) {
    process.stdout.write(HELP)
    return 0
  }
  const { values } = readOptions(process.argv.slice(2), { options: {}, usage: USAGE })
  if (values.provider !== undefined)
    throw new StartupError(`--provider is not an option: all providers have one database. ${USAGE}`)
  const config = readConfig()
  const log = (line: string): void => void process.stderr.write(`${line}\n`)
  const applied = await migrateAlone(config, { waitMs: config.databaseWaitMs, log })
  process.stdout.write(
    applied === 0
      ? 'The database is up to date.\n'
      : `Migrations applied: ${applied}. The database is up to date.\n`,
  )
  return 0
})
