/** The database of the product for a command beside it. */
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Config } from './config.ts'
import type { DatabaseAddress } from './platform/database.ts'
import { findEmbeddedPostgres, startEmbeddedPostgres } from './platform/embedded-postgres.ts'
import { loginsOf } from './platform/logins.ts'
import { checkMigrated, migrate } from './platform/migrate.ts'
import { StartupError } from './platform/startup-error.ts'

const MIGRATIONS = fileURLToPath(new URL('../migrations', import.meta.url))

type Reached = { readonly database: DatabaseAddress; stop(): Promise<void> }

/** DATABASE_URL, else the database of the running product, else that of the data folder for as long as we need it. */
export async function reachDatabase(config: Config): Promise<Reached> {
  if (config.databaseUrl) {
    const { owner, program } = loginsOf({ ...config, databaseUrl: config.databaseUrl })
    if (owner) await migrate(owner, MIGRATIONS)
    else await checkMigrated(program, MIGRATIONS)
    return { database: program, stop: async () => {} }
  }
  if (!existsSync(config.dataDir)) {
    throw new StartupError(
      `There is nothing in ${config.dataDir} to import into. Start Kvitt once with "npm start", or set DATA_DIR or DATABASE_URL.`,
    )
  }
  const running = findEmbeddedPostgres(config.dataDir)
  const log = (line: string): void => void process.stderr.write(`${line}\n`)
  const started = running ? undefined : await startEmbeddedPostgres({ dataDir: config.dataDir, log })
  const server = running ?? started
  const stop = async (): Promise<void> => started?.stop()
  try {
    const at = { host: server?.host ?? '', port: server?.port ?? 0, database: 'postgres' }
    await migrate({ ...at, user: server?.ownerUser ?? '' }, MIGRATIONS)
    return { database: { ...at, user: 'kvitt_app' }, stop }
  } catch (error) {
    await stop()
    throw error
  }
}
