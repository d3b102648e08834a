/** Paying with Swish through the public API, with the sandbox as Swish. */
import { describe, expect, test } from 'vitest'
import { followRefund, orderRefund } from '../refunds/refunds.ts'
import { buildInvoice, type BuiltInvoice } from '../testing/build.ts'
import {
  type Order,
  type Payment,
  build,
  path,
  start,
  made,
  codeOf,
  ordersOf,
  act,
  statusOf,
  paymentsOf,
  expectClosed,
  tasksOf,
  fault,
  server,
  other,
  useSwish,
} from '../testing/debts/paid-by-swish.ts'

useSwish()

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

  test('by number, and no answer: the payer is told that the phone may ask, and pays once', async () => {
    const invoice = await build()
    const body = { payerPhone: '070-555 11 22' }
    await fault('error-after-success')
    expect(codeOf(await start(invoice, body))).toEqual([400, 'payer_phone_in_doubt'])
    const [payment] = await paymentsOf(invoice)
    expect(payment).toMatchObject({ status: 'IN_PROGRESS', externalLink: null })
    expect(await made(invoice, body)).toMatchObject({ id: payment?.id })
    expect(await ordersOf(invoice)).toHaveLength(1)
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
    `select payee_account, (select count(*)::int from task t where t.about like 'payment:' || p.id || '%'
       -- Swish pays on the real day here, and the product's day is another.
       and t.kind <> 'bank_day_doubtful') as tasks
     from payment p where invoice_id = $1`,
    [invoice.id],
  )
  expect(rows).toEqual([{ payee_account: '1231181189', tasks: 0 }])
  const { context } = server.product
  const paymentId = started.json<Payment>().id
  let refund = await orderRefund(context, {
    instanceId: invoice.instanceId,
    by: 'person:anna',
    paymentId,
    amount: undefined,
    isWhole: true,
    isAgain: false,
  })
  await expect
    .poll(async () => (refund = await followRefund(context, refund)).status, { timeout: 10_000 })
    .toBe('PAID')
})
