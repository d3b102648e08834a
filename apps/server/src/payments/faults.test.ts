/** Every fault of every gateway: whatever goes wrong there, it ends in the right state and the books are right. */
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openTask } from '../tasks/tasks.ts'
import { buildInvoice, type BuiltInvoice } from '../testing/build.ts'
import { seeded } from '../testing/schedule.ts'
import { startTestServer, type TestServer } from '../testing/start-test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
beforeEach(() => server.control('DELETE', '/control/faults'))

const GATEWAYS = [
  { target: 'bank', code: 'DIRECT_BANK' },
  { target: 'mobile', code: 'SWISH' },
] as const
type GatewayCase = (typeof GATEWAYS)[number]

type Order = { id: string; kind: string; reference: string; status: string }
type Payment = { id: string; status: string; externalLink: string | null }

const build = () => buildInvoice(server.test, server.instanceId, server.clock)
const path = (invoice: BuiltInvoice, rest = ''): string =>
  `/api/public/invoices/${invoice.reference}/${invoice.zip}${rest}`
const arm = ({ target }: GatewayCase, fault: string, times = 1) =>
  server.control('POST', '/control/faults', { target, fault, times })

const start = (invoice: BuiltInvoice, { code }: GatewayCase, key?: string) =>
  server.call('POST', path(invoice, '/payment-requests'), {
    body: {
      paymentDate: '2026-11-20',
      amount: '842.00',
      serviceProviderCode: code,
      redirectUri: `${server.origin}/`,
    },
    headers: key ? { 'idempotency-key': key } : {},
  })

async function ordersOf(invoice: BuiltInvoice): Promise<Order[]> {
  const orders: Order[] = await server.control('GET', '/control/orders?all=true')
  return orders.filter((o) => o.reference === invoice.reference)
}

async function act(invoice: BuiltInvoice, name: 'approve' | 'decline'): Promise<void> {
  const order = (await ordersOf(invoice)).find((o) => o.status === 'waiting')
  await server.control('POST', `/control/orders/${order?.id}/${name}`, {})
  if (name === 'approve') await server.control('POST', '/control/settle', {})
}

const statusOf = async (invoice: BuiltInvoice): Promise<string> =>
  ((await server.call('GET', path(invoice))).json as { statuses: { main: string } }).statuses.main
const paymentsOf = async (invoice: BuiltInvoice): Promise<string[]> =>
  ((await server.call('GET', path(invoice, '/payment-requests'))).json as Payment[]).map((p) => p.status)
const bookingsOf = async (invoice: BuiltInvoice): Promise<number> =>
  (
    await server.test.owner.query(
      `select 1 from ledger_transaction where invoice_id = $1 and kind = 'PAYMENT'`,
      [invoice.id],
    )
  ).rows.length
const tasksOf = async (invoice: BuiltInvoice): Promise<string[]> =>
  (
    await server.test.owner.query(
      `select t.details ->> 'contradiction' as why from task t
       join payment p on t.about like 'payment:' || p.id || '%' where p.invoice_id = $1 order by 1`,
      [invoice.id],
    )
  ).rows.map((row: { why: string }) => row.why)

const expectPaidOnce = async (invoice: BuiltInvoice) => {
  await expect.poll(() => statusOf(invoice), { timeout: 20_000, interval: 200 }).toBe('CLOSED')
  expect(await bookingsOf(invoice)).toBe(1)
}

/** Waiting is what takes time here: every gateway waits at once. */
const atEveryGateway = async (act: (gateway: GatewayCase) => Promise<void>): Promise<void> => {
  await Promise.all(GATEWAYS.map(act))
}

