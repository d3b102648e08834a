/** What is signed still covers what is left, and what a repeated or losing call is answered. */
import { beforeAll, expect, test } from 'vitest'
import { buildInvoice, TODAY, type BuiltInvoice } from '../testing/build.ts'
import { startTestServer, type TestServer } from '../testing/start-test-server.ts'
import { transfer } from '../testing/debts/transfer.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})

const build = (): Promise<BuiltInvoice> =>
  buildInvoice(server.test, server.instanceId, server.clock, { totalMinor: 300_000 })
const path = (invoice: BuiltInvoice, rest = ''): string =>
  `/api/public/invoices/${invoice.reference}/${invoice.zip}${rest}`
const start = (invoice: BuiltInvoice, key?: string, code = 'DIRECT_BANK') =>
  server.call('POST', path(invoice, '/payment-requests'), {
    body: {
      paymentDate: TODAY,
      amount: '3000.00',
      redirectUri: `${server.origin}/`,
      serviceProviderCode: code,
    },
    headers: key ? { 'idempotency-key': key } : {},
  })

async function control(invoice: BuiltInvoice, word: 'approve' | 'decline', body: object): Promise<void> {
  const orders: { id: string; reference: string }[] = await server.control('GET', '/control/orders?all=true')
  const order = orders.find((o) => o.reference === invoice.reference)
  await server.control('POST', `/control/orders/${order?.id}/${word}`, body)
  await server.product.sweepAll()
}
const stateOf = async ({ id }: BuiltInvoice): Promise<string> =>
  (
    await server.test.owner.query(
      `select concat_ws(' ', status, status_before_authorization, balance_minor) as text from invoice where id = $1`,
      [id],
    )
  ).rows[0]?.text

test('a transfer of a part leaves the invoice waiting while what is signed covers the rest (M-14)', async () => {
  const invoice = await build()
  await start(invoice)
  await control(invoice, 'approve', { hold: true })
  expect(await stateOf(invoice)).toBe('PENDING_AUTHORIZATION ACTIVATED 300000')
  await transfer(server, invoice, 100_000)
  expect(await stateOf(invoice)).toBe('PENDING_AUTHORIZATION ACTIVATED 200000')
  const dispute = { debtorEmail: 'alva@example.com', reason: 'Fel antal.' }
  expect((await server.call('POST', path(invoice, '/dispute'), { body: dispute })).json).toMatchObject({
    code: 'dispute_not_allowed',
  })
  expect((await start(invoice)).json).toMatchObject({ code: 'nothing_to_pay' })
  await server.control('POST', '/control/settle', { includeHeld: true })
  await server.product.sweepAll()
  expect(await stateOf(invoice)).toBe('CLOSED 0')
})

test('when the signed payment fails, the rest is owed as before (M-16)', async () => {
  const invoice = await build()
  await start(invoice)
  await control(invoice, 'approve', {})
  await transfer(server, invoice, 100_000)
  await control(invoice, 'decline', { rejected: true })
  expect(await stateOf(invoice)).toBe('ACTIVATED 200000')
})

test('when what is signed covers the rest no more, the invoice is what it was before', async () => {
  const invoice = await build()
  await start(invoice)
  await control(invoice, 'approve', { hold: true })
  await server.test.owner.query('update payment set amount_minor = 150000 where invoice_id = $1', [
    invoice.id,
  ])
  await transfer(server, invoice, 100_000)
  expect(await stateOf(invoice)).toBe('ACTIVATED 200000')
})

test('of parallel calls by two ways no one is handed a payment that has failed', async () => {
  for (let round = 0; round < 4; round++) {
    const invoice = await build()
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, n) => start(invoice, `${round}-${n}`, n % 2 ? 'SWISH' : 'DIRECT_BANK')),
    )
    for (const { status, json } of answers) {
      if (status === 201) expect((json as { status: string }).status).toBe('IN_PROGRESS')
      else {
        expect(status).toBe(400)
        expect(['payment_replaced', 'provider_unavailable']).toContain((json as { code: string }).code)
      }
    }
    expect(answers.some(({ status }) => status === 201)).toBe(true)
  }
})

test('a repeated call says so; one that is handed another call’s payment does not', async () => {
  const invoice = await build()
  const first = await start(invoice, 'one')
  const again = await start(invoice, 'one')
  const beside = await start(invoice, 'two')
  const besideAgain = await start(invoice, 'two')
  const answers = [first, again, beside, besideAgain]
  expect(answers.map(({ headers }) => headers.get('idempotency-hit'))).toEqual([null, 'true', null, 'true'])
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
  await control(invoice, 'decline', {})
  const over = await start(invoice, 'one')
  expect([over.status, over.json]).toMatchObject([400, { code: 'provider_unavailable' }])
})
