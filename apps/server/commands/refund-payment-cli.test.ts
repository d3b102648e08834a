import { spawn } from 'node:child_process'
import { beforeAll, expect, test } from 'vitest'
import { upholdDispute } from '../src/collection/collection.ts'
import { buildInvoice, TODAY } from '../src/testing/build.ts'
import { programOf, runHere, urlOf, type Ended } from '../src/testing/run-program.ts'
import { startTestServer, type TestServer } from '../src/testing/start-test-server.ts'

let server: TestServer
let env: Record<string, string> = {}

beforeAll(async () => {
  server = await startTestServer()
  const { swish } = server.product.context.config
  const number = swish?.numbers.at(-1)
  env = {
    DATABASE_URL: urlOf(server.test),
    PUBLIC_URL: server.origin,
    SWISH_BASE_URL: swish?.baseUrl ?? '',
    SWISH_PAYEE_ALIAS: number?.payeeAlias ?? '',
    SWISH_CA_FILE: swish?.caFile ?? '',
    SWISH_CERTIFICATE_FILE: number?.certificateFile ?? '',
    SWISH_KEY_FILE: number?.keyFile ?? '',
  }
})

const run = (...args: string[]): Promise<Ended> => runHere('refund-payment-cli', args, env)

/** A Swish payment of 842.00 that brought 100.00 too much. */
async function payTooMuch(): Promise<string> {
  const invoice = await buildInvoice(server.test, server.instanceId, server.clock)
  const call = (part: string, body: object) =>
    server.call('POST', `/api/public/invoices/${invoice.reference}/${invoice.zip}${part}`, { body })
  const started = await call('/payment-requests', {
    amount: '842.00',
    serviceProviderCode: 'SWISH',
    redirectUri: `${server.origin}/`,
  })
  await call('/dispute', { debtorEmail: 'alva@example.com', reason: 'Fel antal.' })
  const key = { instanceId: server.instanceId, invoiceId: invoice.id }
  const upheld = { on: TODAY, decision: 'Ni hade rätt.', creditMinor: 10_000 }
  await upholdDispute(server.product.context, key, upheld)
  const orders: { id: string; reference: string }[] = await server.control('GET', '/control/orders')
  const order = orders.find(({ reference }) => reference === invoice.reference)
  await server.control('POST', `/control/orders/${order?.id}/approve`)
  await server.product.sweepAll()
  return (started.json as { id: string }).id
}

async function refundsOf(paymentId: string): Promise<{ id: string; status: string }[]> {
  const { rows } = await server.test.owner.query('select id, status from refund where payment_id = $1', [
    paymentId,
  ])
  return rows as { id: string; status: string }[]
}
async function sentBySwish(): Promise<number> {
  return ((await server.control('GET', '/control/refunds')) as unknown[]).length
}

test('sends what is owed back, says so, and the second time only says so', async () => {
  const paymentId = await payTooMuch()
  const first = await run('--payment', paymentId)
  const [refund] = await refundsOf(paymentId)
  const sent = { status: 0, stderr: '', stdout: `sent back  100.00 SEK  refund ${refund?.id}\n` }
  expect(first).toEqual(sent)
  expect(await run('--payment', paymentId)).toEqual(sent)
  expect(await run('--payment', paymentId, '--amount=100.00')).toEqual(sent)
  expect(await sentBySwish()).toBe(1)
  const more = await run('--payment', paymentId, '--amount', '0.01')
  expect(more.status).toBe(2)
  expect(more.stderr).toMatch(/^Nothing is owed back/)
})

test('says that it is in doubt when Swish tells of another sum', async () => {
  const paymentId = await payTooMuch()
  await server.control('POST', '/control/faults', { target: 'mobile', fault: 'wrong-amount', times: 1 })
  for (let again = 0; again < 2; again++) {
    const { status, stdout } = await run('--payment', paymentId)
    expect(stdout).toMatch(/^in doubt {3}100\.00 SEK {2}refund .*: Swish tells of another sum\./)
    expect(status).toBe(2)
  }
  expect(await refundsOf(paymentId)).toMatchObject([{ status: 'SENT' }])
})

test('killed at any moment it loses nothing and doubles nothing', async () => {
  const before = await sentBySwish()
  const slow = (seconds: number) => server.control('POST', '/control/delays', { target: 'mobile', seconds })
  for (const [moment, isReady] of [
    ['written down, not sent', async (id: string) => (await refundsOf(id)).length === 1],
    ['sent, the answer on its way', async () => (await sentBySwish()) > before + 1],
  ] as const) {
    const paymentId = await payTooMuch()
    await slow(2)
    const [program, args] = programOf('refund-payment-cli', ['--payment', paymentId])
    const child = spawn(program, args, { env, stdio: 'ignore' })
    const ended = new Promise((resolve) => child.once('exit', resolve))
    await expect.poll(() => isReady(paymentId), { timeout: 20_000, interval: 20 }).toBe(true)
    child.kill('SIGKILL')
    await ended
    await slow(0)
    const statuses = async () => (await refundsOf(paymentId)).map(({ status }) => status)
    await expect
      .poll(async () => (await server.product.sweepAll(), statuses()), { timeout: 15_000, message: moment })
      .toEqual(['PAID'])
  }
  expect(await sentBySwish()).toBe(before + 2)
})

test.each([
  ['no payment', [], /^No payment was named\. Usage: npm run refund-payment/],
  ['no payment', ['--whole'], /^No payment was named\. Usage: /],
  ['no identifier', ['--payment', 'nonsense'], /^"nonsense" is no id of a payment, which looks like /],
  ['an unknown option', ['--all'], /^--all is not an option\. Usage: /],
  [
    'the whole and a part of it',
    ['--payment', '01a200be-104f-7f5e-be14-31a3329deb27', '--whole', '--amount', '1.00'],
    /^--whole is all of the payment: leave --amount out\. Usage: /,
  ],
])('%s is answered with one sentence and status 2', async (_, args, sentence) => {
  const { status, stdout, stderr } = await run(...args)
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' })
  expect(stderr).toMatch(sentence)
})
