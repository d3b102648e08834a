import { beforeAll, describe, expect, test } from 'vitest'
import { buildInvoice, type BuiltInvoice } from '../testing/build.ts'
import { startTestServer, type TestServer } from '../testing/start-test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})

type Order = { id: string; reference: string; amount: string; status: string }
type Payment = {
  id: string
  status: string
  externalLink: string | null
  amount: number
  paymentOption: string
}
type Problem = { code: string; message: string }

const path = (invoice: BuiltInvoice, rest = ''): string =>
  `/api/public/invoices/${invoice.reference}/${invoice.zip}${rest}`

function payment(overrides: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    paymentDate: '2026-11-20',
    amount: '842.00',
    redirectUri: `${server.origin}/#/sv/confirmation?paymentOption=pay-now`,
    test: false,
    iframe: false,
    serviceProviderCode: 'DIRECT_BANK',
    ...overrides,
  }
}

async function start(invoice: BuiltInvoice, overrides: Record<string, unknown> = {}, key?: string) {
  return server.call('POST', path(invoice, '/payment-requests'), {
    body: payment(overrides),
    headers: key ? { 'idempotency-key': key } : {},
  })
}

async function orderOf(invoice: BuiltInvoice): Promise<Order> {
  const orders: Order[] = await server.control('GET', '/control/orders')
  const order = orders.find((o) => o.reference === invoice.reference)
  if (!order) throw new Error('the bank has no order for the invoice')
  return order
}

const invoiceOf = async (invoice: BuiltInvoice) =>
  (await server.call('GET', path(invoice))).json as {
    statuses: { main: string }
    balances: { total: number }
  }

const refresh = async (invoice: BuiltInvoice): Promise<Payment[]> =>
  (await server.call('PUT', path(invoice, '/payment-requests/status'))).json

async function settle(): Promise<void> {
  await server.control('POST', '/control/settle', {})
}

