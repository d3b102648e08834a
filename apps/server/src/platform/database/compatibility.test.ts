import { randomBytes } from 'node:crypto'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { breaksBetween, readCatalog } from '../../testing/catalog/catalog.ts'
import { keptIn } from '../../testing/catalog/kept-lines.ts'
import { cloneAs, MIGRATIONS } from '../../testing/global-setup.ts'
import { readCompatibility } from './compatibility.ts'
import { checkMigrated, migrate, readMigrations } from './migrate.ts'

/** Files from this number on say on which older programs they work. */
const FIRST_DECLARED = 428

const folder = mkdtempSync(join(tmpdir(), 'kvitt-compatible-'))
const databases: string[] = []
const { host, port, ownerUser } = inject('postgres')
let admin: pg.Client

beforeAll(async () => {
  admin = new pg.Client({ host, port, user: ownerUser, database: 'postgres' })
  await admin.connect()
})

afterAll(async () => {
  for (const name of databases) await admin.query(`drop database ${name} with (force)`)
  await admin.end()
  rmSync(folder, { recursive: true, force: true })
})

/** A database as all migrations leave it, or an empty one. */
async function newDatabase(isEmpty = false) {
  const database = `compatible_${randomBytes(6).toString('hex')}`
  await admin.query(isEmpty ? `create database ${database}` : cloneAs(database))
  databases.push(database)
  return { host, port, user: ownerUser, database }
}