test('a contradiction is asked about until the gateway’s word fits', { timeout: 40_000 }, async () => {
  const invoice = await build()
  expect((await start(invoice, GATEWAYS[0], 'once')).status).toBe(201)
  const open = async () =>
    (
      await server.test.owner.query(
        `select t.done_at is null as open, t.done_by from task t join payment p on t.about like 'payment:' || p.id || '%'
         where t.kind = 'payment_contradiction' and p.invoice_id = $1`,
        [invoice.id],
      )
    ).rows
  const { rows } = await server.test.owner.query(
    `update payment set is_stale = true where invoice_id = $1 returning id`,
    [invoice.id],
  )
  const about = `payment:${(rows[0] as { id: string }).id}:another amount`
  const { instanceId } = server
  await openTask(server.test.db, { instanceId, kind: 'payment_contradiction', about, details: {} })
  expect(await open()).toEqual([{ open: true, done_by: null }])
  await act(invoice, 'approve')
  await server.product.sweepAll()
  await expectPaidOnce(invoice)
  expect(await open()).toEqual([{ open: false, done_by: null }])
})

describe('T-NET-PSP: at every gateway at once', () => {
  test.each(['error500', 'error-after-success', 'timeout'])(
    '%s when it is created: refused, nothing is owed to chance, and the next try pays',
    { timeout: 40_000 },
    (fault) =>
      atEveryGateway(async (gateway) => {
        const invoice = await build()
        await arm(gateway, fault)
        const failed = await start(invoice, gateway, 'first')
        expect([failed.status, (failed.json as { code: string }).code]).toEqual([400, 'provider_unavailable'])
        expect((await start(invoice, gateway, 'first')).status).toBe(400)
        expect((await start(invoice, gateway, 'second')).status).toBe(201)
        expect(await paymentsOf(invoice)).toEqual(['IN_PROGRESS', 'FAILED'])
        // A bank's order whose answer was lost stays until it dies by itself; a Swish request is taken back.
        const left = gateway.target === 'bank' && fault === 'error-after-success' ? 2 : 1
        await expect
          .poll(async () => (await ordersOf(invoice)).filter((o) => o.status === 'waiting').length)
          .toBe(left)
        await act(invoice, 'approve')
        await server.product.sweepAll()
        await expectPaidOnce(invoice)
      }),
  )

  test.each(['error500', 'timeout'])(
    '%s when it is asked: the last known state stands, then the truth',
    { timeout: 40_000 },
    async (fault) => {
      const invoices = await Promise.all(GATEWAYS.map(build))
      await Promise.all(
        GATEWAYS.map(async (gateway, i) => {
          const invoice = invoices[i] ?? (await build())
          await start(invoice, gateway)
          await arm(gateway, 'drop-callback', 3)
          await act(invoice, 'approve')
          await arm(gateway, fault)
          const refreshed = await server.call('PUT', path(invoice, '/payment-requests/status'))
          expect(refreshed.json as object[]).toMatchObject([{ status: 'IN_PROGRESS', stale: true }])
        }),
      )
      await server.control('DELETE', '/control/faults')
      await server.product.sweepAll()
      for (const invoice of invoices) await expectPaidOnce(invoice)
    },
  )

  test('twice, out of order, late: booked once, by the callbacks alone', { timeout: 40_000 }, () =>
    atEveryGateway(async (gateway) => {
      const invoices: BuiltInvoice[] = []
      for (const fault of ['duplicate-callback', 'reorder-callbacks', 'late-callback']) {
        const invoice = await build()
        await start(invoice, gateway)
        await arm(gateway, fault)
        await act(invoice, 'approve')
        invoices.push(invoice)
      }
      await Promise.all(invoices.map(expectPaidOnce))
      expect(await Promise.all(invoices.map(paymentsOf))).toEqual(invoices.map(() => ['COMPLETED']))
    }),
  )
})

