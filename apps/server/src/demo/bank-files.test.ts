/** What is paid by hand at the sandbox's bank comes with its file, and so does what nothing else told of. */
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { buildInstanceAccount } from '../testing/build-claim.ts'
import { buildInvoice, TODAY, type BuiltInvoice } from '../testing/build.ts'
import { startTestServer, type TestServer } from '../testing/start-test-server.ts'

let server: TestServer

beforeAll(async () => {
  server = await startTestServer({ isDemo: true })
  await buildInstanceAccount(server.test, server.instanceId)
})
beforeEach(() => server.control('DELETE', '/control/faults'))

const build = (): Promise<BuiltInvoice> => buildInvoice(server.test, server.instanceId, server.clock)

type End = { status: string; number: string | null; reason: string | null }
type Sent = { id: string; end: End | null }
type Files = { files: { name: string; lines: (End & { id: string })[] }[] }

/** As it stands on the bill. */
const inFours = ({ reference }: BuiltInvoice): string => reference.replace(/(.{4})(?=.)/g, '$1 ')

const send = async (transfer: object): Promise<string> =>
  ((await server.control('POST', '/control/transfers', transfer)) as Sent).id
const deliver = async (): Promise<Files['files']> =>
  ((await server.control('POST', '/control/bank-files', {})) as Files).files
const verdict = () => server.control('GET', '/control/ledger')
const stateOf = async ({ id }: BuiltInvoice) =>
  (
    await server.test.owner.query('select status, balance_minor::int as owed from invoice where id = $1', [
      id,
    ])
  ).rows[0]

test('a transfer to a bankgiro is booked by its reference, in BgMax; a word in its place is for a person', async () => {
  const invoice = await build()
  const right = await send({
    account: '9990-0227',
    reference: inFours(invoice),
    amount: '842,00',
    payer: 'Alva Provlund',
  })
  const wrong = await send({ account: '99900227', reference: 'hyran för mars', amount: '12.5' })
  expect(await verdict()).toMatchObject({ isRight: true, executed: 2, inNextFile: 2, booked: 0 })
  expect(await stateOf(invoice)).toEqual({ status: 'ACTIVATED', owed: 84_200 })
  expect(await deliver()).toEqual([
    {
      name: `BgMax 99900227 ${TODAY} 10001`,
      lines: [
        { id: right, status: 'BOOKED', number: invoice.number, reason: null, line: 1 },
        { id: wrong, status: 'SUSPENSE', number: null, reason: 'no_reference', line: 2 },
      ].map(({ line: _, ...end }) => end),
    },
  ])
  expect(await stateOf(invoice)).toEqual({ status: 'CLOSED', owed: 0 })
  const { rows } = await server.test.owner.query(
    'select payer, message, amount_minor::int as minor from bank_line order by number',
  )
  expect(rows).toEqual([
    { payer: 'Alva Provlund', message: null, minor: 84_200 },
    { payer: 'Somebody', message: 'hyran för mars', minor: 1_250 },
  ])
  expect(await deliver()).toEqual([])
})

test('an account that is nobody’s here is somebody else’s money; another account has a file of its own', async () => {
  const invoice = await build()
  await send({ account: 'SE35 5000 0000 0549 1000 0003', reference: invoice.reference, amount: '842' })
  await send({ account: '99 90 02-2 7', currency: 'SEK', reference: `${invoice.reference} `, amount: '842' })
  const files = await deliver()
  expect(files.map(({ name, lines }) => [name.split(' ')[0], lines[0]?.status])).toEqual([
    ['camt.054', 'REFUSED'],
    ['camt.054', 'BOOKED'],
  ])
  expect(await stateOf(invoice)).toEqual({ status: 'CLOSED', owed: 0 })
  expect(await verdict()).toMatchObject({ isRight: true, inNextFile: 0 })
})

