/** The program as an operator starts it: with which status it ends, and how it goes when it is told to. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { buildInstance } from './testing/build.ts'
import { programOf, runProgram, urlOf } from './testing/run-program.ts'
import { testDatabase } from './testing/test-database.ts'

const base = await testDatabase()
const { id: instanceId } = await buildInstance(base)
const folder = mkdtempSync(join(tmpdir(), 'kvitt-main-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  await new Promise((closed) => server.close(closed))
  return port
}
/** The program as it was built for the tests, at a place where its portals are built too, as far as it looks at them. */
function besidePortals(): string {
  const [, [built = '']] = programOf('main', [])
  const root = fileURLToPath(new URL('../../..', import.meta.url))
  const server = join(folder, 'apps/server')
  cpSync(dirname(built), join(server, 'dist'), { recursive: true })
  symlinkSync(join(root, 'apps/server/migrations'), join(server, 'migrations'))
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  cpSync(join(root, 'package.json'), join(folder, 'package.json'))
  for (const portal of ['debtor', 'staff', 'home', 'support']) {
    const its = join(folder, 'apps', portal, 'dist')
    mkdirSync(join(its, 'pages'), { recursive: true })
    writeFileSync(join(its, 'index.html'), '<html lang="sv"></html>')
    writeFileSync(join(its, 'screens.json'), '{}')
    writeFileSync(join(its, 'sitemap.xml'), '<urlset/>')
  }
  return join(server, 'dist/main.js')
}

const SETTINGS = { DATA_DIR: join(folder, 'data'), HOST: '127.0.0.1', DEMO: 'off', LOG_LEVEL: 'silent' }

test.each<[string, Record<string, string>, number, RegExp]>([
  [
    'a database that stays away',
    { DATABASE_URL: 'postgresql://kvitt_app@127.0.0.1:1/none', DATABASE_WAIT_SECONDS: '1' },
    1,
    /cannot be reached yet .*waiting 1 s for it\n[^]*The database cannot be reached/,
  ],
  ['a setting that is no number', { DATABASE_URL: urlOf(base, 'kvitt_app'), PORT: 'eighty' }, 2, /PORT/],
  [
    'a login that the database does not know',
    { DATABASE_URL: urlOf(base, 'nobody_at_all') },
    2,
    /The database refuses the login/,
  ],
])('with %s it ends with its status and a sentence', async (_, settings, status, sentence) => {
  const ended = await runProgram('main', [], { ...SETTINGS, ...settings })
  expect(ended.status, ended.stderr).toBe(status)
  expect(ended.stderr).toMatch(sentence)
  expect(ended.stderr).not.toMatch(/^ +at /m)
})

test('T-DRAIN: told to end by SIGTERM it says that it goes, serves on, and then ends', async () => {
  const port = await freePort()
  const at = `http://127.0.0.1:${port}`
  const env = {
    ...SETTINGS,
    PORT: String(port),
    DATABASE_URL: urlOf(base, 'kvitt_app'),
    DRAIN_SECONDS: '4',
  }
  const program = spawn(process.execPath, [besidePortals()], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(program, 'exit')
  try {
    const [said] = (await Promise.race([once(program.stdout, 'data'), ended])) as [unknown]
    expect(String(said)).toMatch(/^ready /)
    const statusOf = async (path: string): Promise<number> => (await fetch(`${at}${path}`)).status
    expect(await statusOf('/readyz')).toBe(200)
    program.kill('SIGTERM')
    await expect.poll(() => statusOf('/readyz'), { timeout: 3_000, interval: 50 }).toBe(503)
    expect(await statusOf('/livez')).toBe(200)
    expect(await statusOf('/api/instance-providers/default')).toBe(200)
    expect(program.exitCode).toBeNull()
    expect(await ended).toEqual([0, null])
    await expect(fetch(`${at}/livez`)).rejects.toThrow('fetch failed')
  } finally {
    program.kill('SIGKILL')
  }
}, 60_000)

test('a live provider is not served over plain http', async () => {
  await base.owner.query(`update instance set mode = 'live' where id = $1`, [instanceId])
  const ended = await runProgram('main', [], {
    ...SETTINGS,
    PORT: String(await freePort()),
    DATABASE_URL: urlOf(base, 'kvitt_app'),
    PUBLIC_URL: 'http://pay.example',
  })
  expect([ended.status, ended.stderr]).toEqual([
    2,
    expect.stringMatching(/is live, and PUBLIC_URL is not an address that begins with https/),
  ])
}, 60_000)
