/** Forward-only migrations, safe when several processes start at once. */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { closeDoors } from './close-doors.ts'
import { readCompatibility, tooOld, worksOn, type Applied, type Compatibility } from './compatibility.ts'
import { IMPATIENT, onOwnConnection, type Patience } from './connect.ts'
import { isDatabaseAway } from './database-away.ts'
import { QUIET_PROGRAM, QUIET_SELF } from './database-log.ts'
import { WORK_LIMITS, type DatabaseAddress } from './database.ts'
import { GIVE_LIMITS } from './login-guard.ts'
import { StartupError } from '../startup-error.ts'

/** Any constant will do: it only has to be the same for every process of the product. */
const LOCK = 7_214_901
/** How long another process may migrate before a person should look, and how often it is asked. */
const OTHER_MS = 15 * 60_000
const ASK_MS = 250

const OLDEST_POSTGRES = 15
/** A migration may take an hour, but it never queues for a lock before everybody else for long. */
const HOUR_MS = 60 * 60_000
const LIMITS = { ...WORK_LIMITS, statementMs: HOUR_MS }
/** What else is asked is small: there silence is known sooner. */
const long = (text: string): pg.QueryConfig => ({ text, query_timeout: HOUR_MS + 60_000 }) as pg.QueryConfig
/** Whoever comes after it waits behind it: short of what somebody notices. */
const LOCK_WAIT = "set lock_timeout = '1s'"
/** It waited too long for a lock, would not wait, or was chosen to give way where two waited for each other. */
const LOCK_NOT_HAD = new Set(['55P03', '40P01'])
/** Between two tries nothing is held, and others get on. */
const PAUSE_MS = 250
const MOST_TRIES = 48

/** The first line of a file whose statements cannot run in a transaction. They have to be such that they may run again. */
const OUTSIDE = /^-- outside a transaction\b/

type Migration = {
  readonly number: number
  readonly name: string
  readonly sql: string
  readonly hash: string
  /** What its head says; undefined in those from before heads said it. */
  readonly compatibility: Compatibility | undefined
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
        compatibility: readCompatibility(sql),
      }
    })
}

/**
 * Brings the database at `address` (a login that owns it) to the program's version, one transaction a
 * migration, under an advisory lock. Answers how many were applied. A database that a newer program has brought further is left as it
 * is. Throws StartupError when this program does not work on that, when the database was changed by other migrations, or is too old a
 * PostgreSQL.
 * @param release the version of this program, which the database keeps for those that are too old for it
 */
export async function migrate(
  address: DatabaseAddress,
  folder: string,
  patience: Patience = IMPATIENT,
  release: string | null = null,
): Promise<number> {
  const migrations = readMigrations(folder)
  return onOwnConnection(address, LIMITS, patience, async (client) => {
    await checkServerVersion(client)
    await checkDirect(client)
    await client.query(QUIET_SELF)
    await takeTurn(client, patience)
    await makeTable(client)
    const { missing, isNewer } = await compare(client, migrations, patience)
    // What a newer program has set right is not set back by an older one.
    if (isNewer) return 0
    for (const migration of missing) {
      if (OUTSIDE.test(migration.sql)) await applyOutside(client, migration, release)
      else await applyInside(client, migration, release)
    }
    await closeDoors((text) => client.query(long(text)))
    await client.query(long(QUIET_PROGRAM))
    await client.query(GIVE_LIMITS)
    return missing.length
  })
}

/** Throws StartupError with a sentence unless the program works on the database; changes nothing. */
export async function checkMigrated(
  address: DatabaseAddress,
  folder: string,
  patience: Patience = IMPATIENT,
): Promise<void> {
  const migrations = readMigrations(folder)
  await onOwnConnection(address, WORK_LIMITS, patience, async (client) => {
    await checkServerVersion(client)
    const { rows } = await client.query("select to_regclass('public.migration') is not null as has")
    const { missing } = rows[0]?.has ? await compare(client, migrations, patience) : { missing: migrations }
    if (missing.length > 0) {
      throw new StartupError(
        `The database lacks migration ${missing[0]?.name}: it is older than this program. Run "npm run migrate".`,
      )
    }
  })
}

/** One process migrates, the others wait and find nothing to do. */
async function takeTurn(client: pg.Client, { log }: Patience): Promise<void> {
  for (let waitedMs = 0; ; waitedMs += ASK_MS) {
    const { rows } = await client.query('select pg_try_advisory_lock($1) as mine', [LOCK])
    if (rows[0]?.mine) return
    if (waitedMs === 4 * ASK_MS) log('Another process migrates this database; waiting for it')
    if (waitedMs >= OTHER_MS) {
      throw new StartupError(
        `Another process has been migrating this database for ${OTHER_MS / 60_000} minutes. Let it finish, or end it, then start again.`,
        1,
      )
    }
    await sleep(ASK_MS)
  }
}

/** The database keeps of each migration what an older program has to know of it. */
async function makeTable(client: pg.Client): Promise<void> {
  await client.query(`create table if not exists migration (
    number integer primary key, name text not null, hash text not null, applied_at timestamptz not null default now())`)
  const { rows } = await client.query(
    "select from pg_attribute where attrelid = 'migration'::regclass and attname = 'works_from'",
  )
  if (rows.length > 0) return
  await client.query(
    'alter table migration add column works_from integer, add column because text, add column release text',
  )
}

