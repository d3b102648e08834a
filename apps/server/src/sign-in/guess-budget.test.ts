import { randomBytes } from 'node:crypto'
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { migrate } from '../platform/database/migrate.ts'
import { MIGRATIONS } from '../testing/global-setup.ts'

const folder = mkdtempSync(join(tmpdir(), 'kvitt-guess-budget-'))
const databases: string[] = []
let admin: pg.Client

beforeAll(async () => {
  const { host, port, ownerUser } = inject('postgres')
  admin = new pg.Client({ host, port, user: ownerUser, database: 'postgres' })
  await admin.connect()
  copyFileSync(join(MIGRATIONS, '0001_foundation.sql'), join(folder, '0001_foundation.sql'))
})
afterAll(async () => {
  for (const name of databases) await admin.query(`drop database ${name} with (force)`)
  await admin.end()
  rmSync(folder, { recursive: true, force: true })
})

/** A database as it was before guesses were counted, with an instance in it, brought to the present. */
async function migrateWithData(isDemo: boolean): Promise<unknown[]> {
  const { host, port, ownerUser } = inject('postgres')
  const database = `guess_budget_${randomBytes(6).toString('hex')}`
  await admin.query(`create database ${database}`)
  databases.push(database)
  const address = { host, port, user: ownerUser, database }
  await migrate(address, folder)
  const client = new pg.Client(address)
  await client.connect()
  try {
    await client.query(`insert into instance (id, name, country, language, time_zone, identification_number, url_alias,
        url_domain, mode, phone, email, primary_colour, secondary_colour, button_colour, palette)
      values (gen_random_uuid(), 'Old AB', 'SE', 'sv', 'Europe/Stockholm', '559999-0016', 'old', 'portal.test', 'test',
        '031-390 06 10', 'old@portal.example', '#0b5c6b', '#f2b84b', '#0b5c6b', '{}')`)
    if (isDemo) await client.query('insert into demo_cast (loaded_at) values (now())')
    await migrate(address, MIGRATIONS)
    return (await client.query('select name, guess_limits from instance')).rows
  } finally {
    await client.end()
  }
}

test('an instance that was there before has the default limits', async () => {
  expect(await migrateWithData(false)).toEqual([{ name: 'Old AB', guess_limits: {} }])
})

test('in the demo everybody may come from one address', async () => {
  expect(await migrateWithData(true)).toEqual([
    {
      name: 'Old AB',
      guess_limits: {
        networkPerHour: null,
        instancePerTenMinutes: null,
        eidStartsPerTenMinutes: null,
        questionsPerHour: null,
      },
    },
  ])
})
