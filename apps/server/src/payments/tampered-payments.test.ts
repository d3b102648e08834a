/** A payment whose amount, day, way or flags its payer has thought of: refused, or as if they had not been sent. */
import { beforeAll, expect, test } from 'vitest'
import { date, dayOf } from '@kvitt/domain/calendar.ts'
import { buildInstance, buildInvoice, type BuiltInvoice } from '../testing/build.ts'
import { buildInstanceAccount } from '../testing/build-claim.ts'
import { startTestServer, type TestServer } from '../testing/start-test-server.ts'
import { openGateways } from './payments.ts'

let server: TestServer
/** Undefined: the day stands still where the test server has it. */
let nowMs: number | undefined
const live = { host: 'live-one.portal.test', id: '' }
const second = { host: 'fjellklar.portal.test', id: '' }

beforeAll(async () => {
  server = await startTestServer({
    clock: {
      now: () => Date.now(),
      today: (timeZone) => (nowMs === undefined ? date('2026-11-20') : dayOf(nowMs, timeZone)),
    },
  })
  live.id = (await buildInstance(server.test, { alias: 'live-one', isDefault: false })).id
  second.id = (await buildInstance(server.test, { alias: 'fjellklar', isDefault: false })).id
  await server.test.owner.query(`update instance set mode = 'live' where id = $1`, [live.id])
  for (const id of [live.id, second.id]) await buildInstanceAccount(server.test, id)
})

const build = (instanceId = server.instanceId, wishes = {}): Promise<BuiltInvoice> =>
  buildInvoice(server.test, instanceId, server.clock, wishes)

type Told = { status: number; code: string | undefined; id: string; paymentOption: string; amount: number }

async function start(
  invoice: BuiltInvoice,
  overrides: object = {},
  { host = 'localhost', key = '' } = {},
): Promise<Told> {
  const origin = host === 'localhost' ? 'http://localhost' : `http${host === live.host ? 's' : ''}://${host}`
  const answer = await server.product.app.inject({
    method: 'POST',
    url: `/api/public/invoices/${invoice.reference}/${invoice.zip}/payment-requests`,
    headers: { host, ...(key ? { 'idempotency-key': key } : {}) },
    payload: { paymentDate: '2026-11-20', amount: '842.00', redirectUri: `${origin}/`, ...overrides },
  })
  return { ...(JSON.parse(answer.body) as Told), status: answer.statusCode }
}

type Order = { reference: string; amount: string; currency: string }
async function ordersOf({ reference }: BuiltInvoice): Promise<Order[]> {
  const orders: Order[] = await server.control('GET', '/control/orders?all=true')
  return orders.filter((order) => order.reference === reference)
}

async function keptOf({ id }: BuiltInvoice): Promise<unknown[]> {
  const { rows } = await server.test.owner.query(
    'select amount_minor::int as minor, currency, status from payment where invoice_id = $1',
    [id],
  )
  return rows
}

/** None of these is 842.00, whoever reads it. */
const AMOUNTS: readonly unknown[] = [
  0, -0, -1, -842, 0.001, 1e-7, 1e308, 1, 841, 841.99, 841.999, 842.01, 842.001, 842.004999, 843, 84_200, 8.42, 2 ** 31, 2 ** 53, 99_999_999_999,
  '0', '-842.00', '+842.00', '842,00', '842.001', '842.0001', '842.000001', '841.99', '842.01', '84200', '8.42e2', '842e0', '1e308', '1e-7', 'NaN', 'Infinity',
  '-Infinity', '0x34a', '0b1101001010', '842_00', '8 42', ' 842', '842 ', '842\u0000', '842.', '.842', '842.00.00', '842.00 SEK', 'SEK 842.00', '842.00kr',
  '1,684.00', '８４２', '٨٤٢', '八百四十二', '9'.repeat(60), "842' or 1=1--", '${842}', '{{842}}', '', ' ', 'all', true, null, [], ['842.00'], {}, { minor: 84_200 },
] // biome-ignore format: a list of amounts

