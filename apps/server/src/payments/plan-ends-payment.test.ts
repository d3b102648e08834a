import { beforeAll, expect, test } from 'vitest'
import { buildInvoice, buildPlanSettings, type BuiltInvoice } from '../testing/build.ts'
import { startTestServer, type TestServer } from '../testing/start-test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
  await buildPlanSettings(server.test, server.instanceId)
})

const path = (invoice: BuiltInvoice, rest: string): string =>
  `/api/public/invoices/${invoice.reference}/${invoice.zip}${rest}`

type Order = { id: string; reference: string; status: string }
type Payment = { status: string }

async function buildWithLink(): Promise<{ invoice: BuiltInvoice; order: Order }> {
  const invoice = await buildInvoice(server.test, server.instanceId, server.clock, { totalMinor: 499_900 })
  const body = {
    paymentDate: '2026-11-20',
    amount: '4999.00',
    redirectUri: `${server.origin}/#/sv/confirmation?paymentOption=pay-now`,
    test: false,
    iframe: false,
    serviceProviderCode: 'DIRECT_BANK',
  }
  expect((await server.call('POST', path(invoice, '/payment-requests'), { body })).status).toBe(201)
  const orders: Order[] = await server.control('GET', '/control/orders')
  const order = orders.find(({ reference }) => reference === invoice.reference)
  if (!order) throw new Error('the bank has no order for the invoice')
  return { invoice, order }
}

const startPlan = (invoice: BuiltInvoice, body: Record<string, unknown> = {}) =>
  server.call('PUT', path(invoice, '/part-payment/start'), {
    body: { type: 'PLAN_12', agreementAccepted: true, ...body },
  })

const payments = async (invoice: BuiltInvoice): Promise<Payment[]> =>
  (await server.call('GET', path(invoice, '/payment-requests'))).json

test('starting a plan ends a payment that nobody has signed, at the bank too', async () => {
  const { invoice, order } = await buildWithLink()
  expect((await startPlan(invoice)).status).toBe(200)
  expect((await payments(invoice)).map(({ status }) => status)).toEqual(['FAILED'])
  const orders: Order[] = await server.control('GET', '/control/orders')
  expect(orders.filter(({ id }) => id === order.id)).toEqual([])
})

test('a plan that is refused leaves the payment alone', async () => {
  const { invoice } = await buildWithLink()
  expect((await startPlan(invoice, { agreementAccepted: false })).status).toBe(400)
  expect((await payments(invoice)).map(({ status }) => status)).toEqual(['IN_PROGRESS'])
})

test('a payment that was signed meanwhile stands in the way', async () => {
  const { invoice, order } = await buildWithLink()
  await server.control('POST', '/control/faults', { target: 'bank', fault: 'drop-callback', times: 5 })
  await server.control('POST', `/control/orders/${order.id}/approve`, { hold: true })
  await server.control('DELETE', '/control/faults')
  const refused = await startPlan(invoice)
  expect(refused.json).toMatchObject({ code: 'payment_in_progress' })
  const plan = await server.call('GET', path(invoice, '/part-payment'))
  expect(plan.status).toBe(400)
})
