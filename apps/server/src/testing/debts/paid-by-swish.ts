/** Paying an invoice with Swish, for tests, with the sandbox as Swish. */
import { beforeAll, expect } from 'vitest'
import { buildInstance, buildInvoice, type BuiltInvoice, type InvoiceWishes } from '../build.ts'
import { startTestServer, type TestServer } from '../start-test-server.ts'

export let server: TestServer
/** Another provider. */
export let other: { id: string; host: string }

/** For the top of a test file. */
export function useSwish(): void {
  beforeAll(async () => {
    server = await startTestServer()
    other = await buildInstance(server.test, { alias: 'fjellklar', isDefault: false })
  })
}

export type Order = { id: string; kind: string; reference: string; status: string }
export type Payment = {
  id: string
  status: string
  externalLink: string | null
  qrCode: string | null
  outcomeUnknown: boolean
  serviceProviderCode: string
}
export type Problem = { code: string }

export const build = (wishes: InvoiceWishes = {}) =>
  buildInvoice(server.test, server.instanceId, server.clock, wishes)
export const path = (invoice: BuiltInvoice, rest = ''): string =>
  `/api/public/invoices/${invoice.reference}/${invoice.zip}${rest}`

export async function start(invoice: BuiltInvoice, body: Record<string, unknown> = {}, key?: string) {
  return server.call('POST', path(invoice, '/payment-requests'), {
    body: {
      amount: '842.00',
      test: false,
      serviceProviderCode: 'SWISH',
      redirectUri: `${server.origin}/`,
      ...body,
    },
    headers: key ? { 'idempotency-key': key } : {},
  })
}

export const made = async (invoice: BuiltInvoice, body: Record<string, unknown> = {}): Promise<Payment> => {
  const answer = await start(invoice, body)
  expect(answer.status).toBe(201)
  return answer.json
}
export const codeOf = (answer: { status: number; json: never }) => [
  answer.status,
  (answer.json as Problem).code,
]

export async function ordersOf(invoice: BuiltInvoice): Promise<Order[]> {
  const orders: Order[] = await server.control('GET', '/control/orders?all=true')
  return orders.filter((o) => o.reference === invoice.reference)
}

export async function act(
  invoice: BuiltInvoice,
  name: 'approve' | 'decline',
  body: object = {},
): Promise<void> {
  const order = (await ordersOf(invoice)).find((o) => o.status === 'waiting' || o.status === 'unknown')
  await server.control('POST', `/control/orders/${order?.id}/${name}`, body)
}

export const statusOf = async (invoice: BuiltInvoice): Promise<string> =>
  ((await server.call('GET', path(invoice))).json as { statuses: { main: string } }).statuses.main
export const paymentsOf = async (invoice: BuiltInvoice): Promise<Payment[]> =>
  (await server.call('GET', path(invoice, '/payment-requests'))).json
export const expectClosed = (invoice: BuiltInvoice) =>
  expect.poll(() => statusOf(invoice), { timeout: 15_000 }).toBe('CLOSED')
export const tasksOf = async (invoice: BuiltInvoice): Promise<string[]> =>
  (
    await server.test.owner.query(
      `select t.kind from task t join payment p on t.about like 'payment:' || p.id || '%' where p.invoice_id = $1`,
      [invoice.id],
    )
  ).rows.map((row: { kind: string }) => row.kind)

export const fault = (name: string, times = 1) =>
  server.control('POST', '/control/faults', { target: 'mobile', fault: name, times })