test.each([
  [{ amount: '1' }, 'account must be'],
  [{ account: 'hello', amount: '1' }, 'account must be'],
  [{ account: '9990-0227' }, 'amount must be'],
  [{ account: '9990-0227', amount: '0,00' }, 'amount must be'],
  [{ account: '9990-0227', amount: '-5' }, 'amount must be'],
  [{ account: '9990-0227', amount: '100000000000' }, 'amount must be'],
  [{ account: '9990-0227', amount: '1', currency: 'USD' }, 'currency must be'],
  [{ account: '9990-0227', amount: '1', reference: 'a\nb' }, 'reference must be'],
  [{ account: '9990-0227', amount: '1', payer: ' ' }, 'payer must be'],
])('%j is refused with a sentence', async (body, sentence) => {
  const response = await fetch(`http://127.0.0.1:${server.sandbox.port}/control/transfers`, {
    method: 'POST',
    body: JSON.stringify(body),
  })
  expect([response.status, await response.json()]).toEqual([
    400,
    { error: expect.stringContaining(sentence) },
  ])
})

/** Executed at the bank, and nobody told us: the answer to the order was lost, and so is every notice. */
async function lose(invoice: BuiltInvoice): Promise<string> {
  for (const [fault, times] of [
    ['error-after-success', 1],
    ['drop-callback', 50],
  ] as const)
    await server.control('POST', '/control/faults', { target: 'bank', fault, times })
  const { status } = await server.call(
    'POST',
    `/api/public/invoices/${invoice.reference}/${invoice.zip}/payment-requests`,
    {
      body: {
        paymentDate: TODAY,
        amount: '842.00',
        redirectUri: `${server.origin}/`,
        serviceProviderCode: 'DIRECT_BANK',
      },
    },
  )
  expect(status).toBe(400)
  const orders: { id: string; reference: string }[] = await server.control('GET', '/control/orders')
  const order = orders.find(({ reference }) => reference === invoice.reference)
  await server.control('POST', `/control/orders/${order?.id}/approve`)
  await server.control('POST', '/control/settle', {})
  await server.product.sweepAll()
  return order?.id ?? ''
}

test('an order that nobody told of waits for the file, is not called lost meanwhile, and is paid by it', async () => {
  const invoice = await build()
  const orderId = await lose(invoice)
  expect(await verdict()).toMatchObject({ isRight: true, inNextFile: 1, lost: [] })
  expect(await deliver()).toMatchObject([
    { lines: [{ id: orderId, status: 'BOOKED', number: invoice.number }] },
  ])
  expect(await stateOf(invoice)).toEqual({ status: 'CLOSED', owed: 0 })
  expect(await verdict()).toMatchObject({ isRight: true, inNextFile: 0, lost: [], wrong: [] })
})

test('the file of an ordinary payment tells what is known', async () => {
  const invoice = await build()
  await server.call('POST', `/api/public/invoices/${invoice.reference}/${invoice.zip}/payment-requests`, {
    body: {
      paymentDate: TODAY,
      amount: '842.00',
      redirectUri: `${server.origin}/`,
      serviceProviderCode: 'DIRECT_BANK',
    },
  })
  const orders: { id: string; reference: string }[] = await server.control('GET', '/control/orders')
  const order = orders.find(({ reference }) => reference === invoice.reference)
  await server.control('POST', `/control/orders/${order?.id}/approve`)
  await server.control('POST', '/control/settle', {})
  await expect.poll(() => stateOf(invoice)).toEqual({ status: 'CLOSED', owed: 0 })
  expect(await deliver()).toMatchObject([{ lines: [{ id: order?.id, status: 'KNOWN' }] }])
  expect(await verdict()).toMatchObject({ isRight: true })
})

test('the clock names the next event, and takes what waits along with the day', async () => {
  const invoice = await build()
  const clock = (await server.call('GET', '/api/demo/clock')).json as { today: string; nextEvent: string }
  expect(clock.today).toBe(TODAY)
  expect(clock.nextEvent > TODAY).toBe(true)
  await send({ account: '9990-0227', reference: invoice.reference, amount: '842.00' })
  await server.control('POST', '/control/clock', { advanceDays: 1 })
  expect(await stateOf(invoice)).toEqual({ status: 'CLOSED', owed: 0 })
})

test('files are taken from this machine alone', async () => {
  const ask = (remoteAddress: string, payload: object) =>
    server.product.app.inject({ method: 'POST', url: '/api/demo/bank-files', remoteAddress, payload })
  expect((await ask('203.0.113.9', { name: 'a', content: '' })).statusCode).toBe(404)
  expect((await ask('127.0.0.1', { name: '../a', content: '' })).statusCode).toBe(400)
  const { refused, lines } = (await ask('127.0.0.1', { name: 'a', content: 'bm90aGluZw==' })).json()
  expect([typeof refused, lines]).toEqual(['string', []])
})
