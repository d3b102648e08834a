import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { findEmbeddedPostgres } from './embedded-postgres.ts'
import {
  type LauncherWorld,
  ask,
  clusterOf,
  killAndWait,
  openLauncherWorld,
  pidOf,
} from '../../testing/embedded-postgres-world.ts'
import { isRunning } from './running-programs.ts'
import { StartupError } from '../startup-error.ts'

let world: LauncherWorld

beforeAll(async () => {
  world = await openLauncherWorld()
}, 60_000)

afterEach(() => world.stopAll())

afterAll(() => world.remove())

test('a new data folder gets a real PostgreSQL 18 that syncs, checks its pages and knows all letters', async () => {
  const postgres = await world.start(world.made)
  expect(postgres.adopted).toBe(false)
  expect(await ask(postgres, `select current_setting('server_version_num')::int / 10000`)).toBe('18')
  for (const [setting, value] of Object.entries({
    fsync: 'on',
    synchronous_commit: 'on',
    data_checksums: 'on',
    server_encoding: 'UTF8',
    jit: 'off',
  })) {
    expect(`${setting} ${await ask(postgres, `show ${setting}`)}`).toBe(`${setting} ${value}`)
  }
  expect(await ask(postgres, `select upper('åæøö')`)).toBe('ÅÆØÖ')
})

test('it listens on a socket in a private folder and nowhere else', async () => {
  const postgres = await world.start(world.made)
  expect(await ask(postgres, 'show listen_addresses')).toBe('')
  expect(statSync(postgres.host).mode & 0o777).toBe(0o700)
  expect(statSync(postgres.host).uid).toBe(statSync(clusterOf(world.made)).uid)
})

test('stop ends the server even with an open transaction, keeps what was committed, and may be called twice', async () => {
  const dataDir = world.made
  const first = await world.start(dataDir)
  await ask(first, 'create table kept as select 42 as answer')
  const client = new pg.Client({
    host: first.host,
    port: first.port,
    user: first.ownerUser,
    database: 'postgres',
  })
  client.on('error', () => {})
  await client.connect()
  await client.query('begin; delete from kept')
  const pid = pidOf(dataDir)
  await Promise.all([first.stop(), first.stop()])
  expect(isRunning(pid)).toBe(false)
  expect(findEmbeddedPostgres(dataDir)).toBeUndefined()
  expect(existsSync(join(dataDir, 'kvitt.lock'))).toBe(false)
  expect(await ask(await world.start(dataDir), 'select answer from kept')).toBe('42')
})

test('a server that a killed run left behind is taken over, unless it should run differently now', async () => {
  const dataDir = world.made
  const killed = world.launchElsewhere(dataDir)
  await killed.until('started')
  const pid = pidOf(dataDir)
  await killAndWait(killed.child.pid)
  expect(isRunning(pid)).toBe(true)

  const next = world.launchElsewhere(dataDir)
  const { started } = await next.until('started')
  expect(started?.adopted).toBe(true)
  expect(pidOf(dataDir)).toBe(pid)
  await killAndWait(next.child.pid)

  const different = await world.start(dataDir, { work_mem: '16MB' })
  expect(different.adopted).toBe(false)
  expect(isRunning(pid)).toBe(false)
  expect(await ask(different, 'show work_mem')).toBe('16MB')
})

test('T-PGIMM: after the server itself was killed, the next start recovers what was committed', async () => {
  const dataDir = world.made
  const first = await world.start(dataDir)
  await ask(first, 'create table recovered as select 43 as answer')
  await killAndWait(pidOf(dataDir))
  await first.stop()
  expect(existsSync(join(clusterOf(dataDir), 'postmaster.pid'))).toBe(true)
  expect(await ask(await world.start(dataDir), 'select answer from recovered')).toBe('43')
})

test('a stale postmaster.pid whose number another program has now does not stop the start', async () => {
  const dataDir = world.made
  const first = await world.start(dataDir)
  const pidFile = join(clusterOf(dataDir), 'postmaster.pid')
  const lines = readFileSync(pidFile, 'utf8').split('\n')
  await killAndWait(pidOf(dataDir))
  await first.stop()
  writeFileSync(pidFile, [process.pid, ...lines.slice(1)].join('\n'))
  const second = await world.start(dataDir)
  expect(second.adopted).toBe(false)
  expect(pidOf(dataDir)).not.toBe(process.pid)
})

test('a second start on the same folder is refused; the lock of a dead run is not in the way', async () => {
  const dataDir = world.made
  writeFileSync(
    join(dataDir, 'kvitt.lock'),
    JSON.stringify({ pid: process.pid, startMark: 'another program' }),
  )
  const first = await world.start(dataDir)
  expect(await ask(first, 'select 1')).toBe('1')
  await expect(world.start(dataDir)).rejects.toThrow(
    new RegExp(
      `^Kvitt already runs on this data folder \\(process ${process.pid}, .*\\)\\. Stop it first or set DATA_DIR\\.$`,
    ),
  )
  expect(await ask(first, 'select 1')).toBe('1')
})

test('each mistake is answered with a sentence, and the folder is free again', async () => {
  const file = join(world.folder, 'a-file')
  writeFileSync(file, '')
  await expect(world.start(join(file, 'data'))).rejects.toThrow(
    /not writable .*a file is in its place.*DATA_DIR/,
  )

  const other = world.made
  writeFileSync(join(clusterOf(other), 'PG_VERSION'), '17\n')
  await expect(world.start(other)).rejects.toThrow(/made by PostgreSQL 17, .* brings PostgreSQL 18/)
  writeFileSync(join(clusterOf(other), 'PG_VERSION'), '18\n')

  const settings = world.made
  await expect(world.start(settings, { shared_buffers: 'plenty' })).rejects.toThrow(
    /did not start \(.*shared_buffers/,
  )
  expect(await ask(await world.start(settings), 'select 1')).toBe('1')
  await expect(world.start(settings)).rejects.toBeInstanceOf(StartupError)
})