async function asked<Result>(
  address: pg.ClientConfig,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client(address)
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

const last = readMigrations(MIGRATIONS).at(-1)?.number ?? 0
const numbered = (more: number): string => String(last + more).padStart(4, '0')

/** The migrations of a newer program: ours, and files of these contents. */
function newer(name: string, files: readonly string[]): string {
  const copy = join(folder, name)
  cpSync(MIGRATIONS, copy, { recursive: true })
  for (const [index, sql] of files.entries())
    writeFileSync(join(copy, `${numbered(index + 1)}_later.sql`), sql)
  return copy
}

/** What both ways to start say: with the owner's login, and with the program's. */
async function startOn(
  address: Awaited<ReturnType<typeof newDatabase>>,
  migrations: string,
  lines: string[] = [],
) {
  const patience = { waitMs: 0, log: (line: string) => void lines.push(line) }
  const said = (work: Promise<unknown>): Promise<string> =>
    work.then(
      () => 'starts',
      (error: Error) => error.message,
    )
  const both = [
    await said(migrate(address, migrations, patience, '0.1.0')),
    await said(checkMigrated({ ...address, user: 'kvitt_app' }, migrations, patience)),
  ]
  expect(both[1], 'both logins say the same').toBe(both[0])
  return both[0] ?? ''
}

test.each([
  ['yes', '-- compatible: yes', 'starts'],
  [
    'one that knows what it has to',
    `-- compatible: since ${String(last).padStart(4, '0')}, because older ones write it`,
    'starts',
  ],
  ['below another line', '-- outside a transaction: it takes long\n-- compatible: yes', 'starts'],
  [
    'no',
    '-- compatible: no, because each row means something else',
    /_later\.sql, which this program does not know: it is newer, and this program does not work on it \(each row means something else\)\. Start Kvitt 7\.0\.0, or a later one\.$/,
  ],
  [
    'two releases older',
    `-- compatible: since ${numbered(1)}, because older ones write the column`,
    'starts',
  ],
  ['nothing', '-- a file from before heads said it', /does not work on it\. Start Kvitt 7\.0\.0/],
  ['what cannot be read', '-- compatible: perhaps', /does not work on it\. Start Kvitt 7\.0\.0/],
  ['said in the middle', 'select 1;\n-- compatible: yes', /does not work on it\. Start Kvitt 7\.0\.0/],
])(
  'T-OLDER: a program older than its database starts where each newer migration says that it may: %s',
  async (name, head, expected) => {
    const address = await newDatabase()
    const needs = name === 'two releases older'
    const sql = `${head}\ncreate table later_${needs ? 'b' : 'a'} (a int);\n`
    const files = needs ? ['-- compatible: yes\nselect 1;', sql] : [sql]
    const migrations = newer(name.replaceAll(' ', '-'), files)
    await migrate(address, migrations, undefined, '7.0.0')
    const lines: string[] = []
    const said = await startOn(address, MIGRATIONS, lines)
    if (needs) {
      // The last release but one does not know what the newest migration asks for; the last one does.
      expect(said).toMatch(/does not work on it \(older ones write the column\)/)
      const between = newer('between', files.slice(0, 1))
      expect(await startOn(address, between)).toBe('starts')
      return
    }
    if (expected instanceof RegExp) expect(said).toMatch(expected)
    else {
      expect(said).toBe(expected)
      expect(lines).toContain(
        `The database is that of a newer release (${numbered(1)}_later.sql); this program works on it`,
      )
    }
  },
)

test('an older program changes nothing of what a newer one has set right', async () => {
  const address = await newDatabase()
  const opens = `-- compatible: yes\ncreate function later() returns int language sql security definer set search_path = public as 'select 1';`
  await migrate(address, newer('opens', [opens]))
  await asked(address, (client) => client.query('alter function later() set search_path = public'))
  expect(await migrate(address, MIGRATIONS)).toBe(0)
  const { rows } = await asked(address, (client) =>
    client.query(`select proconfig from pg_proc where proname = 'later'`),
  )
  expect(rows).toEqual([{ proconfig: ['search_path=public'] }])
})

test('of two programs that each have what the other lacks, the second does not start', async () => {
  const address = await newDatabase()
  await migrate(address, newer('first', ['-- compatible: yes\nselect 1;']))
  const second = newer('second', [])
  writeFileSync(join(second, `${numbered(2)}_other.sql`), '-- compatible: yes\nselect 2;')
  expect(await startOn(address, second)).toMatch(/does not know, and lacks \d+_other\.sql, which it has/)
})

test('a database whose table of migrations is an older release’s is read, and gets what it lacks', async () => {
  const address = await newDatabase()
  await asked(address, (client) =>
    client.query('alter table migration drop column works_from, drop column because, drop column release'),
  )
  expect(await startOn(address, MIGRATIONS)).toBe('starts')
  await migrate(address, newer('adds', ['-- compatible: no, because it is a test']), undefined, '7.0.0')
  const { rows } = await asked(address, (client) =>
    client.query('select works_from, because, release from migration order by number desc limit 1'),
  )
  expect(rows).toEqual([{ works_from: null, because: 'it is a test', release: '7.0.0' }])
})

test(`every migration from ${FIRST_DECLARED} on leaves an older program what it relies on, or says that it does not`, async () => {
  const declared = readMigrations(MIGRATIONS).filter(({ number }) => number >= FIRST_DECLARED)
  expect(declared.length).toBeGreaterThan(0)
  const address = await newDatabase(true)
  const growing = join(folder, 'growing')
  mkdirSync(growing)
  for (const { name, number, sql } of readMigrations(MIGRATIONS)) {
    if (number < FIRST_DECLARED) writeFileSync(join(growing, name), sql)
  }
  await migrate(address, growing)
  for (const { name, sql } of declared) {
    const compatibility = readCompatibility(sql)
    expect(
      compatibility,
      `${name} begins with "-- compatible: yes", or says since when or why not`,
    ).toBeDefined()
    const before = await asked(address, readCatalog)
    writeFileSync(join(growing, name), sql)
    await migrate(address, growing)
    const kept = keptIn(sql)
    const breaks = breaksBetween(before, await asked(address, readCatalog)).filter(
      (one) => !kept.some((name) => one.startsWith(name)),
    )
    if (compatibility?.worksFrom === 0)
      expect(breaks, `${name} says that every older program works on it`).toEqual([])
  }
}, 120_000)

const WORLD = `
  create type mood as enum ('GOOD', 'BAD');
  create table old_thing (id int primary key, a text, b int not null default 1, c varchar(20), m mood);
  create view old_view as select id, a from old_thing;
  create function old_answer(x int) returns int language sql as 'select x';
  grant select, insert, update (a) on old_thing to kvitt_app;`

test.each<[sql: string, breaks: string[]]>([
  ['create table new_thing (id int primary key, t int not null references old_thing, check (t > 0))', []],
  ['alter table old_thing add column d text', []],
  ['alter table old_thing add column d int not null default 0 check (d >= 0)', []],
  ['create index on old_thing (a)', []],
  [`alter type mood add value 'MEH'`, []],
  ['alter table old_thing alter column b drop not null', []],
  ['drop table old_thing cascade', ['relation old_thing is gone', 'relation old_view is gone']],
  ['drop view old_view', ['relation old_view is gone']],
  ['alter table old_thing rename to newer_thing', ['relation old_thing is gone']],
  ['alter table old_thing drop column c', ['column old_thing.c is gone']],
  ['alter table old_thing rename column c to d', ['column old_thing.c is gone']],
  [
    'alter table old_thing alter column c type varchar(10)',
    ['column old_thing.c was character varying(20) and is character varying(10)'],
  ],
  ['alter table old_thing alter column c set not null', ['column old_thing.c may no longer be null']],
  ['alter table old_thing alter column b drop default', ['column old_thing.b may no longer be left out']],
  ['alter table old_thing add column d int not null', ['column old_thing.d is new and may not be left out']],
  [
    'alter table old_thing add constraint short check (length(a) < 9)',
    ['constraint short on old_thing is new'],
  ],
  ['alter table old_thing add constraint once unique (a)', ['constraint once on old_thing is new']],
  ['create unique index once on old_thing (a)', ['unique index once on old_thing is new']],
  ['create unique index once on old_thing (lower(a))', ['unique index once on old_thing is new']],
  [
    `create function stop() returns trigger language plpgsql as 'begin return null; end';
    create trigger stops before insert on old_thing for each row execute function stop()`,
    ['trigger stops on old_thing is new'],
  ],
  ['drop function old_answer(int)', ['function old_answer(integer) is gone']],
  [
    `drop function old_answer(int); create function old_answer(x int) returns text language sql as 'select $1::text'`,
    ['function old_answer(integer) answered integer and answers text'],
  ],
  [
    'revoke insert on old_thing from kvitt_app',
    [
      'no longer: INSERT (a) on old_thing is granted',
      'no longer: INSERT (b) on old_thing is granted',
      'no longer: INSERT (c) on old_thing is granted',
      'no longer: INSERT (id) on old_thing is granted',
      'no longer: INSERT (m) on old_thing is granted',
      'no longer: INSERT on old_thing is granted',
    ],
  ],
  ['revoke update (a) on old_thing from kvitt_app', ['no longer: UPDATE (a) on old_thing is granted']],
  [
    'revoke execute on function old_answer(int) from public',
    ['no longer: old_answer(integer) may be called'],
  ],
  ['alter table old_thing enable row level security', ['no longer: old_thing shows all rows']],
])('what an older program would stumble over: %s', async (sql, breaks) => {
  world ??= newDatabase(true)
  await asked(await world, async (client) => {
    await client.query('begin')
    await client.query(WORLD)
    const before = await readCatalog(client)
    await client.query(sql)
    expect(breaksBetween(before, await readCatalog(client))).toEqual(breaks)
  })
})
let world: ReturnType<typeof newDatabase> | undefined

test('what a file answers for is named, with a reason', () => {
  expect(
    keptIn('-- keeps: constraint kind on task, because it takes one kind more\n-- keeps: nothing\nselect 1;'),
  ).toEqual(['constraint kind on task'])
})
