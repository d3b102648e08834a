/** A process that ends in the middle of starting a payment: the key that it was started with comes to an end all the same. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildInvoice, type BuiltInvoice } from '../testing/build.ts'
import { startTestServer, type Answer, type TestServer } from '../testing/start-test-server.ts'
import type { Gateway } from './gateways/gateway.ts'

let server: TestServer
let letGo: (error: Error) => void = () => {}
const ended = new Promise<never>((_, reject) => (letGo = reject))
ended.catch(() => {})

beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => letGo(new Error('the process ended here')))

const path = (invoice: BuiltInvoice): string =>
  `/api/public/invoices/${invoice.reference}/${invoice.zip}/payment-requests`
const start = (invoice: BuiltInvoice, code: string, key: string): Promise<Answer> =>
  server.call('POST', path(invoice), {
    body: {
      paymentDate: '2026-11-20',
      amount: '842.00',
      serviceProviderCode: code,
      redirectUri: `${server.origin}/`,
    },
    headers: { 'idempotency-key': key },
  })

type Kept = { status: string; failure: string | null; gateway_payment_id: string | null }
const paymentsOf = async (invoice: BuiltInvoice): Promise<Kept[]> =>
  (
    await server.test.owner.query<Kept>(
      'select status, failure, gateway_payment_id from payment where invoice_id = $1 order by created_at, id',
      [invoice.id],
    )
  ).rows

/** The process that starts the payment goes no further than this moment; twenty seconds have passed since. */
async function cutOff(
  invoice: BuiltInvoice,
  code: string,
  at: 'before' | 'after',
  key: string,
): Promise<void> {
  const gateway = server.product.context.gateways.find((one) => one.code === code) as Gateway
  const createPayment = gateway.createPayment.bind(gateway)
  let reached = (): void => {}
  const isReached = new Promise<void>((settle) => (reached = settle))
  gateway.createPayment = async (order) => {
    if (at === 'after') await createPayment(order)
    reached()
    return ended
  }
  void start(invoice, code, key).catch(() => {})
  await isReached
  gateway.createPayment = createPayment
  await server.test.owner.query(
    `update payment set created_at = created_at - interval '20 seconds' where invoice_id = $1`,
    [invoice.id],
  )
}

const CASES = (['DIRECT_BANK', 'SWISH'] as const).flatMap((code) =>
  (['before', 'after'] as const).flatMap((at) =>
    (['key', 'sweep'] as const).map((found) => [code, at, found] as const),
  ),
)

test.each(CASES)(
  'idem.crash: %s, stopped %s the gateway was asked, found by the %s',
  async (code, at, found) => {
    const invoice = await buildInvoice(server.test, server.instanceId, server.clock)
    const key = randomUUID()
    await cutOff(invoice, code, at, key)
    if (found === 'sweep') {
      await server.product.sweepAll()
      expect((await paymentsOf(invoice)).map(({ status }) => status)).toEqual(['FAILED'])
    }
    const answer = await start(invoice, code, key)
    expect(answer.status).toBe(201)
    const { id, externalLink } = answer.json as { id: string; externalLink: string | null }
    expect(externalLink).toMatch(/^(https?|swish):/)
    expect((await paymentsOf(invoice)).map(({ status }) => status)).toEqual(['FAILED', 'IN_PROGRESS'])
    // And again: the key has had its answer.
    const again = await start(invoice, code, key)
    expect([again.status, (again.json as { id: string }).id]).toEqual([201, id])
    expect(again.headers.get('idempotency-hit')).toBe('true')
  },
)
