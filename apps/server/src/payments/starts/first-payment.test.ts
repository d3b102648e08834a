/** The short way of an invoice's first payment, where something comes in between. */
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, expect, test } from 'vitest'
import { buildInstance, buildInvoice, type BuiltInvoice } from '../../testing/build.ts'
import { startTestServer, type TestServer } from '../../testing/start-test-server.ts'
import { learnPaymentSizes } from '../inbox.queries.ts'
import { recordPaymentResult } from '../payments.ts'

let server: TestServer
let guarded: Awaited<ReturnType<typeof buildInstance>>
beforeAll(async () => {
  server = await startTestServer()
  const limits = { zipPerHour: null, networkPerHour: null, instancePerTenMinutes: null }
  guarded = await buildInstance(server.test, {
    alias: 'guarded',
    isDefault: false,
    guessLimits: { ...limits, referencePerDay: 4, referencePerMonth: null },
  })
})

const build = (): Promise<BuiltInvoice> => buildInvoice(server.test, server.instanceId, server.clock)
const start = (invoice: BuiltInvoice, body: object = {}) =>
  server.call('POST', `/api/public/invoices/${invoice.reference}/${invoice.zip}/payment-requests`, {
    body: { paymentDate: '2026-11-20', amount: '842.00', redirectUri: `${server.origin}/`, ...body },
  })
const ordersOf = async (invoice: BuiltInvoice): Promise<unknown[]> => {
  const orders: { reference: string }[] = await server.control('GET', '/control/orders?all=true')
  return orders.filter((order) => order.reference === invoice.reference)
}
const codeOf = (answer: { json: unknown }): string => (answer.json as { code: string }).code

test('an invoice that changes after it was read is looked at again under its lock', async () => {
  const invoice = await build()
  const { owner } = server.test
  const rival = await owner.connect()
  try {
    await rival.query('begin')
    await rival.query(`update invoice set payment_methods = '{BANK_TRANSFER}' where id = $1`, [invoice.id])
    const started = start(invoice)
    const waiting = `select from pg_stat_activity where wait_event_type = 'Lock' and query like '%unchanged%'
      and datname = current_database() and pid <> pg_backend_pid()`
    await expect.poll(async () => (await owner.query(waiting)).rowCount, { timeout: 5_000 }).toBe(1)
    await rival.query('commit')
    expect(codeOf(await started)).toBe('service_provider_unavailable')
  } finally {
    rival.release()
  }
  expect(await ordersOf(invoice)).toEqual([])
  expect((await owner.query('select from payment where invoice_id = $1', [invoice.id])).rowCount).toBe(0)
})

test('an invoice that is only held for a moment is paid when it is let go', async () => {
  const invoice = await build()
  const rival = await server.test.owner.connect()
  try {
    await rival.query('begin')
    await rival.query('select from invoice where id = $1 for update', [invoice.id])
    const started = start(invoice)
    await sleep(100)
    await rival.query('commit')
    expect((await started).status).toBe(201)
  } finally {
    rival.release()
  }
  expect(await ordersOf(invoice)).toHaveLength(1)
})

test('a stranger hears that the pair is wrong, whatever else is wrong with the call, and it counts', async () => {
  const invoice = await buildInvoice(server.test, guarded.id, server.clock)
  const wrong = [{}, { amount: { not: 'an amount' } }, { redirectUri: 'https://evil.example/' }, {}, {}]
  const told: string[] = []
  for (const body of wrong) {
    const answer = await server.product.app.inject({
      method: 'POST',
      url: `/api/public/invoices/${invoice.reference}/99999/payment-requests`,
      headers: { host: guarded.host },
      payload: { paymentDate: '2026-11-20', amount: '842.00', redirectUri: 'http://localhost/', ...body },
    })
    told.push(codeOf({ json: answer.json() }))
  }
  expect(told).toEqual([...Array.from({ length: 4 }, () => 'login_error::invalid_data'), 'login_throttled'])
})

test('news is applied at once, though it came within the same millisecond', async () => {
  for (let round = 0; round < 10; round++) {
    const invoice = await build()
    const { id } = (await start(invoice)).json as { id: string }
    await server.test.owner.query(
      `insert into gateway_event (gateway, event_id, instance_id, payment_id, body, received_at)
       values ('DIRECT_BANK', $2::uuid::text, $1, $2::uuid, '{}', clock_timestamp())`,
      [server.instanceId, id],
    )
    await recordPaymentResult(server.product.context, { instance_id: server.instanceId, id }, 'callback')
    const left = 'select from gateway_event where payment_id = $1 and applied_at is null'
    expect((await server.test.owner.query(left, [id])).rowCount).toBe(0)
  }
})

test('the database is told to look at tables that payments have filled', async () => {
  const invoice = await build()
  const known = async (): Promise<number> => {
    const { rows } = await server.test.owner.query(
      `select reltuples::int as n from pg_class where oid = 'payment'::regclass`,
    )
    return (rows as { n: number }[])[0]?.n ?? 0
  }
  await server.test.owner.query(
    `insert into payment (instance_id, id, invoice_id, gateway, option, amount_minor, currency, execution_date, payee_name,
       payee_account, payee_scheme, payment_reference, status, redirect_uri, callback_secret, idempotency_key, request_hash)
     select $1, gen_random_uuid(), $2, 'DIRECT_BANK', 'pay-now', 1, 'SEK', '2026-11-20', 'Anna', '1', 'BANKGIRO', '1', 'FAILED',
       '', 'filled-' || n, 'filled-' || n, ''
     from generate_series(1, 1000) n`,
    [server.instanceId, invoice.id],
  )
  expect(await known()).toBeLessThan(500)
  await learnPaymentSizes(server.test.db)
  expect(await known()).toBeGreaterThan(900)
})