type Compared = {
  /** What the program has and the database does not. */
  readonly missing: Migration[]
  /** Has a newer program brought the database further? */
  readonly isNewer: boolean
}

/** @throws StartupError when the program does not work on what the database has and it does not know */
async function compare(
  client: pg.Client,
  migrations: readonly Migration[],
  { log }: Patience,
): Promise<Compared> {
  // Whole rows: one that an older program has made lacks columns.
  const { rows } = await client.query<{ row: Applied }>(
    'select to_jsonb(m) as row from migration m order by number',
  )
  const applied = rows.map(({ row }) => row)
  const known = new Map(migrations.map((one) => [one.number, one]))
  const changed = applied.find(({ number, hash }) => (known.get(number)?.hash ?? hash) !== hash)
  if (changed) {
    throw new StartupError(
      `Migration ${changed.name} is not the one that the database was made with. Restore the original file; changes belong in a new migration.`,
    )
  }
  const unknown = applied.filter(({ number }) => !known.has(number))
  const hindrance = unknown.find((one) => !worksOn(one, new Set(known.keys())))
  if (hindrance) throw new StartupError(tooOld(hindrance))
  const missing = migrations.filter(({ number }) => !applied.some((row) => row.number === number))
  const newest = unknown.at(-1)
  if (newest && missing[0]) {
    throw new StartupError(
      `The database has migration ${newest.name}, which this program does not know, and lacks ${missing[0].name}, which it has: one is not the successor of the other. Start a version that has both.`,
    )
  }
  if (newest) log(`The database is that of a newer release (${newest.name}); this program works on it`)
  return { missing, isNewer: newest !== undefined }
}

const NOTE =
  'insert into migration (number, name, hash, works_from, because, release) values ($1, $2, $3, $4, $5, $6)'

/** What the database keeps of a migration. */
const noteOf = ({ number, name, hash, compatibility }: Migration, release: string | null): unknown[] => [
  number,
  name,
  hash,
  compatibility?.worksFrom ?? null,
  compatibility?.because ?? null,
  release,
]

async function applyInside(client: pg.Client, migration: Migration, release: string | null): Promise<void> {
  for (let tries = 1; ; tries++) {
    await client.query('begin')
    try {
      await client.query(LOCK_WAIT)
      await client.query(long(migration.sql))
      await client.query(NOTE, noteOf(migration, release))
      await client.query('commit')
      return
    } catch (error) {
      if (isDatabaseAway(error) && !(error instanceof pg.DatabaseError)) throw lost(migration, error)
      await client.query('rollback').catch(() => {})
      if (LOCK_NOT_HAD.has((error as { code?: string }).code ?? '') && tries < MOST_TRIES) {
        await sleep(PAUSE_MS)
        continue
      }
      throw new StartupError(
        `Migration ${migration.name} failed: ${(error as Error).message}. Nothing of it was kept.`,
        isDatabaseAway(error) ? 1 : 2,
      )
    }
  }
}

/** Nothing was heard of the end: its commit may have been the last thing that the database got. */
const lost = ({ name }: Migration, error: unknown): StartupError =>
  new StartupError(
    `The database was lost during migration ${name} (${(error as Error).message}): it was applied, or nothing of it was kept. Start again.`,
    1,
  )

/** An index whose making was cut off is there, but nothing uses it, and a second "if not exists" would leave it so. */
const HALF_MADE = `select format('drop index concurrently if exists %s', i.indexrelid::regclass) as command
  from pg_index i join pg_class c on c.oid = i.indexrelid
  where not i.indisvalid and c.relnamespace = 'public'::regnamespace and c.relkind = 'i'`

/** Statement by statement, each ended by a semicolon at the end of its line. What was cut off is begun again. */
async function applyOutside(client: pg.Client, migration: Migration, release: string | null): Promise<void> {
  try {
    const { rows } = await client.query<{ command: string }>(HALF_MADE)
    for (const { command } of rows) await client.query(long(command))
    for (const statement of migration.sql.split(/;[ \t]*(?:\n|$)/)) {
      if (/^\s*[^\s-]/m.test(statement.replaceAll(/^\s*--.*$/gm, ''))) await client.query(long(statement))
    }
  } catch (error) {
    throw new StartupError(
      `Migration ${migration.name} failed: ${(error as Error).message}. The next start begins it again.`,
      isDatabaseAway(error) ? 1 : 2,
    )
  }
  await client.query(NOTE, noteOf(migration, release))
}

/**
 * A pooler drops what a connection asks for at its start. Behind one, the lock that keeps two migrations apart would be held by a connection
 * that is somebody else's a moment later.
 */
async function checkDirect(client: pg.Client): Promise<void> {
  const { rows } = await client.query("select setting from pg_settings where name = 'statement_timeout'")
  if (Number(rows[0]?.setting) === LIMITS.statementMs) return
  throw new StartupError(
    'The address of the owner leads to a pooler. Migrations need a connection of their own: set DATABASE_OWNER_URL to the database itself.',
  )
}

async function checkServerVersion(client: pg.Client): Promise<void> {
  const version = Number((await client.query('show server_version_num')).rows[0].server_version_num)
  if (Math.floor(version / 10_000) < OLDEST_POSTGRES) {
    throw new StartupError(
      `The database is PostgreSQL ${Math.floor(version / 10_000)}; Kvitt needs ${OLDEST_POSTGRES} or later.`,
    )
  }
}
