import { randomBytes } from 'node:crypto'
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { openDatabaseLine } from '../../testing/database-line.ts'
import { MIGRATIONS } from '../../testing/global-setup.ts'
import { IMPATIENT, onOwnConnection } from './connect.ts'
import { warnOfTellingLog } from './database-log.ts'
import { openDatabase, statement, WORK_LIMITS, type DatabaseAddress } from './database.ts'
import { checkMigrated, migrate, readMigrations } from './migrate.ts'

const folder = mkdtempSync(join(tmpdir(), 'kvitt-migrations-'))
const databases: string[] = []
let admin: pg.Client

beforeAll(async () => {
  const { host, port, ownerUser } = inject('postgres')
  admin = new pg.Client({ host, port, user: ownerUser, database: 'postgres' })
  await admin.connect()
})

afterAll(async () => {
  for (const name of databases) await admin.query(`drop database ${name} with (force)`)
  await admin.end()
  rmSync(folder, { recursive: true, force: true })
})

async function emptyDatabase() {
  const { host, port, ownerUser } = inject('postgres')
  const database = `migrate_${randomBytes(6).toString('hex')}`
  await admin.query(`create database ${database}`)
  databases.push(database)
  return { host, port, user: ownerUser, database }
}

let ofAll: Promise<DatabaseAddress> | undefined
/** Up to date, for those who change nothing in it. */
const migrated = (): Promise<DatabaseAddress> =>
  (ofAll ??= emptyDatabase().then(async (address) => {
    await migrate(address, MIGRATIONS)
    return address
  }))

async function connected(address: pg.ClientConfig): Promise<pg.Client> {
  const client = new pg.Client(address)
  await client.connect()
  return client
}

function copyOfMigrations(name: string): string {
  const copy = join(folder, name)
  cpSync(MIGRATIONS, copy, { recursive: true })
  return copy
}

/** There may be holes in the row. */
function nextNumber(): string {
  const last = readMigrations(MIGRATIONS).at(-1)?.number ?? 0
  return String(last + 1).padStart(4, '0')
}

test('T-MULTI: three processes that start at once migrate once', async () => {
  const address = await emptyDatabase()
  const applied = await Promise.all([1, 2, 3].map(() => migrate(address, MIGRATIONS)))
  expect(applied.toSorted((a, b) => a - b)).toEqual([0, 0, readMigrations(MIGRATIONS).length])
  expect(await migrate(address, MIGRATIONS)).toBe(0)
})

test('a migration that fails leaves nothing behind and says which one it was', async () => {
  const address = await emptyDatabase()
  const broken = copyOfMigrations('broken')
  const next = nextNumber()
  writeFileSync(join(broken, `${next}_half.sql`), 'create table half (a int); select 1 / 0;')
  await expect(migrate(address, broken)).rejects.toThrow(
    new RegExp(`Migration ${next}_half.sql failed: division by zero`),
  )
  const client = await connected(address)
  expect((await client.query(`select to_regclass('half') as half`)).rows[0].half).toBeNull()
  await client.end()
})

test('a database of a newer program is left alone', async () => {
  const address = await emptyDatabase()
  const newer = copyOfMigrations('newer')
  const next = nextNumber()
  writeFileSync(join(newer, `${next}_future.sql`), 'create table future (a int);')
  await migrate(address, newer)
  await expect(migrate(address, MIGRATIONS)).rejects.toThrow(/does not know: it is newer/)
})

test('a migration that was changed after it was applied is refused', async () => {
  const address = await emptyDatabase()
  await migrate(address, MIGRATIONS)
  const changed = copyOfMigrations('changed')
  const first = readMigrations(MIGRATIONS)[0]
  writeFileSync(join(changed, first?.name ?? ''), `${first?.sql}\n-- one line more\n`)
  await expect(migrate(address, changed)).rejects.toThrow(/changes belong in a new migration/)
})

test('a database that is not there is a sentence', async () => {
  const address = { connectionString: 'postgres://nobody@127.0.0.1:1/none' }
  await expect(migrate(address, MIGRATIONS)).rejects.toThrow(
    /The database cannot be reached .* Check DATABASE_URL/,
  )
})

