/** A pooler between program and database, as some operators have one: PgBouncer, where it is installed. */
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { expect, test } from 'vitest'
import type { DatabaseAddress } from './platform/database/database.ts'
import { buildInstance, buildInvoice } from './testing/build.ts'
import { closeAfterwards } from './testing/close-afterwards.ts'
import { hasPgBouncer, startPgBouncer } from './testing/poolers/pgbouncer.ts'
import { startTestServer, startTwin } from './testing/start-test-server.ts'

/** So many of the server's connections serve all of the program's. */
const CONNECTIONS = { session: 40, transaction: 3 }
const READS = 2_000
const AT_ONCE = 16

async function openPooler(
  mode: 'session' | 'transaction',
  { host, port, user, database }: DatabaseAddress,
): Promise<DatabaseAddress & { readonly host: string; readonly port: number }> {
  const connections = CONNECTIONS[mode]
  const pooler = await startPgBouncer({ host: host ?? '', port: port ?? 0, mode, connections })
  closeAfterwards(() => pooler.stop())
  return {
    host: pooler.host,
    port: pooler.port,
    ...(user ? { user } : {}),
    ...(database ? { database } : {}),
    isPooled: mode === 'transaction',
  }
}

test.for([
  ['keeps sessions', 'session'],
  ['shares connections between transactions', 'transaction'],
] as const)(
  'H10: behind a pooler that %s each visitor is answered with their own, and a payment begins once',
  {
    timeout: 120_000,
  },
  async ([, mode], { skip }) => {
    skip(!hasPgBouncer(), 'needs pgbouncer')
    const server = await startTestServer()
    const behind = await startTwin(server, { through: (address) => openPooler(mode, address) })
    const other = await buildInstance(server.test, { alias: 'fjellklar', isDefault: false })
    const own = await buildInvoice(server.test, server.instanceId, server.clock)
    const foreign = await buildInvoice(server.test, other.id, server.clock, { zip: '0150' })
    const ask = (url: string) =>
      behind.app.inject({ url: `/api/public${url}`, headers: { host: 'localhost' } })
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
  },
)

test('while the pooler holds calls back, as for a move to another server, they wait, and none fails', async ({
  skip,
}) => {
  skip(!hasPgBouncer(), 'needs pgbouncer')
  const server = await startTestServer()
  let at: { host: string; port: number } | undefined
  const behind = await startTwin(server, {
    through: async (address) => (at = await openPooler('transaction', address)),
  })
  const own = await buildInvoice(server.test, server.instanceId, server.clock)
  const operator = new pg.Client({ ...at, user: 'postgres', database: 'pgbouncer' })
  await operator.connect()
  closeAfterwards(() => operator.end())
  const read = async (): Promise<number> =>
    (
      await behind.app.inject({
        url: `/api/public/invoices/${own.reference}/${own.zip}`,
        headers: { host: 'localhost' },
      })
    ).statusCode
  expect(await read()).toBe(200)
  const told: number[] = []
  const state = { isOver: false }
  const visitor = async (): Promise<void> => {
    while (!state.isOver) told.push(await read())
  }
  const visitors = Array.from({ length: AT_ONCE }, visitor)
  await sleep(300)
  await operator.query('pause')
  const before = told.length
  await sleep(1_500)
  const meanwhile = told.length - before
  await operator.query('resume')
  await sleep(500)
  state.isOver = true
  await Promise.all(visitors)
  expect(meanwhile).toBe(0)
  expect(told.length).toBeGreaterThan(before + AT_ONCE)
  expect(told.filter((status) => status !== 200)).toEqual([])
}, 60_000)