describe.each(GATEWAYS)('$target', (gateway) => {
  test('drop-callback: the sweeper finds out', async () => {
    const invoice = await build()
    await start(invoice, gateway)
    await arm(gateway, 'drop-callback', 5)
    await act(invoice, 'approve')
    expect(await statusOf(invoice)).toBe('ACTIVATED')
    await server.product.sweepAll()
    await expectPaidOnce(invoice)
  })

  test.each([
    ['wrong-amount', 'another amount'],
    ['wrong-currency', 'another currency'],
  ])(
    'money.currency: %s: not booked, a person is asked once, the invoice is still owed',
    async (fault, why) => {
      const invoice = await build()
      await start(invoice, gateway)
      await arm(gateway, fault)
      await act(invoice, 'approve')
      await server.product.sweepAll()
      await server.product.sweepAll()
      expect(await tasksOf(invoice)).toEqual([why])
      expect([await statusOf(invoice), await bookingsOf(invoice)]).toEqual(['ACTIVATED', 0])
    },
  )

  test('expire: failed, and it can be tried again', async () => {
    const invoice = await build()
    await arm(gateway, 'expire')
    await start(invoice, gateway)
    await expect.poll(() => paymentsOf(invoice), { timeout: 5_000 }).toEqual(['FAILED'])
    expect((await start(invoice, gateway)).status).toBe(201)
    await act(invoice, 'approve')
    await server.product.sweepAll()
    await expectPaidOnce(invoice)
  })
})

describe('callback, poll, return and double click in every order', () => {
  async function round(seed: number): Promise<void> {
    const random = seeded(seed)
    const gateway = GATEWAYS[seed % GATEWAYS.length] ?? GATEWAYS[0]
    const invoice = await build()
    const pause = () => new Promise((resolve) => setTimeout(resolve, Math.floor(random() * 25)))
    const clicks = Array.from({ length: 1 + Math.floor(random() * 3) }, async () => {
      await pause()
      return start(invoice, gateway)
    })
    const ids = new Set((await Promise.all(clicks)).map((answer) => (answer.json as Payment).id))
    expect(ids.size, `seed ${seed}: one payment`).toBe(1)
    const { rows } = await server.test.owner.query(
      'select callback_secret, callback_identifier from payment where invoice_id = $1',
      [invoice.id],
    )
    const { callback_secret: secret, callback_identifier: identifier } = rows[0]
    const door = gateway.target === 'bank' ? 'direct-bank' : 'swish'
    const acts = [
      () => act(invoice, random() < 0.8 ? 'approve' : 'decline').catch(() => {}),
      () => server.call('PUT', path(invoice, '/payment-requests/status')),
      () => server.call('PUT', path(invoice, '/payment-requests/status')),
      () => server.product.sweepAll(),
      () =>
        server.call('POST', `/api/callbacks/${door}/${secret}`, {
          body: { eventId: `seed-${seed}`, status: 'PAID' },
          headers: { callbackIdentifier: identifier },
        }),
      () => start(invoice, gateway),
    ].sort(() => random() - 0.5)
    await Promise.all(
      acts.map(async (one) => {
        await pause()
        await one()
      }),
    )
    await server.control('POST', '/control/settle', {})
    await server.product.sweepAll()
    const isPaid = (await statusOf(invoice)) === 'CLOSED'
    expect(await bookingsOf(invoice), `seed ${seed}: booked as often as paid`).toBe(isPaid ? 1 : 0)
    const paid = (await ordersOf(invoice)).filter((o) => o.status === 'executed').length
    expect(paid, `seed ${seed}: the gateway agrees`).toBe(isPaid ? 1 : 0)
  }

  test('forty seeds', { timeout: 120_000 }, async () => {
    for (let seed = 1; seed <= 40; seed += 4) {
      await Promise.all([seed, seed + 1, seed + 2, seed + 3].map(round))
    }
  })
})

// Last: it leaves the circuit breaker open for a while.
test('T-NET-PSP: a gateway that is away is not waited for, and the other one still pays', {
  timeout: 60_000,
}, async () => {
  const [bank, mobile] = GATEWAYS
  const invoice = await build()
  await arm(mobile, 'error500', 100)
  for (let i = 0; i < 6; i++) await start(invoice, mobile)
  await server.control('DELETE', '/control/faults')
  await arm(mobile, 'timeout', 100)
  const began = Date.now()
  const refused = await start(invoice, mobile)
  expect([refused.status, (refused.json as { code: string }).code]).toEqual([400, 'provider_unavailable'])
  expect(Date.now() - began).toBeLessThan(2_000)
  expect((await start(invoice, bank)).status).toBe(201)
  await act(invoice, 'approve')
  await server.product.sweepAll()
  await expectPaidOnce(invoice)
})