test('pay.amount: whatever is said of the amount, only the balance is asked of the bank', async () => {
  expect(AMOUNTS.length).toBeGreaterThanOrEqual(60)
  const invoice = await build()
  for (const amount of AMOUNTS) {
    const answer = await start(invoice, { amount })
    expect([answer.status, answer.code], JSON.stringify(amount)).toEqual([
      400,
      expect.stringMatching(/^(amount_changed|invalid_request)$/),
    ])
  }
  expect(await keptOf(invoice)).toEqual([])
  expect(await ordersOf(invoice)).toEqual([])

  const more = { currency: 'NOK', amountMinor: 1, balance: 0, totals: { totalToPay: 1 }, payee: 'mine' }
  expect(await start(invoice, more)).toMatchObject({ status: 201, amount: 842 })
  expect(await keptOf(invoice)).toEqual([{ minor: 84_200, currency: 'SEK', status: 'IN_PROGRESS' }])
  expect(await ordersOf(invoice)).toMatchObject([{ amount: '842.00', currency: 'SEK' }])
})

const DAYS: readonly unknown[] = [
  '2026-11-19', '2026-11-21', '2026-12-03', '2026-12-05', '2025-11-20', '2036-11-20', '9999-12-31', '0000-00-00', '2026-02-30', '2027-02-29', '2026-13-01',
  '2026-00-10', '2026-11-31', '20261120', '2026-11-20T00:00:00Z', '2026-11-20 ', '2026-W47-5', '11/20/2026', '30.2.2026', '20.11.26', '20 november 2026',
  'today', 'tomorrow', 'now', '-1', '1e9', '1795132800000', '２０２６-11-20', "2026-11-20'--", 'x'.repeat(41), 20_261_120, true, [], ['2026-11-20'], {},
] // biome-ignore format: a list of days

test('pay.date: a day that is neither today nor the due date is refused, and so is what is no day', async () => {
  const invoice = await build()
  for (const paymentDate of DAYS) {
    const answer = await start(invoice, { paymentDate })
    expect([answer.status, answer.code], JSON.stringify(paymentDate)).toEqual([
      400,
      expect.stringMatching(/^(payment_date_invalid|invalid_request)$/),
    ])
  }
  const overdue = await build(server.instanceId, { dueDate: '2026-11-19' })
  expect(await start(overdue, { paymentDate: '2026-11-19' })).toMatchObject({ code: 'payment_date_invalid' })
  for (const one of [invoice, overdue]) expect(await keptOf(one)).toEqual([])
})

test.each([
  // The last second before a day begins in Stockholm, and its first: the days of 23 and of 25 hours among them.
  ['2027-03-27T22:59:59Z', '2027-03-27', '2027-03-28'],
  ['2027-03-27T23:00:00Z', '2027-03-28', '2027-03-29'],
  ['2027-03-28T21:59:59Z', '2027-03-28', '2027-03-29'],
  ['2027-03-28T22:00:00Z', '2027-03-29', '2027-03-30'],
  ['2027-10-30T21:59:59Z', '2027-10-30', '2027-10-31'],
  ['2027-10-30T22:00:00Z', '2027-10-31', '2027-11-01'],
  ['2027-10-31T22:59:59Z', '2027-10-31', '2027-11-01'],
  ['2027-10-31T23:00:00Z', '2027-11-01', '2027-11-02'],
])('pay.date: at %s it is %s, and paying on the due date is for %s', async (instant, today, tomorrow) => {
  nowMs = Date.parse(instant)
  try {
    const [sooner, later] = [await build(), await build(server.instanceId, { dueDate: tomorrow })]
    expect(await start(sooner, { paymentDate: tomorrow })).toMatchObject({ code: 'payment_date_invalid' })
    expect(await start(sooner, { paymentDate: today })).toMatchObject({ paymentOption: 'pay-now' })
    expect(await start(later, { paymentDate: tomorrow })).toMatchObject({ paymentOption: 'due-date' })
  } finally {
    nowMs = undefined
  }
})

test('pay.provider: only a way that this provider, this invoice and this currency have', async () => {
  const invoice = await build()
  for (const code of [
    'VIPPS', 'BANKID', 'PAYMENT_REFERENCE', 'BANK_TRANSFER', 'DIRECT_PAYMENT_BANK', 'direct_bank', 'swish', 'SWISH ', 'DIRECT_BANK,SWISH', 'SWISH\u0000',
    '__proto__', 'constructor', 'toString', '*', "' or 1=1--", 'x'.repeat(61), 1, true, [], ['SWISH'], {},
  ]) // biome-ignore format: a list of codes
    expect([code, (await start(invoice, { serviceProviderCode: code })).code]).toEqual([
      code,
      expect.stringMatching(/^(service_provider_unavailable|invalid_request)$/),
    ])
  const abroad = await build(server.instanceId, { currency: 'NOK' })
  expect(await start(abroad, { serviceProviderCode: 'SWISH' })).toMatchObject({
    code: 'service_provider_unavailable',
  })
  for (const one of [invoice, abroad]) expect([await keptOf(one), await ordersOf(one)]).toEqual([[], []])
})

