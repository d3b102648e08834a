/**
 * The database dies at once while two write: whatever it said was committed is there when it comes back. The same without
 * waiting for the disk loses some, or the test could not see a loss. Twice in every run of the tests; `npm run soak` kills it twenty
 * times. What a machine without power loses beyond that is not tried: what programs had written, the system still has.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { EmbeddedPostgres } from '../embedded-postgres/embedded-postgres.ts'
import { type LauncherWorld, openLauncherWorld, pidOf } from '../../testing/embedded-postgres-world.ts'
import { isRunning } from '../embedded-postgres/running-programs.ts'

const TIMES = process.env.SOAK === undefined ? 2 : 20
const WRITERS = 2
let world: LauncherWorld

beforeAll(async () => {
  world = await openLauncherWorld()
}, 60_000)
afterEach(() => world.stopAll())
afterAll(() => world.remove())

async function connect(postgres: EmbeddedPostgres): Promise<pg.Client> {
  const { host, port, ownerUser: user } = postgres
  const client = new pg.Client({ host, port, user, database: 'postgres' })
  // Its connections are cut, which is what the test is about.
  client.on('error', () => {})
  await client.connect()
  return client
}

/** Writes one row after the other until the database is gone; answers those that it acknowledged. */
async function write(client: pg.Client, writer: number, isSynchronous: boolean): Promise<string[]> {
  const acknowledged: string[] = []
  try {
    await client.query(`set synchronous_commit = ${isSynchronous ? 'on' : 'off'}`)
    for (let n = 0; ; n++) {
      await client.query('insert into written values ($1)', [`${writer}-${n}`])
      acknowledged.push(`${writer}-${n}`)
    }
  } catch {
    return acknowledged
  } finally {
    await client.end().catch(() => {})
  }
}

/** How many rows were acknowledged, and how many of those are not there after the crash. */
async function crash(isSynchronous: boolean): Promise<{ acknowledged: number; lost: number }> {
  const dataDir = world.made
  const first = await world.start(dataDir)
  const owner = await connect(first)
  await owner.query('drop table if exists written')
  await owner.query('create table written (row text primary key)')
  await owner.query('checkpoint')
  await owner.end()
  const clients = await Promise.all(Array.from({ length: WRITERS }, () => connect(first)))
  const writing = Promise.all(clients.map((client, writer) => write(client, writer, isSynchronous)))
  await sleep(1_000)
  const pid = pidOf(dataDir)
  // What `pg_ctl stop -m immediate` sends: every process ends where it stands.
  process.kill(pid, 'SIGQUIT')
  const acknowledged = (await writing).flat()
  while (isRunning(pid)) await sleep(20)
  await first.stop()
  const second = await world.start(dataDir)
  const reader = await connect(second)
  const { rows } = await reader.query<{ row: string }>('select row from written')
  await reader.end()
  await second.stop()
  const kept = new Set(rows.map(({ row }) => row))
  return { acknowledged: acknowledged.length, lost: acknowledged.filter((row) => !kept.has(row)).length }
}

test(`T-PGIMM: ended at once ${TIMES} times under load, nothing that it acknowledged is lost`, {
  timeout: TIMES * 30_000,
}, async () => {
  for (let time = 0; time < TIMES; time++) {
    const { acknowledged, lost } = await crash(true)
    expect(acknowledged).toBeGreaterThan(10)
    expect(lost).toBe(0)
  }
})

test('T-PGIMM: without waiting for the disk some is lost, which shows that a loss would be seen', {
  timeout: 300_000,
}, async () => {
  let lost = 0
  for (let time = 0; time < 10 && lost === 0; time++) lost += (await crash(false)).lost
  expect(lost).toBeGreaterThan(0)
})
