/** The database of the product for a command beside it. */
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Config } from '../config/config.ts'
import { VERSION } from '../config/version.ts'
import type { Patience } from './platform/database/connect.ts'
import type { DatabaseAddress } from './platform/database/database.ts'
import {
  findEmbeddedPostgres,
  hasEmbeddedPostgres,
  startEmbeddedPostgres,
} from './platform/embedded-postgres/embedded-postgres.ts'
import { loginsOf } from './platform/database/logins.ts'
import { checkMigrated, migrate } from './platform/database/migrate.ts'
import { StartupError } from './platform/startup-error.ts'

const MIGRATIONS = fileURLToPath(new URL('../migrations', import.meta.url))

type Reached = { readonly database: DatabaseAddress; stop(): Promise<void> }

/**
 * DATABASE_URL, else the database of the running product, else that of the data folder for as long as we need it. It is used
 * with the program's login and is never changed: one of another version is refused with a sentence.
 */
export async function reachDatabase(config: Config): Promise<Reached> {
  if (config.databaseUrl) {
    const { program } = loginsOf({ ...config, databaseUrl: config.databaseUrl })
    await checkMigrated(program, MIGRATIONS)
    return { database: program, stop: async () => {} }
  }
  // To look for something in it no database is made.
  if (!hasEmbeddedPostgres(config.dataDir)) throw new StartupError(nothingIn(config.dataDir))
  const { program, stop } = await reachEmbedded(config)
  try {
    await checkMigrated(program, MIGRATIONS)
    return { database: program, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** Brings the database up to date, and does nothing else. Answers how many migrations were applied. */
export async function migrateAlone(config: Config, patience: Patience): Promise<number> {
  if (config.databaseUrl) {
    const { owner } = loginsOf({ ...config, databaseUrl: config.databaseUrl })
    if (owner) return migrate(owner, MIGRATIONS, patience, VERSION)
    throw new StartupError(
      'DATABASE_URL is the login of the program, which may not change tables. Set DATABASE_OWNER_URL.',
    )
  }
  const { owner, stop } = await reachEmbedded(config)
  try {
    return await migrate(owner, MIGRATIONS, patience, VERSION)
  } finally {
    await stop()
  }
}

const nothingIn = (dataDir: string): string =>
  `There is nothing in ${dataDir} to work on. Start Kvitt once with "npm start", or set DATA_DIR or DATABASE_URL.`

type Embedded = {
  readonly owner: DatabaseAddress
  readonly program: DatabaseAddress
  stop(): Promise<void>
}

async function reachEmbedded(config: Config): Promise<Embedded> {
  if (!existsSync(config.dataDir)) {
    throw new StartupError(nothingIn(config.dataDir))
  }
  const running = findEmbeddedPostgres(config.dataDir)
  const log = (line: string): void => void process.stderr.write(`${line}\n`)
  const started = running ? undefined : await startEmbeddedPostgres({ dataDir: config.dataDir, log })
  const server = running ?? started
  const at = { host: server?.host ?? '', port: server?.port ?? 0, database: 'postgres' }
  return {
    owner: { ...at, user: server?.ownerUser ?? '' },
    program: { ...at, user: 'kvitt_app' },
    stop: async () => started?.stop(),
  }
}
