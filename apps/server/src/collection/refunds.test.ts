/** Whatever makes a debtor's credit, somebody is asked to send it back, once, and not when the money never came. */
import { beforeAll, expect, test } from 'vitest'
import { buildInvoice, TODAY, type BuiltInvoice } from '../testing/build.ts'
import { startTestServer, type TestServer } from '../testing/start-test-server.ts'
import { denyTaxReduction, reversePayment, upholdDispute } from './collection.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})

const keyOf = ({ id }: BuiltInvoice) => ({ instanceId: server.instanceId, invoiceId: id })
const call = (invoice: BuiltInvoice, part: string, body: object) =>
  server.call('POST', `/api/public/invoices/${invoice.reference}/${invoice.zip}${part}`, { body })

/** Starts a payment of 842.00, and answers its identifier; `meanwhile` happens before the payer signs. */
async function pay(invoice: BuiltInvoice, meanwhile: () => Promise<unknown>): Promise<string> {
  const body = { paymentDate: TODAY, amount: '842.00', redirectUri: `${server.origin}/` }
  const started = await call(invoice, '/payment-requests', body)
  expect(started.status, started.text).toBe(201)
  await meanwhile()
  const orders: { id: string; reference: string }[] = await server.control('GET', '/control/orders')
  const order = orders.find(({ reference }) => reference === invoice.reference)
  await server.control('POST', `/control/orders/${order?.id}/approve`)
  await server.control('POST', '/control/settle', {})
  await server.product.sweepAll()
  return (started.json as { id: string }).id
}

async function uphold(invoice: BuiltInvoice, creditMinor: number): Promise<string> {
  const opened = await call(invoice, '/dispute', { debtorEmail: 'alva@example.com', reason: 'Fel antal.' })
  expect(opened.status, opened.text).toBe(201)
  const upheld = { on: TODAY, decision: 'Ni hade rätt.', creditMinor }
  expect(await upholdDispute(server.product.context, keyOf(invoice), upheld)).toBe(true)
  return (opened.json as { id: string }).id
}

async function refundsAbout(cause: string): Promise<unknown[]> {
  const { rows } = await server.test.owner.query(
    `select (details ->> 'amountMinor')::int as minor, done_at is not null as is_done
     from operator_task where kind = 'refund' and about = $1`,
    [cause],
  )
  return rows
}

test('a credit of what was paid already', async () => {
  const invoice = await buildInvoice(server.test, server.instanceId, server.clock)
  const denial = { on: TODAY, decision: 'D-1', amountMinor: 50_000 }
  await pay(invoice, () => denyTaxReduction(server.product.context, keyOf(invoice), denial))
  const disputeId = await uphold(invoice, 84_200)
  expect(await refundsAbout(`dispute:${disputeId}`)).toEqual([{ minor: 34_200, is_done: false }])
})

test('a payment of too much, until it is taken back', async () => {
  const invoice = await buildInvoice(server.test, server.instanceId, server.clock)
  const paymentId = await pay(invoice, () => uphold(invoice, 10_000))
  const cause = `payment:${paymentId}`
  expect(await refundsAbout(cause)).toEqual([{ minor: 10_000, is_done: false }])
  const payment = { instanceId: server.instanceId, paymentId }
  expect(await reversePayment(server.product.context, payment, TODAY)).toBe(true)
  expect(await refundsAbout(cause)).toEqual([{ minor: 10_000, is_done: true }])
})