test('what cannot run in a transaction is begun again after it was cut off', async () => {
  const address = await emptyDatabase()
  const outside = copyOfMigrations('outside')
  const next = nextNumber()
  const file = join(outside, `${next}_outside.sql`)
  const index = `-- outside a transaction: writes go on while the index is made
create unique index concurrently if not exists debtor_name_once on debtor (name);
-- A second statement.
create index concurrently if not exists debtor_zip on debtor (zip);
`
  writeFileSync(file, index)
  await migrate(address, MIGRATIONS)
  const client = await connected(address)
  // Two of one name: the index cannot be made, and half of it stays.
  await client.query(`insert into instance (id, name, country, language, time_zone, identification_number, url_alias, url_domain,
      mode, phone, email, primary_colour, secondary_colour, button_colour, palette)
    values (gen_random_uuid(), 'A', 'SE', 'sv', 'UTC', '1', 'a', 'b', 'test', '1', 'a@b', '#000000', '#000000', '#000000', '{}')`)
  await client.query(`insert into debtor (instance_id, id, identity, kind, name, country, zip)
    select id, gen_random_uuid(), n, 'PERSON', 'Alva', 'SE', '11122' from instance, generate_series(1, 2) n`)
  await expect(migrate(address, outside)).rejects.toThrow(/could not create unique index.*begins it again/)
  const indexes = `select c.relname, i.indisvalid from pg_index i join pg_class c on c.oid = i.indexrelid
    where c.relname in ('debtor_name_once', 'debtor_zip') order by 1`
  expect((await client.query(indexes)).rows).toEqual([{ relname: 'debtor_name_once', indisvalid: false }])
  await client.query(`update debtor set name = id::text`)
  expect(await migrate(address, outside)).toBe(1)
  expect((await client.query(indexes)).rows).toEqual([
    { relname: 'debtor_name_once', indisvalid: true },
    { relname: 'debtor_zip', indisvalid: true },
  ])
  await client.end()
})

test('who comes while another migrates says so, and waits', async () => {
  const address = await emptyDatabase()
  const other = await connected(address)
  await other.query('select pg_advisory_lock(7214901)')
  const lines: string[] = []
  const migrating = migrate(address, MIGRATIONS, { waitMs: 0, log: (line) => lines.push(line) })
  await expect
    .poll(() => lines, { timeout: 10_000 })
    .toEqual([expect.stringMatching(/^Another process migrates/)])
  await other.end()
  expect(await migrating).toBeGreaterThan(0)
})

test('one that waits for what another holds gives way every second, and goes on when it may', async () => {
  const address = await emptyDatabase()
  await migrate(address, MIGRATIONS)
  const waiting = copyOfMigrations('waiting')
  const file = join(waiting, `${nextNumber()}_waits.sql`)
  const other = await connected(address)
  await other.query('begin')
  await other.query('select count(*) from debtor')
  // A limit of its own, so that all tries are soon over.
  const column = 'alter table debtor add column waits text;'
  writeFileSync(file, `set local lock_timeout = '10ms'; ${column}`)
  await expect(migrate(address, waiting)).rejects.toThrow(
    /_waits\.sql failed: canceling statement due to lock timeout\. Nothing of it was kept/,
  )
  writeFileSync(
    file,
    `do $$ begin
      if current_setting('statement_timeout') <> '1h' then raise 'it may take %', current_setting('statement_timeout'); end if;
    end $$; ${column}`,
  )
  const migrating = migrate(address, waiting)
  const tries = new Set<string>()
  await expect
    .poll(
      async () => {
        const { rows } = await admin.query(
          `select query_start::text as began from pg_stat_activity where datname = $1 and wait_event_type = 'Lock'`,
          [address.database],
        )
        for (const { began } of rows) tries.add(began)
        return tries.size
      },
      { timeout: 10_000 },
    )
    .toBe(2)
  await other.query('rollback')
  expect(await migrating).toBe(1)
  await other.end()
}, 120_000)

test('one that waits for who waits for it gives way, and comes again', async () => {
  const address = await emptyDatabase()
  await migrate(address, MIGRATIONS)
  const crossing = copyOfMigrations('crossing')
  writeFileSync(
    join(crossing, `${nextNumber()}_crosses.sql`),
    `set local deadlock_timeout = '100ms'; lock table debtor; lock table creditor; create table crossed (a int);`,
  )
  const other = await connected(address)
  // Whoever waits longest is let go last: the migration finds out first.
  await other.query(`set deadlock_timeout = '1min'`)
  await other.query('begin')
  await other.query('lock table creditor')
  const migrating = migrate(address, crossing)
  const waits = `select count(*)::int as n from pg_stat_activity where datname = $1 and wait_event_type = 'Lock'`
  await expect
    .poll(async () => (await admin.query(waits, [address.database])).rows[0].n, {
      interval: 5,
      timeout: 5_000,
    })
    .toBe(1)
  await other.query('lock table debtor')
  await other.query('rollback')
  expect(await migrating).toBe(1)
  await other.end()
}, 30_000)