describe('pay now', () => {
  test('the payer approves, the bank settles, the invoice is closed', async () => {
    const invoice = await buildInvoice(server.test, server.instanceId, server.clock)
    const started = await start(invoice)
    expect(started.status).toBe(201)
    const made: Payment = started.json
    expect(made).toMatchObject({ status: 'IN_PROGRESS', amount: 842, paymentOption: 'pay-now' })
    expect(started.text).toContain('"amount":842.00')
    expect(made.externalLink).toMatch(/^http:\/\/localhost:\d+\/bank\/sign\//)

    await server.control('POST', `/control/orders/${(await orderOf(invoice)).id}/approve`)
    expect((await refresh(invoice))[0]).toMatchObject({ status: 'AUTHORIZED' })
    expect(await invoiceOf(invoice)).toMatchObject({
      statuses: { main: 'PENDING_AUTHORIZATION' },
      balances: { total: 842 },
    })

    await settle()
    await server.product.sweepAll()
    expect(await invoiceOf(invoice)).toMatchObject({ statuses: { main: 'CLOSED' }, balances: { total: 0 } })
    const receipt = await server.call('PUT', path(invoice, '/payment-receipt'))
    expect(receipt.status).toBe(200)
    expect(receipt.headers.get('content-type')).toBe('application/pdf')
    expect(receipt.text.slice(0, 5)).toBe('%PDF-')
  })

  test('the payer declines: nothing is paid and the invoice can be paid again', async () => {
    const invoice = await buildInvoice(server.test, server.instanceId, server.clock)
    await start(invoice)
    await server.control('POST', `/control/orders/${(await orderOf(invoice)).id}/decline`)
    expect((await refresh(invoice))[0]).toMatchObject({ status: 'FAILED', externalLink: null })
    expect(await invoiceOf(invoice)).toMatchObject({
      statuses: { main: 'ACTIVATED' },
      balances: { total: 842 },
    })
    expect((await start(invoice)).status).toBe(201)
  })
})

describe('on the due date', () => {
  async function signed(): Promise<{ invoice: BuiltInvoice; order: Order }> {
    const invoice = await buildInvoice(server.test, server.instanceId, server.clock)
    await start(invoice, { paymentDate: '2026-12-04' })
    const order = await orderOf(invoice)
    await server.control('POST', `/control/orders/${order.id}/approve`)
    expect((await refresh(invoice))[0]).toMatchObject({ status: 'AUTHORIZED', paymentOption: 'due-date' })
    return { invoice, order }
  }

  test('executed on the day, not before', async () => {
    const { invoice } = await signed()
    await server.control('POST', '/control/settle', { date: '2026-12-03' })
    await server.product.sweepAll()
    expect(await invoiceOf(invoice)).toMatchObject({ statuses: { main: 'ACTIVATED' } })
    await server.control('POST', '/control/settle', { date: '2026-12-04' })
    await server.product.sweepAll()
    expect(await invoiceOf(invoice)).toMatchObject({ statuses: { main: 'CLOSED' }, balances: { total: 0 } })
  })

  test('rejected on the day: nothing is paid, and it can be paid again', async () => {
    const { invoice, order } = await signed()
    await server.control('POST', `/control/orders/${order.id}/decline`, { rejected: true })
    await server.product.sweepAll()
    expect(await invoiceOf(invoice)).toMatchObject({
      statuses: { main: 'ACTIVATED' },
      balances: { total: 842 },
    })
    expect((await start(invoice)).status).toBe(201)
  })

  test('a pay-now payment that the bank rejects lets its invoice go', async () => {
    const invoice = await buildInvoice(server.test, server.instanceId, server.clock)
    await start(invoice)
    const order = await orderOf(invoice)
    await server.control('POST', `/control/orders/${order.id}/approve`, { hold: true })
    await refresh(invoice)
    expect(await invoiceOf(invoice)).toMatchObject({ statuses: { main: 'PENDING_AUTHORIZATION' } })
    await server.control('POST', `/control/orders/${order.id}/decline`, { rejected: true })
    await server.product.sweepAll()
    expect(await invoiceOf(invoice)).toMatchObject({ statuses: { main: 'ACTIVATED' } })
  })
})

describe('twice', () => {
  test('pay.double, idem.concurrent: fifty clicks at once make one payment at the bank', async () => {
    const invoice = await buildInvoice(server.test, server.instanceId, server.clock)
    const answers = await Promise.all(Array.from({ length: 50 }, () => start(invoice)))
    expect(new Set(answers.map((a) => a.status))).toEqual(new Set([201]))
    expect(new Set(answers.map((a) => (a.json as Payment).id)).size).toBe(1)
    const orders: Order[] = await server.control('GET', '/control/orders?all=true')
    expect(orders.filter((o) => o.reference === invoice.reference)).toHaveLength(1)
  })

  test('idem.mismatch: a key that an open payment answered belongs to its body too', async () => {
    const invoice = await buildInvoice(server.test, server.instanceId, server.clock)
    const first = await start(invoice)
    const keyed = await start(invoice, {}, 'late-key')
    expect((keyed.json as Payment).id).toBe((first.json as Payment).id)
    const other = await start(invoice, { paymentDate: '2026-12-04' }, 'late-key')
    expect([other.status, (other.json as Problem).code]).toEqual([400, 'idempotency_key_reused'])
    const again = await start(invoice, {}, 'late-key')
    expect(again.json).toMatchObject({ id: (first.json as Payment).id, status: 'IN_PROGRESS' })
    const orders: Order[] = await server.control('GET', '/control/orders?all=true')
    expect(orders.filter((o) => o.reference === invoice.reference)).toHaveLength(1)
  })

  test('idem.mismatch: the same key gives the same payment, and refuses another body', async () => {
    const invoice = await buildInvoice(server.test, server.instanceId, server.clock)
    const first = await start(invoice, {}, 'key-1')
    const again = await start(invoice, {}, 'key-1')
    expect((again.json as Payment).id).toBe((first.json as Payment).id)
    const other = await start(invoice, { paymentDate: '2026-12-04' }, 'key-1')
    expect(other.status).toBe(400)
    expect(other.json as Problem).toMatchObject({ code: 'idempotency_key_reused' })
  })

  test('another day cancels the open payment at the bank first', async () => {
    const invoice = await buildInvoice(server.test, server.instanceId, server.clock)
    const first: Payment = (await start(invoice)).json
    const second = await start(invoice, { paymentDate: '2026-12-04' })
    expect(second.status).toBe(201)
    const payments: Payment[] = (await server.call('GET', path(invoice, '/payment-requests'))).json
    expect(payments.map((p) => [p.id === first.id, p.status])).toEqual([
      [false, 'IN_PROGRESS'],
      [true, 'FAILED'],
    ])
  })

  test('the call whose payment was given up for another is not told that one is approved', async () => {
    const invoice = await buildInvoice(server.test, server.instanceId, server.clock)
    await start(invoice, {}, 'first-key')
    await start(invoice, { paymentDate: '2026-12-04' }, 'second-key')
    expect((await start(invoice, {}, 'first-key')).json).toMatchObject({ code: 'payment_replaced' })
    expect((await start(invoice, {}, 'third-key')).status).toBe(201)
  })
})

describe('pay.amount, pay.date, pay.provider: refused, and nothing changes', () => {
  const cases: [string, Record<string, unknown>, string][] = [
    ['an amount that is not the balance', { amount: '841.99' }, 'amount_changed'],
    ['no amount at all', { amount: '' }, 'amount_changed'],
    ['a negative amount', { amount: -842 }, 'amount_changed'],
    ['an amount with three decimals', { amount: '842.001' }, 'amount_changed'],
    ['an exponent', { amount: '8.42e2' }, 'amount_changed'],
    ['a day in the past', { paymentDate: '2026-11-19' }, 'payment_date_invalid'],
    ['a day that does not exist', { paymentDate: '2026-02-30' }, 'payment_date_invalid'],
    ['a day that is neither today nor the due date', { paymentDate: '2026-11-25' }, 'payment_date_invalid'],
    ['another origin', { redirectUri: 'https://evil.example/' }, 'redirect_uri_not_allowed'],
    ['a script', { redirectUri: 'javascript:alert(1)' }, 'redirect_uri_not_allowed'],
    ['an unknown provider', { serviceProviderCode: 'VIPPS' }, 'service_provider_unavailable'],
    ['a login provider', { serviceProviderCode: 'PAYMENT_REFERENCE' }, 'service_provider_unavailable'],
    ['a missing date', { paymentDate: undefined }, 'invalid_request'],
    ['a phone for the bank', { payerPhone: '070-123 45 67' }, 'invalid_request'],
  ]
  test.each(cases)('%s', async (_name, overrides, code) => {
    const invoice = await buildInvoice(server.test, server.instanceId, server.clock)
    const answer = await start(invoice, overrides)
    expect(answer.status).toBe(400)
    expect(answer.headers.get('content-type')).toMatch(/^application\/problem\+json/)
    expect(answer.json as Problem).toMatchObject({ code, message: expect.stringMatching(/\w{3}/) })
    expect((await server.call('GET', path(invoice, '/payment-requests'))).json).toEqual([])
  })

  test('another scheme of the same host, and not the same origin in capitals', async () => {
    const invoice = await buildInvoice(server.test, server.instanceId, server.clock)
    const secure = await start(invoice, { redirectUri: server.origin.replace('http:', 'https:') })
    expect([secure.status, (secure.json as Problem).code]).toEqual([400, 'redirect_uri_not_allowed'])
    expect((await start(invoice, { redirectUri: server.origin.toUpperCase() })).status).toBe(201)
  })

  test('a second payment while one is signed', async () => {
    const invoice = await buildInvoice(server.test, server.instanceId, server.clock)
    await start(invoice, { paymentDate: '2026-12-04' })
    await server.control('POST', `/control/orders/${(await orderOf(invoice)).id}/approve`)
    expect((await refresh(invoice))[0]).toMatchObject({ status: 'AUTHORIZED', paymentOption: 'due-date' })
    expect(await invoiceOf(invoice)).toMatchObject({ statuses: { main: 'ACTIVATED' } })
    expect((await start(invoice)).json as Problem).toMatchObject({ code: 'payment_in_progress' })
    // No way is offered meanwhile, also none that we could not refuse.
    const methods = (await server.call('GET', path(invoice, '/payment-methods'))).json as { code: string }[]
    expect(methods.map(({ code }) => code)).toContain('BANK_TRANSFER')
    for (const method of methods) {
      expect(method).toMatchObject({ enabled: false, reasonCode: 'payment_in_progress' })
    }
  })

  test('an invoice that is paid', async () => {
    const invoice = await buildInvoice(server.test, server.instanceId, server.clock)
    await start(invoice)
    await server.control('POST', `/control/orders/${(await orderOf(invoice)).id}/approve`)
    await settle()
    await server.product.sweepAll()
    expect((await start(invoice)).json as Problem).toMatchObject({ code: 'nothing_to_pay' })
    expect((await server.call('GET', path(invoice, '/payment-methods'))).json).toEqual([])
  })
})

describe('the bank misbehaves', () => {
  const fault = (name: string, times = 1) =>
    server.control('POST', '/control/faults', { target: 'bank', fault: name, times })

  test.each(['error500', 'error-after-success'])(
    '%s: nothing is paid, and another try works',
    async (name) => {
      const invoice = await buildInvoice(server.test, server.instanceId, server.clock)
      await fault(name)
      const failed = await start(invoice, {}, 'a')
      expect(failed.json as Problem).toMatchObject({ code: 'provider_unavailable' })
      expect((await start(invoice, {}, 'b')).status).toBe(201)
    },
  )

  test.each(['duplicate-callback', 'reorder-callbacks', 'drop-callback'])('%s: booked once', async (name) => {
    const invoice = await buildInvoice(server.test, server.instanceId, server.clock)
    await fault(name)
    await start(invoice)
    await server.control('POST', `/control/orders/${(await orderOf(invoice)).id}/approve`)
    await settle()
    await Promise.all([
      server.product.sweepAll(),
      refresh(invoice),
      refresh(invoice),
      server.product.sweepAll(),
    ])
    await expect.poll(async () => (await invoiceOf(invoice)).statuses.main, { timeout: 8000 }).toBe('CLOSED')
    await server.control('DELETE', '/control/faults')
  })

  test.each(['wrong-amount', 'wrong-currency'])('%s: not booked, and a person is asked', async (name) => {
    const invoice = await buildInvoice(server.test, server.instanceId, server.clock)
    await start(invoice)
    await fault(name)
    await server.control('POST', `/control/orders/${(await orderOf(invoice)).id}/approve`)
    await refresh(invoice)
    // What we knew last, which nothing may be started beside, and every call says the same.
    const [known] = (await server.call('GET', path(invoice, '/payment-requests'))).json as unknown[]
    expect(known).toMatchObject({
      status: 'IN_PROGRESS',
      stale: true,
      outcomeUnknown: true,
      externalLink: null,
    })
    const methods = await server.call('GET', path(invoice, '/payment-methods'))
    expect(methods.json).toContainEqual(
      expect.objectContaining({
        code: 'DIRECT_PAYMENT_BANK',
        enabled: false,
        reasonCode: 'payment_in_progress',
      }),
    )
    expect((await start(invoice)).json as Problem).toMatchObject({ code: 'payment_in_progress' })
    expect(await invoiceOf(invoice)).toMatchObject({
      statuses: { main: 'ACTIVATED' },
      balances: { total: 842 },
    })
    const tasks = await server.test.owner.query(`select kind from task where about like 'payment:%'`)
    expect(tasks.rows.length).toBeGreaterThan(0)
    await server.control('DELETE', '/control/faults')
  })
})

test('a payment that cannot be booked keeps nobody else waiting', async () => {
  const build = () => buildInvoice(server.test, server.instanceId, server.clock)
  const invoices = [await build(), await build(), await build()] as const
  await server.control('POST', '/control/faults', { target: 'bank', fault: 'drop-callback', times: 20 })
  for (const invoice of invoices) {
    await start(invoice)
    await server.control('POST', `/control/orders/${(await orderOf(invoice)).id}/approve`)
  }
  await settle()
  const move = (status: string) =>
    server.test.owner.query('update invoice set status = $2 where id = $1', [invoices[1].id, status])
  await move('ARCHIVED')
  await server.product.sweepAll()
  const paid = [await invoiceOf(invoices[0]), await invoiceOf(invoices[2])]
  expect(paid.map((i) => i.statuses.main)).toEqual(['CLOSED', 'CLOSED'])
  await move('ACTIVATED')
  await server.product.sweepAll()
  expect((await invoiceOf(invoices[1])).statuses.main).toBe('CLOSED')
  await server.control('DELETE', '/control/faults')
})
