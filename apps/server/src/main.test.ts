/** The program as an operator starts it: with which status it ends, and how it goes when it is told to. */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer as createHttpServer, request as ask } from 'node:http'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { buildInstance, buildInvoice, testClock } from './testing/build.ts'
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

let portals: string | undefined
const mainFile = (): string => (portals ??= besidePortals())

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
  const program = spawn(process.execPath, [mainFile()], { env, stdio: ['ignore', 'pipe', 'inherit'] })
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

test('with two workers a scrape tells of both, whichever answers it, and of the jobs and the database once', async () => {
  const port = await freePort()
  const at = `http://127.0.0.1:${port}`
  const env = { ...SETTINGS, PORT: String(port), DATABASE_URL: urlOf(base, 'kvitt_app'), WORKERS: '2' }
  const program = spawn(process.execPath, [mainFile()], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(program, 'exit')
  // On a connection of its own, so that the workers take turns.
  const get = (path: string) => fetch(`${at}${path}`, { headers: { connection: 'close' } })
  const scrape = async (): Promise<string> => (await get('/metrics')).text()
  const asked = (text: string) =>
    Number(
      /^kvitt_request_seconds_count\{method="GET",route="\/livez",status="200"\} (\d+)$/m.exec(text)?.[1],
    )
  try {
    await Promise.race([once(program.stdout, 'data'), ended])
    for (let n = 0; n < 10; n++) expect((await get('/livez')).status).toBe(200)
    // What was answered is counted a moment later.
    await expect.poll(async () => asked(await scrape())).toBe(10)
    for (let n = 0; n < 4; n++) {
      const text = await scrape()
      expect(asked(text)).toBe(10)
      expect(text).toMatch(/^kvitt_database_up 1$/m)
      expect(text).toMatch(/^kvitt_daily_run_waits\{provider="nordklar"\} 1$/m)
      expect(text).toMatch(/^kvitt_job_ended_seconds\{job_name="run due nights"\} \S+$/m)
      // The first process and both workers have fourteen connections each for requests.
      expect(text).toMatch(/^kvitt_database_connections_most\{pool="requests"\} 42$/m)
    }
  } finally {
    program.kill('SIGTERM')
    await ended
  }
}, 120_000)

/** The processes that `pid` has begun. */
const childrenOf = (pid: number | undefined): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number)

test.runIf(process.platform === 'linux')(
  'a worker that is busy, and one that is replaced, take nothing out of what was counted',
  async () => {
    const port = await freePort()
    const env = { ...SETTINGS, PORT: String(port), DATABASE_URL: urlOf(base, 'kvitt_app'), WORKERS: '2' }
    const program = spawn(process.execPath, [mainFile()], { env, stdio: ['ignore', 'pipe', 'inherit'] })
    const ended = once(program, 'exit')
    // A call that the one which stands still was given is given to the other, on a connection of its own.
    const get = async (path: string): Promise<string> => {
      for (;;) {
        const answer = fetch(`http://127.0.0.1:${port}${path}`, {
          headers: { connection: 'close' },
          signal: AbortSignal.timeout(9_000),
        })
        const text = await answer.then((one) => one.text()).catch(() => undefined)
        if (text !== undefined) return text
      }
    }
    const counted = async (): Promise<number> =>
      Number(
        /^kvitt_request_seconds_count\{method="GET",route="\/livez",status="200"\} (\d+)$/m.exec(
          await get('/metrics'),
        )?.[1],
      )
    const cpu = async (): Promise<number> =>
      Number(/^process_cpu_seconds_total (\S+)$/m.exec(await get('/metrics'))?.[1])
    let workers: number[] = []
    try {
      await Promise.race([once(program.stdout, 'data'), ended])
      workers = childrenOf(program.pid)
      expect(workers).toHaveLength(2)
      for (let n = 0; n < 10; n++) await get('/livez')
      await expect.poll(counted).toBe(10)
      const before = await cpu()
      const [first = 0] = workers
      process.kill(first, 'SIGSTOP')
      expect(await counted(), 'while it stands still').toBe(10)
      process.kill(first, 'SIGKILL')
      await expect.poll(() => childrenOf(program.pid).every((pid) => pid !== first)).toBe(true)
      expect(await counted(), 'when it is gone').toBe(10)
      expect(await cpu()).toBeGreaterThanOrEqual(before)
      // While the one in its place still loads, and when it listens.
      for (let n = 0; n < 8; n++) {
        expect(await counted(), 'with another in its place').toBe(10)
        await sleep(250)
      }
      expect(childrenOf(program.pid)).toHaveLength(2)
    } finally {
      for (const pid of workers) if (childrenOf(program.pid).includes(pid)) process.kill(pid, 'SIGCONT')
      program.kill('SIGTERM')
      await ended
    }
  },
  120_000,
)

