import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  statSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { findEmbeddedPostgres } from './embedded-postgres.ts'
import {
  type LauncherWorld,
  ask,
  clusterOf,
  isRoot,
  killAndWait,
  nobody,
  onlyRoot,
  openLauncherWorld,
  packageName,
  pidOf,
} from '../../testing/embedded-postgres-world.ts'

let world: LauncherWorld

beforeAll(async () => {
  world = await openLauncherWorld()
}, 60_000)

afterEach(() => world.stopAll())

afterAll(() => world.remove())

test('root hands the database to an account without rights, with the folder it works in', async ({
  skip,
}) => {
  skip(!isRoot, onlyRoot)
  const dataDir = world.made
  await world.start(dataDir)
  const owner = statSync(clusterOf(dataDir)).uid
  expect(owner).not.toBe(0)
  if (process.platform === 'linux') expect(statSync(`/proc/${pidOf(dataDir)}`).uid).toBe(owner)
  // A cluster put back by root, as from a backup, is handed over again.
  await world.stopAll()
  chownSync(clusterOf(dataDir), 0, 0)
  chownSync(join(clusterOf(dataDir), 'PG_VERSION'), 0, 0)
  chmodSync(clusterOf(dataDir), 0o755)
  await world.start(dataDir)
  expect(statSync(clusterOf(dataDir)).uid).toBe(owner)
})

test('an ordinary user runs it from an installation that belongs to somebody else', async ({ skip }) => {
  skip(!isRoot, 'needs root to become somebody else; as an ordinary user every other test here shows it')
  const dataDir = join(world.folder, 'ordinary')
  mkdirSync(dataDir)
  chownSync(dataDir, nobody, nobody)
  const run = world.launchElsewhere(dataDir, { uid: nobody, gid: nobody })
  const { started } = await run.until('started')
  expect(started?.adopted).toBe(false)
  expect(statSync(clusterOf(dataDir)).uid).toBe(nobody)
  run.child.stdin?.end()
  await run.until('stopped')
})

test('the library links that npm could not install are made', async () => {
  const lib = join(world.installation, 'node_modules', packageName, 'native/lib')
  const links = JSON.parse(readFileSync(join(lib, '../pg-symlinks.json'), 'utf8')) as { target: string }[]
  const dataDir = world.made
  const run = world.launchElsewhere(dataDir)
  await run.until('started')
  for (const { target } of links) expect(lstatSync(join(lib, '../..', target)).isSymbolicLink()).toBe(true)
  expect(links.length).toBeGreaterThan(5)
  run.child.stdin?.end()
  await run.until('stopped')
})

test('programs that the account cannot read are copied beside the database', async ({ skip }) => {
  skip(!isRoot, onlyRoot)
  const modules = join(world.installation, 'node_modules')
  chmodSync(modules, 0o700)
  try {
    const dataDir = world.made
    const run = world.launchElsewhere(dataDir)
    await run.until('started')
    expect(readdirSync(join(dataDir, 'postgres')).some((name) => name.startsWith('programs-18.'))).toBe(true)
    run.child.stdin?.end()
    await run.until('stopped')
  } finally {
    chmodSync(modules, 0o755)
  }
})

test('a data folder below a closed home gets its database elsewhere, and is found there again', async ({
  skip,
}) => {
  skip(!isRoot, onlyRoot)
  const home = join(world.folder, 'closed-home')
  mkdirSync(home, { mode: 0o700 })
  const dataDir = join(home, 'data')
  const first = await world.start(dataDir)
  const elsewhere = readFileSync(join(dataDir, 'postgres.location'), 'utf8').trim()

  await ask(first, 'create table kept as select 41 as answer')
  expect(findEmbeddedPostgres(dataDir)?.host).toBe(first.host)
  await first.stop()
  const second = await world.start(dataDir)
  expect(await ask(second, 'select answer from kept')).toBe('41')
  await second.stop()
  execFileSync('rm', ['-rf', elsewhere])
  await expect(world.start(dataDir)).rejects.toThrow(/was kept in .* which is gone/)
})

test('what an interrupted making left behind is cleared, and the cluster is made whole', async () => {
  const dataDir = join(world.folder, 'interrupted')
  const run = world.launchElsewhere(dataDir)
  await run.until('log')
  const unfinished = (): string[] =>
    readdirSync(join(dataDir, 'postgres')).filter((name) => name.startsWith('unfinished-'))
  await expect.poll(() => unfinished().length, { interval: 5 }).toBe(1)
  await killAndWait(run.child.pid)
  expect(existsSync(clusterOf(dataDir))).toBe(false)
  const postgres = await world.start(dataDir)
  expect(await ask(postgres, 'select 1')).toBe('1')
  expect(unfinished()).toEqual([])
})

test('a data folder with a long path listens in the temporary folder and leaves nothing there', async () => {
  const dataDir = join(world.folder, 'long'.repeat(30))
  renameSync(world.made, dataDir)
  try {
    const postgres = await world.start(dataDir)
    expect(postgres.host.startsWith(dataDir)).toBe(false)
    expect(statSync(postgres.host).mode & 0o777).toBe(0o700)
    expect(await ask(postgres, 'select 1')).toBe('1')
    await postgres.stop()
    expect(existsSync(postgres.host)).toBe(false)
  } finally {
    await world.stopAll()
    renameSync(dataDir, world.made)
  }
})

test('a path with spaces, quotes and commas works', async () => {
  const dataDir = join(world.folder, `Jörg's "own", data`)
  renameSync(world.made, dataDir)
  try {
    expect(await ask(await world.start(dataDir), 'select 1')).toBe('1')
  } finally {
    await world.stopAll()
    renameSync(dataDir, world.made)
  }
})

test('without a package for the platform the sentence names DATABASE_URL', async () => {
  const bare = join(world.folder, 'bare')
  mkdirSync(bare)
  for (const name of ['launcher.mjs', 'launch.mjs']) cpSync(join(world.installation, name), join(bare, name))
  const run = world.launchElsewhere(join(world.folder, 'no-package'), {}, bare)
  const { refused } = await run.until('refused')
  expect(refused).toMatch(/^StartupError: There is no PostgreSQL for .*Set DATABASE_URL/)
})

test('an ordinary user is told when the data folder is not writable', async ({ skip }) => {
  skip(!isRoot, 'needs root to become somebody else')
  const dataDir = join(world.folder, 'roots-own')
  mkdirSync(dataDir, { mode: 0o755 })
  const run = world.launchElsewhere(dataDir, { uid: nobody, gid: nobody })
  const { refused } = await run.until('refused')
  expect(refused).toBe(
    `StartupError: The data folder ${dataDir} is not writable (EACCES). ` +
      'Give this account the right to write there, or set DATA_DIR to another folder.',
  )
})
