/**
 * What the whole test run needs once: one PostgreSQL, with a migrated template that every test file clones, the certificates
 * of the sandboxes, and the commands, built.
 */
import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { TestProject } from 'vitest/node'
import pg from 'pg'
import { ensureCertificates } from '../../../sandbox/src/certificates.ts'
import { startEmbeddedPostgres } from '../platform/embedded-postgres/embedded-postgres.ts'
import { migrate } from '../platform/database/migrate.ts'
import { quickFolder } from './files/quick-folder.ts'
import { startPgBouncer } from './poolers/pgbouncer.ts'

const TEMPLATE = 'kvitt_template'

/** Makes a database like the template. Copied as files: through the log, which is the default, it takes six times as long. */
export const cloneAs = (database: string): string =>
  `create database ${database} template ${TEMPLATE} strategy file_copy`

/**
 * Nobody cuts its power, and what it holds is thrown away: it writes no page twice for that, and packs nothing. A small cache,
 * as each of many short connections pays for the pages of it that it touches.
 */
const SETTINGS = {
  fsync: 'off',
  full_page_writes: 'off',
  wal_compression: 'off',
  shared_buffers: '128MB',
  max_wal_size: '512MB',
  max_connections: '200',
  // What a connection asks again is planned once, until a sweep of the table says that it has grown.
  plan_cache_mode: 'force_generic_plan',
}

declare module 'vitest' {
  export interface ProvidedContext {
    postgres: {
      host: string
      port: number
      ownerUser: string
      /** Between program and database with TEST_POOLER=transaction. */
      pooler?: { host: string; port: number; isPooled: true }
    }
    /** The folder of the sandbox's certificates: a sandbox that finds them makes none. */
    certificates: string
  }
}

export const MIGRATIONS = fileURLToPath(new URL('../../migrations', import.meta.url))

const BUILD = fileURLToPath(new URL('../../../../tools/build.mjs', import.meta.url))

/** Tests run commands as they are shipped (run-program.ts): compiled anew for each run they took five times as long. */
function buildCommands(): void {
  execFileSync(process.execPath, [BUILD, 'server'], { stdio: ['ignore', 'ignore', 'inherit'] })
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  buildCommands()
  project.onTestsRerun(async () => buildCommands())
  const dataDir = mkdtempSync(join(quickFolder(), 'kvitt-test-'))
  // The database runs under another account than root, and has to get through this folder.
  chmodSync(dataDir, 0o711)
  const postgres = await startEmbeddedPostgres({
    dataDir,
    log: () => {},
    settings: SETTINGS,
  })
  const server = { host: postgres.host, port: postgres.port, user: postgres.ownerUser }
  const client = new pg.Client({ ...server, database: 'postgres' })
  await client.connect()
  await client.query(`create database ${TEMPLATE}`)
  await client.end()
  await migrate({ ...server, database: TEMPLATE }, MIGRATIONS)
  const pooler =
    process.env.TEST_POOLER === 'transaction'
      ? await startPgBouncer({ ...postgres, mode: 'transaction', connections: 8 })
      : undefined
  project.provide('postgres', {
    host: postgres.host,
    port: postgres.port,
    ownerUser: postgres.ownerUser,
    ...(pooler ? { pooler: { host: pooler.host, port: pooler.port, isPooled: true as const } } : {}),
  })
  const certificates = join(dataDir, 'certificates')
  await ensureCertificates(certificates, Date.now())
  project.provide('certificates', certificates)
  return async () => {
    await pooler?.stop()
    await postgres.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}