/** Hands each call to the next process that says that it is ready, as a load balancer does: it asks ten times a second, and tries nothing twice. */
async function openBalancer(
  ports: Set<number>,
): Promise<{ address: string; ready: ReadonlySet<number>; close: () => void }> {
  const ready = new Set<number>()
  const asked = new Set<number>()
  const probeOnce = async (port: number): Promise<void> => {
    // A late answer to an earlier probe would bring back whoever has said since that it goes.
    if (asked.has(port)) return
    asked.add(port)
    const status = await fetch(`http://127.0.0.1:${port}/readyz`).then(
      (answer) => answer.status,
      () => 0,
    )
    asked.delete(port)
    if (status === 200 && ports.has(port)) ready.add(port)
    else ready.delete(port)
  }
  const probe = setInterval(() => {
    for (const port of new Set([...ports, ...ready])) void probeOnce(port)
  }, 100)
  let turn = 0
  const balancer = createHttpServer((request, answer) => {
    const list = [...ready]
    const port = list[(turn += 1) % list.length]
    const fail = (): void => void answer.writeHead(502).end()
    if (port === undefined) return fail()
    const { method, url, headers } = request
    ask({ port, host: '127.0.0.1', method, path: url, headers, agent: false }, (told) => {
      answer.writeHead(told.statusCode ?? 502, told.headers)
      told.pipe(answer)
    })
      .on('error', fail)
      .end()
  }).listen(0, '127.0.0.1')
  await once(balancer, 'listening')
  return {
    address: `http://127.0.0.1:${(balancer.address() as AddressInfo).port}`,
    ready,
    close: () => {
      clearInterval(probe)
      balancer.close()
    },
  }
}

const REPLACED = process.env.SOAK === undefined ? 1 : 20

test(`T-DEPLOY, H12: of two processes one is replaced after the other, ${REPLACED} times, while people read, and no call fails`, async () => {
  const invoice = await buildInvoice(base, instanceId, testClock())
  const main = mainFile()
  const ports = new Set<number>()
  const spawned: ChildProcess[] = []
  const start = async () => {
    const port = await freePort()
    const env = {
      ...SETTINGS,
      PORT: String(port),
      DATABASE_URL: urlOf(base, 'kvitt_app'),
      DRAIN_SECONDS: '3',
    }
    const program = spawn(process.execPath, [main], { env, stdio: ['ignore', 'pipe', 'inherit'] })
    spawned.push(program)
    const ended = once(program, 'exit')
    expect(String((await Promise.race([once(program.stdout, 'data'), ended]))[0])).toMatch(/^ready /)
    ports.add(port)
    return { port, program, ended }
  }
  const balancer = await openBalancer(ports)
  const over = new AbortController()
  const statuses = new Map<number, number>()
  const read = async (): Promise<void> => {
    while (!over.signal.aborted) {
      const { status } = await fetch(
        `${balancer.address}/api/public/invoices/${invoice.reference}/${invoice.zip}`,
      )
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
      await sleep(20)
    }
  }
  try {
    const running = await Promise.all([start(), start()])
    await expect.poll(() => balancer.ready.size, { timeout: 10_000 }).toBe(2)
    const readers = Array.from({ length: 6 }, read)
    for (let n = 0; n < REPLACED; n++) {
      running.push(await start())
      const [old] = running.splice(0, 1)
      // It is told to go while it works, and says so first.
      old?.program.kill('SIGTERM')
      expect(await old?.ended).toEqual([0, null])
      ports.delete(old?.port ?? 0)
    }
    over.abort()
    await Promise.all(readers)
    expect([...statuses.keys()]).toEqual([200])
    expect(statuses.get(200)).toBeGreaterThan(50 * REPLACED)
  } finally {
    over.abort()
    balancer.close()
    for (const program of spawned) program.kill('SIGKILL')
  }
}, 300_000)

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
