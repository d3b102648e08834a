/** Paying with Swish through the public API, with the sandbox as Swish. */
import { beforeAll, describe, expect, test } from 'vitest'
import { followRefund, orderRefund } from '../refunds/refunds.ts'
import { buildInstance, buildInvoice, type BuiltInvoice, type InvoiceWishes } from '../testing/build.ts'
import { startTestServer, type TestServer } from '../testing/start-test-server.ts'

let server: TestServer
let other: { id: string; host: string }
beforeAll(async () => {
  server = await startTestServer()
  other = await buildInstance(server.test, { alias: 'fjellklar', isDefault: false })
})

type Order = { id: string; kind: string; reference: string; status: string }
type Payment = {
  id: string
  status: string
  externalLink: string | null
  qrCode: string | null
  outcomeUnknown: boolean
  serviceProviderCode: string
}
type Problem = { code: string }

const build = (wishes: InvoiceWishes = {}) =>
  buildInvoice(server.test, server.instanceId, server.clock, wishes)
const path = (invoice: BuiltInvoice, rest = ''): string =>
  `/api/public/invoices/${invoice.reference}/${invoice.zip}${rest}`

async function start(invoice: BuiltInvoice, body: Record<string, unknown> = {}, key?: string) {
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

const made = async (invoice: BuiltInvoice, body: Record<string, unknown> = {}): Promise<Payment> => {
  const answer = await start(invoice, body)
  expect(answer.status).toBe(201)
  return answer.json
}
const codeOf = (answer: { status: number; json: never }) => [answer.status, (answer.json as Problem).code]

async function ordersOf(invoice: BuiltInvoice): Promise<Order[]> {
  const orders: Order[] = await server.control('GET', '/control/orders?all=true')
  return orders.filter((o) => o.reference === invoice.reference)
}

async function act(invoice: BuiltInvoice, name: 'approve' | 'decline', body: object = {}): Promise<void> {
  const order = (await ordersOf(invoice)).find((o) => o.status === 'waiting' || o.status === 'unknown')
  await server.control('POST', `/control/orders/${order?.id}/${name}`, body)
}

const statusOf = async (invoice: BuiltInvoice): Promise<string> =>
  ((await server.call('GET', path(invoice))).json as { statuses: { main: string } }).statuses.main
const paymentsOf = async (invoice: BuiltInvoice): Promise<Payment[]> =>
  (await server.call('GET', path(invoice, '/payment-requests'))).json
const expectClosed = (invoice: BuiltInvoice) =>
  expect.poll(() => statusOf(invoice), { timeout: 15_000 }).toBe('CLOSED')
const tasksOf = async (invoice: BuiltInvoice): Promise<string[]> =>
  (
    await server.test.owner.query(
      `select t.kind from operator_task t join payment p on t.about like 'payment:' || p.id || '%' where p.invoice_id = $1`,
      [invoice.id],
    )
  ).rows.map((row: { kind: string }) => row.kind)

const fault = (name: string, times = 1) =>
  server.control('POST', '/control/faults', { target: 'mobile', fault: name, times })

describe('paying', () => {
  test('by link or QR: approved on the phone, the callback closes the invoice', async () => {
    const invoice = await build()
    const methods: { code: string; enabled: boolean }[] = (
      await server.call('GET', path(invoice, '/payment-methods'))
    ).json
    expect(methods).toContainEqual(expect.objectContaining({ code: 'DIRECT_PAYMENT_MOBILE', enabled: true }))
    const payment = await made(invoice)
    expect(payment).toMatchObject({
      status: 'IN_PROGRESS',
      serviceProviderCode: 'SWISH',
      paymentOption: 'pay-now',
    })
    const token = /^swish:\/\/paymentrequest\?token=([0-9a-f]{32})&callbackurl=/.exec(
      payment.externalLink ?? '',
    )?.[1]
    expect(payment.qrCode).toBe(`D${token}`)
    await act(invoice, 'approve')
    await expectClosed(invoice)
    expect((await paymentsOf(invoice))[0]).toMatchObject({
      status: 'COMPLETED',
      externalLink: null,
      qrCode: null,
    })
  })

  test('by number: the phone asks by itself, there is nothing to open', async () => {
    const invoice = await build()
    const payment = await made(invoice, { payerPhone: '070-111 22 33' })
    expect(payment).toMatchObject({ status: 'IN_PROGRESS', externalLink: null, qrCode: null })
    const other = await build()
    expect(codeOf(await start(other, { payerPhone: '+46701112233' }))).toEqual([
      400,
      'payer_has_open_request',
    ])
    expect(codeOf(await start(other, { payerPhone: 'nobody' }))).toEqual([400, 'payer_phone_invalid'])
    await act(invoice, 'approve')
    await expectClosed(invoice)
  })

  test('another number is another phone, and no invoice makes phones ring for ever', async () => {
    const invoice = await build()
    for (let i = 1; i <= 5; i++) await made(invoice, { payerPhone: `070-444 55 0${i}` })
    const statuses = (await ordersOf(invoice)).map((o) => o.status).sort()
    expect(statuses).toEqual(['cancelled', 'cancelled', 'cancelled', 'cancelled', 'waiting'])
    expect(codeOf(await start(invoice, { payerPhone: '070-444 55 06' }))).toEqual([
      400,
      'payer_phone_throttled',
    ])
    expect((await ordersOf(invoice)).map((o) => o.status).sort()).toEqual(statuses)
    // What is no number refuses too, and the fifth request still waits on its phone.
    expect(codeOf(await start(invoice, { payerPhone: '070' }))).toEqual([400, 'payer_phone_invalid'])
    expect((await ordersOf(invoice)).map((o) => o.status).sort()).toEqual(statuses)
    expect((await paymentsOf(invoice)).filter((p) => p.status === 'IN_PROGRESS')).toHaveLength(1)
    expect((await start(invoice)).status).toBe(201)
  })

  test('the provider is listed', async () => {
    const answer = await server.call('POST', '/api/public/service-providers/search', {
      body: { filters: { topic: 'PAYMENT', type: 'PAYMENT' } },
    })
    expect(answer.json).toContainEqual({ code: 'SWISH', topic: 'PAYMENT', type: 'PAYMENT', enabled: true })
  })

  test('kronor only, today only', async () => {
    const inEuro = await build({ currency: 'EUR' })
    const methods: { code: string }[] = (await server.call('GET', path(inEuro, '/payment-methods'))).json
    expect(methods.map((m) => m.code)).not.toContain('DIRECT_PAYMENT_MOBILE')
    expect(codeOf(await start(inEuro))).toEqual([400, 'service_provider_unavailable'])
    const later = await start(await build(), { paymentDate: '2026-12-04' })
    expect(codeOf(later)).toEqual([400, 'payment_date_invalid'])
  })

  test('twenty presses make one request at Swish', async () => {
    const invoice = await build()
    const answers = await Promise.all(Array.from({ length: 20 }, () => start(invoice)))
    expect(new Set(answers.map((a) => (a.json as Payment).externalLink)).size).toBe(1)
    expect(await ordersOf(invoice)).toHaveLength(1)
  })
})

describe('every end', () => {
  test.each(['RF07', 'FF10', 'TM01', 'BANKIDCL', 'BANKIDONGOING', 'BANKIDUNKN'])(
    'the error %s: not paid, and it can be tried again',
    async (errorCode) => {
      const invoice = await build()
      await made(invoice)
      await act(invoice, 'decline', { errorCode })
      await expect.poll(async () => (await paymentsOf(invoice))[0]?.status).toBe('FAILED')
      expect(await statusOf(invoice)).toBe('ACTIVATED')
      await made(invoice)
    },
  )

  test('declined by the payer', async () => {
    const invoice = await build()
    await made(invoice)
    await act(invoice, 'decline')
    await expect.poll(async () => (await paymentsOf(invoice))[0]?.status).toBe('FAILED')
  })

  test.each([
    ['approve', 'COMPLETED', 'CLOSED'],
    ['decline', 'FAILED', 'ACTIVATED'],
  ] as const)(
    'DS24 stays open and blocks until it is known; then %s',
    async (word, status, invoiceStatus) => {
      const invoice = await build()
      await made(invoice)
      await act(invoice, 'decline', { errorCode: 'DS24' })
      await expect.poll(async () => (await paymentsOf(invoice))[0]?.outcomeUnknown).toBe(true)
      expect((await paymentsOf(invoice))[0]).toMatchObject({
        status: 'IN_PROGRESS',
        externalLink: null,
        qrCode: null,
      })
      const bank = { serviceProviderCode: 'DIRECT_BANK', paymentDate: '2026-11-20' }
      expect(codeOf(await start(invoice, bank))).toEqual([400, 'payment_in_progress'])
      expect(codeOf(await start(invoice))).toEqual([400, 'payment_in_progress'])
      await server.test.owner.query(
        `update payment set created_at = now() - interval '11 minutes' where invoice_id = $1`,
        [invoice.id],
      )
      await server.product.sweepAll()
      await server.product.sweepAll()
      expect(await tasksOf(invoice)).toEqual(['payment_late'])
      await act(invoice, word)
      await server.product.sweepAll()
      expect((await paymentsOf(invoice))[0]).toMatchObject({ status, outcomeUnknown: false })
      expect(await statusOf(invoice)).toBe(invoiceStatus)
    },
  )
})

describe('a second way to pay', () => {
  const bank = { serviceProviderCode: 'DIRECT_BANK', paymentDate: '2026-11-20' }

  test('Swish is first cancelled at Swish, the bank at the bank', async () => {
    const invoice = await build()
    await made(invoice)
    await made(invoice, bank)
    await made(invoice)
    const statuses = (await ordersOf(invoice)).map((o) => `${o.kind} ${o.status}`)
    expect(statuses.sort()).toEqual(['bank cancelled', 'mobile cancelled', 'mobile waiting'])
    expect((await paymentsOf(invoice)).map((p) => p.status)).toEqual(['IN_PROGRESS', 'FAILED', 'FAILED'])
  })

  test('paid in Swish already: the bank is not opened, and the invoice is closed', async () => {
    const invoice = await build()
    await made(invoice)
    await fault('drop-callback')
    await act(invoice, 'approve')
    expect(codeOf(await start(invoice, bank))).toEqual([400, 'payment_in_progress'])
    expect(await statusOf(invoice)).toBe('CLOSED')
    expect((await ordersOf(invoice)).filter((o) => o.kind === 'bank')).toEqual([])
  })
})

describe('callbacks that are not what they say', () => {
  async function secretsOf(invoice: BuiltInvoice) {
    const { rows } = await server.test.owner.query(
      'select callback_secret, callback_identifier, gateway_payment_id from payment where invoice_id = $1',
      [invoice.id],
    )
    return rows[0] as { callback_secret: string; callback_identifier: string; gateway_payment_id: string }
  }
  const call = (secret: string, identifier: string | undefined, body: object) =>
    server.call('POST', `/api/callbacks/swish/${secret}`, {
      body,
      headers: identifier === undefined ? {} : { callbackIdentifier: identifier },
    })
  const eventsOf = async (invoice: BuiltInvoice) =>
    (
      await server.test.owner.query(
        'select 1 from gateway_event e join payment p on p.id = e.payment_id where p.invoice_id = $1',
        [invoice.id],
      )
    ).rows.length

  test('forged: a wrong address, no identifier, a wrong one, that of another payment', async () => {
    const [invoice, other] = [await build(), await build()]
    await made(invoice)
    await made(other)
    const own = await secretsOf(invoice)
    const foreign = await secretsOf(other)
    const paid = { id: own.gateway_payment_id, status: 'PAID', amount: 842, currency: 'SEK' }
    const answers = [
      await call('A'.repeat(27), own.callback_identifier, paid),
      await call(own.callback_secret, undefined, paid),
      await call(own.callback_secret, '', paid),
      await call(own.callback_secret, foreign.callback_identifier, paid),
      await call(own.callback_secret, own.callback_identifier.slice(0, -1), paid),
      await server.call('POST', `/api/callbacks/direct-bank/${own.callback_secret}`, { body: paid }),
    ]
    expect(answers.map((a) => a.status)).toEqual([404, 404, 404, 404, 404, 404])
    expect(await eventsOf(invoice)).toBe(0)
  })

  test('a lie at the right address is looked up, and changes nothing', async () => {
    const invoice = await build()
    await made(invoice)
    const own = await secretsOf(invoice)
    const lie = { id: own.gateway_payment_id, status: 'PAID', paymentReference: 'X' }
    expect((await call(own.callback_secret, own.callback_identifier, lie)).status).toBe(200)
    await server.product.sweepAll()
    expect((await paymentsOf(invoice))[0]?.status).toBe('IN_PROGRESS')
    await made(invoice)
    expect(await ordersOf(invoice)).toHaveLength(1)
  })

  test('a hundred copies, late ones, and one that speaks of another request: booked once', async () => {
    const [invoice, other] = [await build(), await build()]
    await made(invoice)
    await made(other)
    const own = await secretsOf(invoice)
    await act(invoice, 'approve')
    const paid = { id: own.gateway_payment_id, status: 'PAID' }
    const copies = await Promise.all(
      Array.from({ length: 100 }, () => call(own.callback_secret, own.callback_identifier, paid)),
    )
    expect(new Set(copies.map((a) => a.status))).toEqual(new Set([200]))
    await expectClosed(invoice)
    const foreign = { id: (await secretsOf(other)).gateway_payment_id, status: 'CANCELLED' }
    await call(own.callback_secret, own.callback_identifier, foreign)
    await server.product.sweepAll()
    expect(await statusOf(invoice)).toBe('CLOSED')
    expect(await statusOf(other)).toBe('ACTIVATED')
    expect(await eventsOf(invoice)).toBe(2)
  })

  test('early: before our own row says that the request was made', async () => {
    const invoice = await build()
    await server.test.owner.query(`create function be_slow() returns trigger language plpgsql as
      $$ begin perform pg_sleep(1.5); return new; end $$;
      create trigger be_slow before update on payment for each row when (old.status = 'CREATED') execute function be_slow()`)
    const starting = start(invoice)
    await expect.poll(async () => (await ordersOf(invoice)).length).toBe(1)
    await act(invoice, 'approve')
    expect((await starting).status).toBe(201)
    await server.test.owner.query('drop trigger be_slow on payment; drop function be_slow()')
    await expectClosed(invoice)
  })
})

describe('the process dies between Swish and its own row', () => {
  const die = (invoice: BuiltInvoice) =>
    server.test.owner.query(
      `update payment set status = 'CREATED', gateway_payment_id = null, external_link = null,
         created_at = now() - interval '13 seconds' where invoice_id = $1`,
      [invoice.id],
    )

  test('the same key is answered at once, and a new one pays', async () => {
    const invoice = await build()
    await start(invoice, {}, 'died')
    await die(invoice)
    const began = Date.now()
    expect(codeOf(await start(invoice, {}, 'died'))).toEqual([400, 'provider_unavailable'])
    expect(Date.now() - began).toBeLessThan(2_000)
    expect((await start(invoice, {}, 'alive')).status).toBe(201)
  })

  test('a phone that was asked by its number can pay all the same', async () => {
    const invoice = await build()
    const body = { payerPhone: '070-222 33 44' }
    await start(invoice, body, 'asked')
    await die(invoice)
    await fault('drop-callback')
    await act(invoice, 'approve')
    expect(((await start(invoice, body, 'asked')).json as Payment).status).toBe('COMPLETED')
    expect(await statusOf(invoice)).toBe('CLOSED')
  })

  test('Swish never got the call: the sweeper finds out and ends it', async () => {
    const invoice = await build()
    await start(invoice, { payerPhone: '070-333 44 55' })
    await server.test.owner.query(
      `update payment set status = 'CREATED', external_link = null, gateway_payment_id = $2,
         created_at = now() - interval '13 seconds' where invoice_id = $1`,
      [invoice.id, 'F'.repeat(32)],
    )
    await server.product.sweepAll()
    expect((await paymentsOf(invoice))[0]?.status).toBe('FAILED')
  })
})

describe('one Swish number belongs to', () => {
  const offered = async (invoice: BuiltInvoice): Promise<boolean[]> => {
    const methods = (await server.call('GET', path(invoice, '/payment-methods'))).json as { code: string }[]
    const filters = { body: { filters: { topic: 'PAYMENT' } } }
    const search = '/api/public/service-providers/search'
    const providers = (await server.call('POST', search, filters)).json as { code: string }[]
    return [
      methods.some(({ code }) => code === 'DIRECT_PAYMENT_MOBILE'),
      providers.some(({ code }) => code === 'SWISH'),
    ]
  }

  test.each([
    ['all', 'all', true],
    ['the default provider', 'default', true],
    ['this provider by name', ['other', 'nordklar'], true],
    ['another provider', ['other'], false],
  ])('%s: it is offered, and takes money, only there', async (_, providers, isOurs) => {
    const number = server.product.context.config.swish?.numbers.at(-1)
    if (!number) throw new Error('there is no Swish')
    const before = number.providers
    Object.assign(number, { providers })
    try {
      const invoice = await build()
      expect(await offered(invoice)).toEqual([isOurs, isOurs])
      const answer = await start(invoice)
      if (isOurs) expect(answer.status, answer.text).toBe(201)
      else expect(codeOf(answer)).toEqual([400, 'service_provider_unavailable'])
      expect(await ordersOf(invoice)).toHaveLength(isOurs ? 1 : 0)
    } finally {
      Object.assign(number, { providers: before })
    }
  })
})

test('a provider with a number of its own is paid to it, asked about it, and sends money back from it', async () => {
  const { host } = other
  const invoice = await buildInvoice(server.test, other.id, server.clock)
  const call = (method: 'POST' | 'GET' | 'PUT', part: string, payload?: object) =>
    server.product.app.inject({
      method,
      url: path(invoice, part),
      headers: { host, 'content-type': 'application/json', 'x-forwarded-proto': 'http' },
      ...(payload ? { payload } : {}),
    })
  const started = await call('POST', '/payment-requests', {
    amount: '842.00',
    serviceProviderCode: 'SWISH',
    redirectUri: `http://${host}/`,
  })
  expect(started.statusCode, started.body).toBe(201)
  const [order] = (await ordersOf(invoice)) as (Order & { payee: string })[]
  expect(order?.payee).toBe('1231181189')
  await act(invoice, 'approve')
  await expect
    .poll(async () => (await call('GET', '/payment-requests')).json<Payment[]>()[0]?.status, {
      timeout: 10_000,
    })
    .toBe('COMPLETED')
  const { rows } = await server.test.owner.query(
    `select payee_account, (select count(*)::int from operator_task t where t.about like 'payment:' || p.id || '%') as tasks
     from payment p where invoice_id = $1`,
    [invoice.id],
  )
  expect(rows).toEqual([{ payee_account: '1231181189', tasks: 0 }])
  const { context } = server.product
  const paymentId = started.json<Payment>().id
  let refund = await orderRefund(context, { paymentId, amount: undefined, isWhole: true, isAgain: false })
  await expect
    .poll(async () => (refund = await followRefund(context, refund)).status, { timeout: 10_000 })
    .toBe('PAID')
})
