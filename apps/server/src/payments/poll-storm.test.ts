/** Thousands ask whether it is paid; the gateway is asked by one of them. */
import { expect, test, vi } from 'vitest'
import { buildInvoice, TODAY } from '../testing/build.ts'
import { startTestServer } from '../testing/start-test-server.ts'

const server = await startTestServer()

test('poll.storm: however many ask, a gateway is asked about a payment once in five seconds', async () => {
  const invoice = await buildInvoice(server.test, server.instanceId, server.clock, { totalMinor: 300_000 })
  const path = `/api/public/invoices/${invoice.reference}/${invoice.zip}/payment-requests`
  const started = await server.call('POST', path, {
    body: {
      paymentDate: TODAY,
      amount: '3000.00',
      redirectUri: `${server.origin}/`,
      serviceProviderCode: 'DIRECT_BANK',
    },
  })
  expect(started.status).toBe(201)
  const gateway = server.product.context.gateways.find(({ code }) => code === 'DIRECT_BANK')
  if (!gateway) throw new Error('there is no bank')
  const asked = vi.spyOn(gateway, 'readPayment')
  const begin = performance.now()
  let polls = 0
  const poll = async (method: string): Promise<void> => {
    while (performance.now() - begin < 7_000) {
      expect((await server.call(method, `${path}/status`)).status).toBe(200)
      polls++
    }
  }
  await Promise.all(Array.from({ length: 24 }, (_, n) => poll(n % 4 === 0 ? 'GET' : 'PUT')))
  const seconds = (performance.now() - begin) / 1000
  expect(polls).toBeGreaterThan(50)
  expect(asked.mock.calls.length).toBeGreaterThan(0)
  expect(asked.mock.calls.length).toBeLessThanOrEqual(Math.ceil(seconds / 5))
}, 30_000)
