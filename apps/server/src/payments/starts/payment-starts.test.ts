/** How often the payment of one debt may be begun. */
import { randomUUID } from 'node:crypto'

import { beforeAll, expect, test } from 'vitest'
import { LANGUAGES } from '../../platform/texts.ts'
import { buildInvoice, TODAY, type BuiltInvoice } from '../../testing/build.ts'
import { startTestServer, type Answer, type TestServer } from '../../testing/start-test-server.ts'

const [PER_MINUTE, PER_DAY] = [3, 20]

let server: TestServer
beforeAll(async () => {
  // As the program is without settings.
  server = await startTestServer({ settings: { PAYMENT_STARTS_PER_MINUTE: '', PAYMENT_STARTS_PER_DAY: '' } })
})

const build = (): Promise<BuiltInvoice> =>
  buildInvoice(server.test, server.instanceId, server.clock, { totalMinor: 300_000 })

/** Each way in turn, so that none hands out the one before it. */
const WAYS = ['DIRECT_BANK', 'SWISH']
let turn = 0
const start = (
  invoice: BuiltInvoice,
  key: string = randomUUID(),
  code = WAYS[turn++ % 2],
  headers = {},
): Promise<Answer> =>
  server.call('POST', `/api/public/invoices/${invoice.reference}/${invoice.zip}/payment-requests`, {
    body: {
      paymentDate: TODAY,
      amount: '3000.00',
      redirectUri: `${server.origin}/`,
      serviceProviderCode: code,
    },
    headers: { 'idempotency-key': key, ...headers },
  })
const outcome = ({ status, json }: Answer): unknown =>
  status === 201 ? status : (json as { code: string }).code

/** As if they had been begun so much earlier. */
const age = (invoice: BuiltInvoice, interval: string): Promise<unknown> =>
  server.test.owner.query('update payment set created_at = created_at - $2::interval where invoice_id = $1', [
    invoice.id,
    interval,
  ])
const countOf = async (invoice: BuiltInvoice): Promise<number> =>
  (
    await server.test.owner.query('select count(*)::int as n from payment where invoice_id = $1', [
      invoice.id,
    ])
  ).rows[0]?.n

test('pay.starts: three a minute, and the fourth is told for how long', async () => {
  const invoice = await build()
  for (let n = 0; n < PER_MINUTE; n++) expect(outcome(await start(invoice))).toBe(201)
  const refused = await start(invoice)
  expect(outcome(refused)).toBe('payment_starts_throttled')
  const seconds = Number(refused.headers.get('retry-after'))
  expect(seconds).toBeGreaterThan(0)
  expect(seconds).toBeLessThanOrEqual(60)
  expect((refused.json as { params: object }).params).toMatchObject({
    unit: 'seconds',
    count: String(seconds),
  })
  expect(await countOf(invoice)).toBe(PER_MINUTE)
  await age(invoice, '59 seconds')
  await age(invoice, '2 seconds')
  expect(outcome(await start(invoice))).toBe(201)
})

test('pay.starts: what was open stays open, and is handed out again', async () => {
  const invoice = await build()
  const [key, last] = [randomUUID(), 'DIRECT_BANK']
  for (const way of ['DIRECT_BANK', 'SWISH'])
    expect(outcome(await start(invoice, randomUUID(), way))).toBe(201)
  const open = await start(invoice, key, last)
  expect(outcome(await start(invoice, randomUUID(), 'SWISH'))).toBe('payment_starts_throttled')
  for (const again of [key, randomUUID(), randomUUID()]) {
    expect((await start(invoice, again, last)).json).toMatchObject({ id: (open.json as { id: string }).id })
  }
  expect(await countOf(invoice)).toBe(PER_MINUTE)
})

test('pay.starts: twenty a day, and no other debt is kept from anything', async () => {
  const invoice = await build()
  for (let n = 0; n < PER_DAY; n++) {
    expect([n, outcome(await start(invoice))]).toEqual([n, 201])
    await age(invoice, '61 seconds')
  }
  const refused = await start(invoice)
  expect(outcome(refused)).toBe('payment_starts_throttled')
  expect((refused.json as { params: object }).params).toMatchObject({ unit: 'hours', count: '24' })
  expect(outcome(await start(await build()))).toBe(201)
  await age(invoice, '23 hours 50 minutes')
  expect(outcome(await start(invoice))).toBe(201)
})

test('pay.starts: of many at once exactly three begin', async () => {
  const invoice = await build()
  const answers = await Promise.all(Array.from({ length: 16 }, () => start(invoice)))
  expect(await countOf(invoice)).toBeLessThanOrEqual(PER_MINUTE)
  expect(answers.map(({ status }) => status).filter((status) => status >= 500)).toEqual([])
  for (let n = 0; n < 4; n++) await start(invoice)
  expect(await countOf(invoice)).toBe(PER_MINUTE)
})

test.each(LANGUAGES)('pay.starts: %s: with the time, and another way', async (language) => {
  const invoice = await build()
  for (let n = 0; n < PER_MINUTE; n++) await start(invoice)
  const { message } = (await start(invoice, randomUUID(), undefined, { 'accept-language': language }))
    .json as { message: string }
  expect(message).toMatch(/\d+ s[ek]/)
  expect(message).not.toMatch(/[{}]/)
  expect(message).toMatch(/referen[cs]|viitte|referanse/)
})