const SOON = { ...IMPATIENT, answerMs: 500 }

test.each<[string, (through: DatabaseAddress) => Promise<unknown>]>([
  ['server_version_num', (through) => checkMigrated(through, MIGRATIONS, SOON)],
  ['from migration', (through) => checkMigrated(through, MIGRATIONS, SOON)],
  ['server_version_num', (through) => migrate(through, MIGRATIONS, SOON)],
  ['pg_try_advisory_lock', (through) => migrate(through, MIGRATIONS, SOON)],
  ['pg_settings', (through) => warnOfTellingLog(through, SOON)],
])('T-NET-DB: a database that says nothing to "%s" is a sentence, and soon', async (moment, ask) => {
  const line = await openDatabaseLine(await migrated())
  line.loseAnswerTo(moment)
  const began = performance.now()
  await expect(ask(line.address)).rejects.toMatchObject({
    name: 'StartupError',
    status: 1,
    message: expect.stringMatching(/^The database cannot be reached/),
  })
  expect(performance.now() - began).toBeLessThan(5_000)
  await expect.poll(() => line.count()).toBe(0)
})

test('T-NET-DB: a migration whose commit has no answer is not said to have failed', async () => {
  const address = await emptyDatabase()
  await migrate(address, MIGRATIONS)
  const more = copyOfMigrations('more')
  writeFileSync(join(more, `${nextNumber()}_more.sql`), 'create table more (a int);')
  const line = await openDatabaseLine(address)
  line.loseAnswerTo('commit')
  await expect(migrate(line.address, more, SOON)).rejects.toMatchObject({
    status: 1,
    message: expect.stringMatching(
      /was lost during migration .*_more\.sql .*it was applied, or nothing of it was kept/,
    ),
  })
  expect(await migrate(address, more)).toBe(0)
})

test('T-NET-DB: a database that does not say goodbye is left all the same', async () => {
  const line = await openDatabaseLine(await emptyDatabase())
  const began = performance.now()
  await onOwnConnection(line.address, WORK_LIMITS, IMPATIENT, async (client) => {
    await client.query('select 1')
    line.silence()
  })
  expect(performance.now() - began).toBeLessThan(5_000)
  const db = openDatabase({ ...line.address, user: 'kvitt_app' }, 1)
  await db.rows(statement('test.one', 'select 1'))
  line.silence()
  await db.close()
  await expect.poll(() => line.count(), { timeout: 5_000 }).toBe(0)
})

test('a database that is not there is waited for, and a wrong login is not', async () => {
  const lines: string[] = []
  const patience = { waitMs: 1_200, log: (line: string) => lines.push(line) }
  const gone = { connectionString: 'postgres://nobody@127.0.0.1:1/none' }
  const began = performance.now()
  await expect(migrate(gone, MIGRATIONS, patience)).rejects.toMatchObject({ status: 1 })
  expect(performance.now() - began).toBeGreaterThan(1_000)
  expect(lines).toEqual([expect.stringMatching(/^The database cannot be reached yet .*waiting 1.2 s/)])
  const { host, port } = inject('postgres')
  const wrong = migrate({ host, port, user: 'nobody_at_all', database: 'postgres' }, MIGRATIONS, patience)
  await expect(wrong).rejects.toMatchObject({
    status: 2,
    message: expect.stringMatching(/refuses the login/),
  })
})

test('a program that may not migrate says what is missing', async () => {
  const address = await emptyDatabase()
  const ahead = copyOfMigrations('ahead')
  writeFileSync(join(ahead, `${nextNumber()}_ahead.sql`), 'select 1;')
  await migrate(address, MIGRATIONS)
  const program = { ...address, user: 'kvitt_app' }
  await checkMigrated(program, MIGRATIONS)
  await expect(checkMigrated(program, ahead)).rejects.toThrow(
    /lacks migration .*_ahead\.sql: it is older than this program\. Run "npm run migrate"/,
  )
})
