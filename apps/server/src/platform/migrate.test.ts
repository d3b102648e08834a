import { randomBytes } from 'node:crypto'
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { MIGRATIONS } from '../testing/global-setup.ts'
import { migrate, readMigrations } from './migrate.ts'

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

test('three processes that start at once migrate once', async () => {
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
  const client = new pg.Client(address)
  await client.connect()
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
