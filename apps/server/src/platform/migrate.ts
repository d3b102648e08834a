/** Forward-only migrations, safe when several processes start at once. */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { poolConfig, type DatabaseAddress } from './database.ts'
import { StartupError } from './startup-error.ts'

/** Any constant will do: it only has to be the same for every process of the product. */
const LOCK = 7_214_901

const OLDEST_POSTGRES = 15

type Migration = {
  readonly number: number
  readonly name: string
  readonly sql: string
  readonly hash: string
}

export function readMigrations(folder: string): Migration[] {
  return readdirSync(folder)
    .filter((name) => /^\d{4}_[a-z0-9_]+\.sql$/.test(name))
    .sort()
    .map((name) => {
      const sql = readFileSync(join(folder, name), 'utf8')
      return {
        number: Number(name.slice(0, 4)),
        name,
        sql,
        hash: createHash('sha256').update(sql).digest('hex'),
      }
    })
}

/**
 * Brings the database at `address` (a login that owns it) to the program's version, one transaction a
 * migration, under an advisory lock. Answers how many were applied. Throws StartupError when the database is
 * newer than the program, was changed by other migrations, or is too old a PostgreSQL.
 */
export async function migrate(address: DatabaseAddress, folder: string): Promise<number> {
  const migrations = readMigrations(folder)
  const client = new pg.Client(poolConfig(address))
  try {
    await client.connect()
  } catch (error) {
    throw new StartupError(
      `The database cannot be reached (${(error as Error).message}). Check DATABASE_URL and that the server runs.`,
    )
  }
  try {
    await checkServerVersion(client)
    await client.query('select pg_advisory_lock($1)', [LOCK])
    await client.query(`create table if not exists migration (
      number integer primary key, name text not null, hash text not null, applied_at timestamptz not null default now())`)
    const applied = (await client.query('select number, name, hash from migration order by number'))
      .rows as Migration[]
    for (const row of applied) {
      const ours = migrations.find((m) => m.number === row.number)
      if (!ours) {
        throw new StartupError(
          `The database has migration ${row.name}, which this program does not know: it is newer. Start the version that made it, or a later one.`,
        )
      }
      if (ours.hash !== row.hash) {
        throw new StartupError(
          `Migration ${ours.name} is not the one that the database was made with. Restore the original file; changes belong in a new migration.`,
        )
      }
    }
    const missing = migrations.filter((m) => !applied.some((row) => row.number === m.number))
    for (const migration of missing) {
      await client.query('begin')
      try {
        await client.query(migration.sql)
        await client.query('insert into migration (number, name, hash) values ($1, $2, $3)', [
          migration.number,
          migration.name,
          migration.hash,
        ])
        await client.query('commit')
      } catch (error) {
        await client.query('rollback')
        throw new StartupError(
          `Migration ${migration.name} failed: ${(error as Error).message}. Nothing of it was kept.`,
        )
      }
    }
    return missing.length
  } finally {
    await client.end()
  }
}

async function checkServerVersion(client: pg.Client): Promise<void> {
  const version = Number((await client.query('show server_version_num')).rows[0].server_version_num)
  if (Math.floor(version / 10_000) < OLDEST_POSTGRES) {
    throw new StartupError(
      `The database is PostgreSQL ${Math.floor(version / 10_000)}; Kvitt needs ${OLDEST_POSTGRES} or later.`,
    )
  }
}
