import { beforeAll, expect, test } from 'vitest'
import { buildInvoice } from '../testing/build.ts'
import { startTestServer, type TestServer } from '../testing/start-test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ isDemo: true })
})

type Report = {
  checks: { name: string; rows: number }[]
  sums: { currency: string; debit: string; credit: string }[]
  orders: { id: string; bookings: number; amount: string; withAPerson: boolean; status: string }[]
}
const read = async (): Promise<Report> => (await server.call('GET', '/api/demo/ledger')).json

test('says what is booked, what both sides come to, and that every invariant holds', async () => {
  const invoice = await buildInvoice(server.test, server.instanceId, server.clock)
  const path = `/api/public/invoices/${invoice.reference}/${invoice.zip}/payment-requests`
  const body = { amount: '842.00', serviceProviderCode: 'SWISH', redirectUri: `${server.origin}/` }
  const started = await server.call('POST', path, { body })
  const { id } = started.json as { id: string }
  expect((await read()).orders).toMatchObject([{ id, bookings: 0, amount: '842.00', withAPerson: false }])
  const orders: { id: string }[] = await server.control('GET', '/control/orders')
  await server.control('POST', `/control/orders/${orders[0]?.id}/approve`)
  await server.product.sweepAll()
  const report = await read()
  expect(report.orders).toMatchObject([{ id, bookings: 1, status: 'COMPLETED' }])
  expect(report.sums).toMatchObject([{ currency: 'SEK', debit: '2526.00', credit: '2526.00' }])
  expect(report.checks.length).toBeGreaterThan(10)
  expect(report.checks.filter(({ rows }) => rows > 0)).toEqual([])
})

test('names the invariant that does not hold', async () => {
  const change = (by: number) =>
    server.test.owner.query(
      `update ledger_account set balance_minor = balance_minor + $1
       where id = (select id from ledger_account order by id limit 1)`,
      [by],
    )
  await change(1)
  const broken = (await read()).checks.filter(({ rows }) => rows > 0)
  await change(-1)
  expect(broken.map(({ name }) => name)).toContain('inv_i2_balances_equal_postings')
})

test('is told to this machine alone', async () => {
  const ask = (remoteAddress: string, headers = {}) =>
    server.product.app.inject({ method: 'GET', url: '/api/demo/ledger', remoteAddress, headers })
  expect((await ask('203.0.113.9')).statusCode).toBe(404)
  expect((await ask('127.0.0.1', { 'x-forwarded-for': '203.0.113.9' })).statusCode).toBe(404)
})
