/** A pooler between program and database, as some operators have one: PgBouncer, where it is installed. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { DatabaseAddress } from './platform/database/database.ts'
import { buildInstance, buildInvoice } from './testing/build.ts'
import { closeAfterwards } from './testing/close-afterwards.ts'
import { startTestServer, startTwin } from './testing/start-test-server.ts'

const isInstalled = spawnSync('pgbouncer', ['--version']).status === 0
/** So many of the server's connections serve all of the program's. */
const SERVER_CONNECTIONS = 40
const READS = 2_000
const AT_ONCE = 16

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

/** It hands a server's connection to one client after another, each for as long as that is connected, and drops start options. */
async function openPooler({ host, port, user, database }: DatabaseAddress): Promise<DatabaseAddress> {
  const folder = mkdtempSync(join(tmpdir(), 'kvitt-pooler-'))
  const listen = await freePort()
  writeFileSync(join(folder, 'users.txt'), `"${user}" ""\n`)
  writeFileSync(
    join(folder, 'pgbouncer.ini'),
    `[databases]
* = host=${host} port=${port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${listen}
unix_socket_dir =
auth_type = trust
auth_file = ${join(folder, 'users.txt')}
pool_mode = session
default_pool_size = ${SERVER_CONNECTIONS}
max_client_conn = 200
ignore_startup_parameters = options,extra_float_digits
`,
  )
  chmodSync(folder, 0o755)
  // It refuses to work for root, and the database's socket is its own account's.
  const { uid, gid } = statSync(host ?? '')
  const child: ChildProcess = spawn('pgbouncer', [join(folder, 'pgbouncer.ini')], {
    stdio: 'ignore',
    ...(process.getuid?.() === 0 ? { uid, gid } : {}),
  })
  closeAfterwards(async () => {
    child.kill('SIGKILL')
    await sleep(100)
    rmSync(folder, { recursive: true })
  })
  await sleep(500)
  return { host: '127.0.0.1', port: listen, ...(user ? { user } : {}), ...(database ? { database } : {}) }
}

test('H10: behind a pooler that keeps sessions the program answers each provider’s visitors with their own, and begins a payment once', async ({
  skip,
}) => {
  skip(!isInstalled, 'needs pgbouncer')
  const server = await startTestServer()
  const behind = await startTwin(server, { through: openPooler })
  const other = await buildInstance(server.test, { alias: 'fjellklar', isDefault: false })
  const own = await buildInvoice(server.test, server.instanceId, server.clock)
  const foreign = await buildInvoice(server.test, other.id, server.clock, { zip: '0150' })
  const ask = (url: string) => behind.app.inject({ url: `/api/public${url}`, headers: { host: 'localhost' } })
  const pair = ({ reference, zip }: typeof own) => `/invoices/${reference}/${zip}`
  const wrong: unknown[] = []
  for (let n = 0; n < READS; n += AT_ONCE) {
    const answers = await Promise.all(
      Array.from({ length: AT_ONCE }, (_, index) =>
        ask(index % 4 === 3 ? pair({ ...own, reference: foreign.reference }) : pair(own)),
      ),
    )
    for (const [index, { statusCode, body }] of answers.entries()) {
      const isOwn = statusCode === 200 && body.includes(own.reference)
      if (index % 4 === 3 ? statusCode !== 400 : !isOwn) wrong.push([index, statusCode, body.slice(0, 200)])
    }
  }
  expect(wrong).toEqual([])
  const starts = await Promise.all(
    Array.from({ length: AT_ONCE }, () =>
      behind.app.inject({
        method: 'POST',
        url: `/api/public${pair(own)}/payment-requests`,
        headers: { host: 'localhost', 'idempotency-key': 'behind-a-pooler' },
        payload: {
          paymentDate: '2026-11-20',
          amount: '842.00',
          serviceProviderCode: 'DIRECT_BANK',
          redirectUri: 'http://localhost/',
        },
      }),
    ),
  )
  const ids = starts.map((answer) =>
    answer.statusCode < 300 ? answer.json<{ id: string }>().id : answer.body,
  )
  expect(new Set(ids).size).toBe(1)
}, 120_000)
