/** The same debt paid many times at once, from tabs and devices that know nothing of each other, through two programs. */
import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import type { Product } from '../../start.ts'
import { buildInvoice, type BuiltInvoice } from '../../testing/build.ts'
import { startTestServer, startTwin, type TestServer } from '../../testing/start-test-server.ts'

let server: TestServer
let products: readonly Product[]
beforeAll(async () => {
  server = await startTestServer()
  products = [server.product, await startTwin(server)]
})

type Told = { status: number; id: string; code: string | undefined }
type Press = { readonly code: string; readonly key: string }

/** All presses at the same moment, every other one at the other program. */
function pressAll(invoice: BuiltInvoice, presses: readonly Press[]): Promise<Told[]> {
  return Promise.all(
    presses.map(async ({ code, key }, n): Promise<Told> => {
      const answer = await (products[n % 2] as Product).app.inject({
        method: 'POST',
        url: `/api/public/invoices/${invoice.reference}/${invoice.zip}/payment-requests`,
        headers: { host: 'localhost', 'idempotency-key': key },
        payload: {
          paymentDate: '2026-11-20',
          amount: '842.00',
          serviceProviderCode: code,
          redirectUri: 'http://localhost/',
        },
      })
      const { id, code: refusal } = JSON.parse(answer.body) as { id: string; code?: string }
      return { status: answer.statusCode, id, code: refusal }
    }),
  )
}

async function openOrdersOf({ reference }: BuiltInvoice): Promise<string[]> {
  const orders: { id: string; reference: string; status: string }[] = await server.control(
    'GET',
    '/control/orders?all=true',
  )
  return orders.flatMap((o) => (o.reference === reference && o.status === 'waiting' ? [o.id] : []))
}

async function reservedOf({ id }: BuiltInvoice): Promise<number> {
  const { rows } = await server.test.owner.query<{ reserved: number }>(
    `select coalesce(sum(amount_minor), 0)::int as reserved from payment
     where invoice_id = $1 and status in ('CREATED', 'IN_PROGRESS', 'AUTHORIZED')`,
    [id],
  )
  return rows[0]?.reserved ?? -1
}

const FIFTY = Array.from({ length: 50 })

test.each([
  ['one key', () => () => 'one-key-of-all'],
  ['a key each', () => () => randomUUID()],
])('pay.double, H5: fifty presses with %s make one payment and one order', async (_name, keys) => {
  const invoice = await buildInvoice(server.test, server.instanceId, server.clock)
  const key = keys()
  const told = await pressAll(
    invoice,
    FIFTY.map(() => ({ code: 'DIRECT_BANK', key: key() })),
  )
  expect(new Set(told.map(({ status }) => status))).toEqual(new Set([201]))
  expect(new Set(told.map(({ id }) => id)).size).toBe(1)
  expect([await openOrdersOf(invoice), await reservedOf(invoice)]).toEqual([[expect.any(String)], 84_200])
})

test('pay.double: fifty presses at two gateways leave one payment to sign, and never more than is owed', async () => {
  const invoice = await buildInvoice(server.test, server.instanceId, server.clock)
  const told = await pressAll(
    invoice,
    FIFTY.map((_, n) => ({ code: n % 4 < 2 ? 'DIRECT_BANK' : 'SWISH', key: randomUUID() })),
  )
  for (const { status, code } of told) {
    expect([status, code ?? '']).toEqual([
      expect.any(Number),
      expect.stringMatching(
        /^(|payment_replaced|payment_in_progress|provider_unavailable|payer_has_open_request)$/,
      ),
    ])
    expect(status).toBeLessThan(500)
  }
  expect(await reservedOf(invoice)).toBeLessThanOrEqual(84_200)
  const open = await openOrdersOf(invoice)
  expect(open.length).toBeLessThanOrEqual(1)
  // Whoever signs what is left has paid it, once.
  for (const id of open) await server.control('POST', `/control/orders/${id}/approve`)
  await server.control('POST', '/control/settle', {})
  await server.product.sweepAll()
  const { rows } = await server.test.owner.query(
    `select count(*)::int as booked from ledger_transaction where invoice_id = $1 and kind = 'PAYMENT'`,
    [invoice.id],
  )
  expect(rows).toEqual([{ booked: open.length }])
})
