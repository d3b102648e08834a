/** A pooler between program and database, as some operators have one: PgBouncer, where it is installed. */
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
): Promise<DatabaseAddress> {
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