test('pay.testflag: to a live provider `test: true` says nothing; its payment is made and asked for as any other', async () => {
  const invoice = await build(live.id)
  const at = { host: live.host }
  const first = await start(invoice, { test: true }, at)
  expect(first).toMatchObject({ status: 201, amount: 842 })
  for (const test of [false, null, undefined]) {
    expect(await start(invoice, { test }, at)).toMatchObject({ status: 201, id: first.id })
  }
  expect(await ordersOf(invoice)).toMatchObject([{ amount: '842.00', currency: 'SEK' }])
  expect(await keptOf(invoice)).toEqual([{ minor: 84_200, currency: 'SEK', status: 'IN_PROGRESS' }])
})

test('pay.testflag: a live provider takes nothing through the sandbox and lets nobody in by it', async () => {
  const { context } = server.product
  const { config, gateways } = context
  const played = { ...config, sandboxPort: server.sandbox.apiPort - 1 }
  Object.assign(context, { config: played, gateways: openGateways(played, context.clock) })
  const ask = async (method: 'GET' | 'POST', host: string, url: string) =>
    (await server.product.app.inject({ method, url, headers: { host }, payload: {} })).json()
  try {
    const [real, tried] = [await build(live.id), await build(second.id)]
    for (const test of [true, false]) {
      for (const serviceProviderCode of ['DIRECT_BANK', 'SWISH']) {
        const answer = await start(real, { test, serviceProviderCode }, { host: live.host })
        expect(answer).toMatchObject({ status: 400, code: 'service_provider_unavailable' })
      }
    }
    expect([await keptOf(real), await ordersOf(real)]).toEqual([[], []])
    const methods = (of: BuiltInvoice, host: string) =>
      ask('GET', host, `/api/public/invoices/${of.reference}/${of.zip}/payment-methods`)
    expect(await methods(real, live.host)).toMatchObject([{ code: 'BANK_TRANSFER' }])
    const search = '/api/public/service-providers/search?limit=100'
    expect(await ask('POST', live.host, search)).toMatchObject([{ code: 'PAYMENT_REFERENCE' }])
    expect(await ask('POST', live.host, '/api/external/bankid/auth')).toMatchObject({
      code: 'provider_unavailable',
    })

    // One that only tries has all of it.
    expect((await methods(tried, second.host)).length).toBeGreaterThan(1)
    const swish = { test: true, serviceProviderCode: 'SWISH' }
    expect(await start(tried, swish, { host: second.host })).toMatchObject({ status: 201 })
    expect((await ask('POST', second.host, search)).length).toBe(4)
  } finally {
    Object.assign(context, { config, gateways })
  }
})

test('pay.iframe: to be shown in a frame changes neither the payment nor its link', async () => {
  const invoice = await build()
  const first = await start(invoice, { iframe: true })
  expect(first).toMatchObject({ status: 201 })
  for (const iframe of [false, null]) expect(await start(invoice, { iframe })).toMatchObject({ id: first.id })
  expect(await ordersOf(invoice)).toHaveLength(1)
})

test('idem.scope: the same key is another one for another invoice and for another provider', async () => {
  const [one, other, foreign] = [await build(), await build(), await build(second.id)]
  const key = 'the-same-key'
  const told = [
    await start(one, {}, { key }),
    await start(other, {}, { key }),
    await start(foreign, { serviceProviderCode: 'SWISH' }, { key, host: second.host }),
  ]
  expect(told.map(({ status }) => status)).toEqual([201, 201, 201])
  expect(new Set(told.map(({ id }) => id)).size).toBe(3)
  // With another body it is a mistake at its own debt, and at no other.
  expect(await start(one, { amount: '1.00' }, { key })).toMatchObject({ code: 'idempotency_key_reused' })
  expect(await start(other, {}, { key })).toMatchObject({ status: 201, id: told[1]?.id })
  for (const invoice of [one, other, foreign]) expect(await ordersOf(invoice)).toHaveLength(1)
})
