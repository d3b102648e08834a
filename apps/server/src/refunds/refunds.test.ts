/** Money that goes back by Swish: once, never more than is owed, whatever is lost on the way. */
import { beforeAll, describe, expect, test } from 'vitest'
import { denyTaxReduction, reversePayment, upholdDispute } from '../collection/collection.ts'
import type { Gateway, GatewayRefunds } from '../payments/payments.ts'
import { newId } from '../platform/identity.ts'
import { buildInvoice, TODAY, type BuiltInvoice } from '../testing/build.ts'
import { openTask } from '../tasks/tasks.ts'
import { startTestServer, type TestServer } from '../testing/start-test-server.ts'
import { moveRefundRow } from './refunds.queries.ts'
import { followRefund, orderRefund, sweepRefunds, type RefundRow, type RefundWish } from './refunds.ts'

type GatewayWithRefunds = Gateway & { readonly refunds: GatewayRefunds }
type RefundOrder = Parameters<GatewayRefunds['create']>[0]

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ isDemo: true })
})

const call = (invoice: BuiltInvoice, part: string, body: object) =>
  server.call('POST', `/api/public/invoices/${invoice.reference}/${invoice.zip}${part}`, { body })
const build = () => buildInvoice(server.test, server.instanceId, server.clock)

async function uphold(invoice: BuiltInvoice, creditMinor: number): Promise<void> {
  const opened = await call(invoice, '/dispute', { debtorEmail: 'alva@example.com', reason: 'Fel antal.' })
  expect(opened.status, opened.text).toBe(201)
  const upheld = { on: TODAY, decision: 'Ni hade rätt.', creditMinor }
  const key = { instanceId: server.instanceId, invoiceId: invoice.id }
  expect(await upholdDispute(server.product.context, key, upheld)).toBe(true)
}

/** Pays 842.00 by Swish; `meanwhile` happens before the payer approves. */
async function pay(invoice: BuiltInvoice, meanwhile = async () => {}): Promise<string> {
  const body = { amount: '842.00', serviceProviderCode: 'SWISH', redirectUri: `${server.origin}/` }
  const started = await call(invoice, '/payment-requests', body)
  expect(started.status, started.text).toBe(201)
  await meanwhile()
  const orders: { id: string; reference: string }[] = await server.control('GET', '/control/orders')
  const order = orders.find(({ reference }) => reference === invoice.reference)
  await server.control('POST', `/control/orders/${order?.id}/approve`)
  await server.product.sweepAll()
  const { id } = started.json as { id: string }
  // The gateway's own call may be about to tell of it, so that the sweep left it alone.
  const read = () => server.test.owner.query('select status from payment where id = $1', [id])
  await expect.poll(async () => (await read()).rows, { timeout: 10_000 }).toEqual([{ status: 'COMPLETED' }])
  return id
}

/** A payment that brought 100.00 too much. */
async function payTooMuch(): Promise<{ invoice: BuiltInvoice; paymentId: string }> {
  const invoice = await build()
  return { invoice, paymentId: await pay(invoice, () => uphold(invoice, 10_000)) }
}

const order = (paymentId: string, wish: Partial<RefundWish> = {}): Promise<RefundRow> =>
  orderRefund(server.product.context, {
    instanceId: server.instanceId,
    by: 'person:anna',
    paymentId,
    amount: undefined,
    isWhole: false,
    isAgain: false,
    ...wish,
  })
const follow = (refund: RefundRow) => followRefund(server.product.context, refund)
const sweep = () => sweepRefunds(server.product.context, { all: true })
const fault = (name: string, times = 1) =>
  server.control('POST', '/control/faults', { target: 'mobile', fault: name, times })

async function statusOf({ id }: RefundRow): Promise<string> {
  const { rows } = await server.test.owner.query('select status from refund where id = $1', [id])
  return (rows[0] as { status: string }).status
}
/** Sends it, and waits until the gateway's call has told how it ended. */
async function send(refund: RefundRow, ended = 'PAID'): Promise<RefundRow> {
  await follow(refund)
  await expect.poll(() => statusOf(refund), { timeout: 10_000 }).toBe(ended)
  return refund
}

const instructionOf = ({ id }: RefundRow): string => id.replaceAll('-', '').toUpperCase()
async function sentBySwish(): Promise<string[]> {
  const all: { id: string; status: string }[] = await server.control('GET', '/control/refunds')
  return all.filter(({ status }) => status !== 'ERROR').map(({ id }) => id)
}

/** What the postings of one payment and its refunds leave on each kind of account, zeros left out. */
async function booksOf(paymentId: string): Promise<Record<string, number>> {
  const { rows } = await server.test.owner.query(
    `select a.kind, sum(p.amount_minor)::int as minor from ledger_transaction t
     join posting p on p.transaction_id = t.id join ledger_account a on a.id = p.account_id
     where t.payment_id = $1 and a.kind in ('clearing', 'credit') group by 1 having sum(p.amount_minor) <> 0`,
    [paymentId],
  )
  return Object.fromEntries(
    (rows as { kind: string; minor: number }[]).map(({ kind, minor }) => [kind, minor]),
  )
}

async function openTasks(paymentId: string): Promise<string[]> {
  const { rows } = await server.test.owner.query(
    // The sandbox pays on the machine's own day, which is not the test's.
    `select k.kind, k.about from task k where k.done_at is null and k.kind <> 'bank_day_doubtful' and (k.about like '%payment:' || $1
       or k.about in (select 'refund:' || id from refund where payment_id::text = $1)) order by k.kind`,
    [paymentId],
  )
  return (rows as { kind: string; about: string }[]).map(({ kind, about }) =>
    `${kind} ${about}`.replace(/:[0-9a-f-]{36}/, ''),
  )
}

describe('what was paid too much', () => {
  test('goes back once, and nobody has to send it any more', async () => {
    const { paymentId } = await payTooMuch()
    expect(await booksOf(paymentId)).toEqual({ clearing: 84_200, credit: -10_000 })
    expect(await openTasks(paymentId)).toEqual(['refund payment'])
    const refund = await send(await order(paymentId))
    expect(refund.amount_minor).toBe(10_000)
    expect(await booksOf(paymentId)).toEqual({ clearing: 74_200 })
    expect(await openTasks(paymentId)).toEqual([])
    for (const wish of [{}, { amount: '100.00' }]) expect((await order(paymentId, wish)).id).toBe(refund.id)
    expect(await follow(refund)).toMatchObject({ status: 'PAID' })
    const stale = { ...refund, status: 'SENT' } as const
    const moving = server.test.db.transaction((tx) => moveRefundRow(tx, stale, { status: 'FAILED' }))
    await expect(moving, 'it has moved meanwhile').rejects.toThrow('moved under its own lock')
    expect((await sentBySwish()).filter((id) => id === instructionOf(refund))).toHaveLength(1)
    expect(await server.control('GET', '/control/ledger')).toMatchObject({
      isRight: true,
      executed: 2,
      booked: 2,
      differences: [{ currency: 'SEK', amount: '0.00' }],
    })
  })

  test('goes back in parts, and the same part only when that is meant', async () => {
    const { paymentId } = await payTooMuch()
    const first = await send(await order(paymentId, { amount: '40.00' }))
    expect((await order(paymentId, { amount: '40.00' })).id).toBe(first.id)
    const second = await send(await order(paymentId, { amount: '40.00', isAgain: true }))
    expect(second.id).not.toBe(first.id)
    await expect(order(paymentId, { amount: '30.00' })).rejects.toThrow('Only 20.00 SEK is owed back')
    expect(await openTasks(paymentId)).toEqual(['refund payment'])
    expect((await send(await order(paymentId))).amount_minor).toBe(2_000)
    expect(await openTasks(paymentId)).toEqual([])
    await expect(order(paymentId, { amount: '0.01' })).rejects.toThrow('Nothing is owed back')
    expect(await booksOf(paymentId)).toEqual({ clearing: 74_200 })
  })

  test('asked for by many at once is one refund, and booked once', async () => {
    const { paymentId } = await payTooMuch()
    const ordered = await Promise.all(Array.from({ length: 6 }, () => order(paymentId)))
    expect(new Set(ordered.map(({ id }) => id)).size).toBe(1)
    await Promise.all(ordered.map(follow))
    await expect.poll(() => booksOf(paymentId), { timeout: 10_000 }).toEqual({ clearing: 74_200 })
    await Promise.all(ordered.map(follow))
    const sent = await sentBySwish()
    expect(sent.filter((id) => id === instructionOf(ordered[0] as RefundRow))).toHaveLength(1)
  })

  test('keeps the payment from being taken back', async () => {
    const { paymentId } = await payTooMuch()
    const refund = await order(paymentId, { amount: '40.00' })
    const payment = { instanceId: server.instanceId, paymentId }
    await expect(reversePayment(server.product.context, payment, TODAY)).rejects.toThrow('has been sent back')
    await expect(order(paymentId, { isWhole: true })).rejects.toThrow(
      '40.00 SEK of this payment is on its way',
    )
    await send(refund)
    await expect(order(paymentId, { isWhole: true })).rejects.toThrow('has been sent back')
  })
})

test('what a decision takes off after the payment goes back the way that it came', async () => {
  const invoice = await build()
  const key = { instanceId: server.instanceId, invoiceId: invoice.id }
  const denial = { on: TODAY, decision: 'D-1', amountMinor: 50_000 }
  const paymentId = await pay(invoice, async () => {
    await denyTaxReduction(server.product.context, key, denial)
  })
  const other = await payTooMuch()
  await uphold(invoice, 84_200)
  const refund = await send(await order(paymentId))
  expect(refund).toMatchObject({ amount_minor: 34_200, about: expect.stringMatching(/^dispute:/) })
  expect(await booksOf(paymentId)).toMatchObject({ clearing: 84_200 - 34_200 })
  const { rows } = await server.test.owner.query(
    `select done_at is not null as is_done from task where kind = 'refund' and about = $1`,
    [refund.about],
  )
  expect(rows).toEqual([{ is_done: true }])
  expect(await openTasks(other.paymentId)).toEqual(['refund payment'])
})

describe('the whole payment', () => {
  const statusOfInvoice = async (invoice: BuiltInvoice) => {
    const { json } = await server.call('GET', `/api/public/invoices/${invoice.reference}/${invoice.zip}`)
    const { statuses, balances } = json as { statuses: { main: string }; balances: { total: number } }
    return [statuses.main, balances.total]
  }

  /** What the debtor is told of each payment, newest first. */
  const receivedOf = async ({ reference, zip }: BuiltInvoice) => {
    const { json } = await server.call('GET', `/api/public/invoices/${reference}/${zip}/payment-requests`)
    return (json as { status: string; receivedAmount: number }[]).map((p) => [p.status, p.receivedAmount])
  }

  const toldOf = async ({ id }: BuiltInvoice): Promise<string[]> => {
    const { rows } = await server.test.owner.query<{ text: string }>(
      `select text_body as text from mail_outbox where kind = 'payment_sent_back' and invoice_id = $1`,
      [id],
    )
    return rows.map(({ text }) => text)
  }

  test('is taken back first: what it paid is owed again, and its money is owed to the payer until it is sent', async () => {
    const invoice = await build()
    const paymentId = await pay(invoice)
    await expect(order(paymentId)).rejects.toThrow('Nothing is owed back')
    const refund = await order(paymentId, { isWhole: true })
    expect(await statusOfInvoice(invoice)).toEqual(['ACTIVATED', 842])
    expect(await booksOf(paymentId)).toEqual({ clearing: 84_200, credit: -84_200 })
    expect(await openTasks(paymentId)).toEqual(['refund reversal:payment'])
    expect(await receivedOf(invoice)).toEqual([['COMPLETED', 0]])
    expect(await toldOf(invoice)).toEqual([
      expect.stringMatching(/842,00.SEK som hade betalats[^]*skickas tillbaka[^]*betala är 842,00.SEK/),
    ])
    await send(refund)
    expect(await booksOf(paymentId)).toEqual({})
    expect(await openTasks(paymentId)).toEqual([])
    expect((await order(paymentId, { isWhole: true })).id).toBe(refund.id)
    expect((await order(paymentId)).id).toBe(refund.id)
    expect(await toldOf(invoice)).toHaveLength(1)
    await pay(invoice)
    expect(await statusOfInvoice(invoice)).toEqual(['CLOSED', 0])
    expect(await receivedOf(invoice)).toEqual([
      ['COMPLETED', 842],
      ['COMPLETED', 0],
    ])
  })

  test('goes back with what it brought too much, also when it takes two tries', async () => {
    const { paymentId, invoice } = await payTooMuch()
    await fault('expire')
    const failed = await send(await order(paymentId, { isWhole: true }), 'FAILED')
    expect(await booksOf(paymentId)).toEqual({ clearing: 84_200, credit: -84_200 })
    expect(await openTasks(paymentId)).toEqual(['refund reversal:payment', 'refund_failed refund'])
    const again = await send(await order(paymentId, { isWhole: true }))
    expect([again.amount_minor, again.id === failed.id]).toEqual([84_200, false])
    expect(await booksOf(paymentId)).toEqual({})
    expect(await openTasks(paymentId)).toEqual([])
    expect(await statusOfInvoice(invoice)).toEqual(['ACTIVATED', 742])
  })
})

describe('nothing is written down', () => {
  test('for what was not paid, not by Swish, or is more than was paid', async () => {
    await expect(order(newId(Date.now()))).rejects.toThrow('has no payment')
    const invoice = await build()
    const body = { paymentDate: TODAY, amount: '842.00', redirectUri: `${server.origin}/` }
    const { id } = (await call(invoice, '/payment-requests', body)).json as { id: string }
    await expect(order(id)).rejects.toThrow('has not been paid: it is IN_PROGRESS')
    const orders: { id: string; reference: string }[] = await server.control('GET', '/control/orders')
    const atBank = orders.find(({ reference }) => reference === invoice.reference)
    await server.control('POST', `/control/orders/${atBank?.id}/approve`)
    await server.control('POST', '/control/settle', {})
    await server.product.sweepAll()
    await expect(order(id)).rejects.toThrow('came by DIRECT_BANK, which cannot send money back')
    const { paymentId } = await payTooMuch()
    await expect(order(paymentId, { amount: '842.01' })).rejects.toThrow('Only 842.00 SEK was paid')
    await expect(order(paymentId, { amount: '100.01' })).rejects.toThrow('Only 100.00 SEK is owed back')
    for (const amount of ['0', '-1.00', '1.001', 'ten'])
      await expect(order(paymentId, { amount })).rejects.toThrow('is not an amount')
    expect(await booksOf(paymentId)).toEqual({ clearing: 84_200, credit: -10_000 })
  })
})

describe('whatever is lost on the way', () => {
  test.each(['error500', 'error-after-success'])('%s: it goes back once', async (name) => {
    const { paymentId } = await payTooMuch()
    const refund = await order(paymentId)
    await fault(name)
    expect(await follow(refund)).toMatchObject({ status: 'CREATED' })
    await expect.poll(async () => (await sweep(), statusOf(refund)), { timeout: 10_000 }).toBe('PAID')
    expect((await sentBySwish()).filter((id) => id === instructionOf(refund))).toHaveLength(1)
    expect(await booksOf(paymentId)).toEqual({ clearing: 74_200 })
  })

  test('written down by a program that then died: the sweep sends it', async () => {
    const { paymentId } = await payTooMuch()
    const refund = await order(paymentId)
    await server.test.owner.query(`update refund set created_at = now() - interval '61 minutes'`)
    await fault('error500')
    await sweep()
    expect(await openTasks(paymentId)).toEqual(['refund payment', 'refund_late refund'])
    await fault('drop-callback')
    await expect.poll(async () => (await sweep(), statusOf(refund)), { timeout: 10_000 }).toBe('PAID')
    expect(await booksOf(paymentId)).toEqual({ clearing: 74_200 })
    expect(await openTasks(paymentId)).toEqual([])
  })

  test('Swish says no: it is still owed, and can be sent anew', async () => {
    const { paymentId } = await payTooMuch()
    const gateway = server.product.context.gateways.find(({ code }) => code === 'SWISH')
    const elsewhere = {
      instanceId: server.instanceId,
      refundId: newId(Date.now()),
      gatewayPaymentId: instructionOf({ id: paymentId } as RefundRow),
      payeeAccount: '1234679304',
      amountMinor: 80_000,
      currency: 'SEK' as const,
      callbackUrl: `${server.origin}/api/callbacks/refund/nobody`,
      paymentReference: '1',
    }
    await gateway?.refunds?.create(elsewhere)
    const refused = await follow(await order(paymentId))
    expect(refused).toMatchObject({ status: 'FAILED', failure: expect.stringContaining('RF08') })
    expect(await openTasks(paymentId)).toEqual(['refund payment', 'refund_failed refund'])
    expect(await booksOf(paymentId)).toEqual({ clearing: 84_200, credit: -10_000 })
    await send(await order(paymentId, { amount: '42.00' }))
    expect(await openTasks(paymentId)).toEqual(['refund payment'])
    expect(await booksOf(paymentId)).toEqual({ clearing: 80_000, credit: -5_800 })
  })

  test('while one program gives it to Swish, no other does: a no is a no', async () => {
    const { paymentId } = await payTooMuch()
    const refund = await order(paymentId)
    const { context } = server.product
    const swish = context.gateways.find(({ code }) => code === 'SWISH') as GatewayWithRefunds
    let letGo = (): void => {}
    const held = new Promise<void>((resolve) => (letGo = resolve))
    let given = 0
    const create = async (wish: RefundOrder): Promise<void> => {
      given += 1
      await held
      await swish.refunds.create(wish)
    }
    const slow = { ...context, gateways: [{ ...swish, refunds: { ...swish.refunds, create } }] }
    const first = followRefund(slow, refund)
    await expect.poll(() => given).toBe(1)
    expect(await follow(refund)).toMatchObject({ status: 'CREATED' })
    expect(await followRefund(slow, refund)).toMatchObject({ status: 'CREATED' })
    expect([given, (await sentBySwish()).includes(instructionOf(refund))]).toEqual([1, false])
    letGo()
    await first
    await expect.poll(() => statusOf(refund), { timeout: 10_000 }).toBe('PAID')
    expect(await booksOf(paymentId)).toEqual({ clearing: 74_200 })
  })

  test('Swish says another sum: nothing is booked, and a person is asked', async () => {
    const { paymentId } = await payTooMuch()
    const refund = await order(paymentId)
    await fault('wrong-amount')
    await follow(refund)
    await expect
      .poll(() => openTasks(paymentId), { timeout: 10_000 })
      .toEqual(['refund payment', 'refund_contradiction refund'])
    expect(await statusOf(refund)).toBe('SENT')
    expect(await booksOf(paymentId)).toEqual({ clearing: 84_200, credit: -10_000 })
  })

  test('a call with an unknown address is nobody', async () => {
    const answer = await server.call('POST', `/api/callbacks/refund/${'x'.repeat(27)}`, { body: {} })
    expect(answer.status).toBe(404)
  })
})

test('what was asked about a refund ends when it has ended', async () => {
  const { paymentId } = await payTooMuch()
  const { id } = await send(await order(paymentId))
  const kinds = ['refund_late', 'refund_contradiction', 'refund_failed'] as const
  const ask = kinds.map((kind) => ({
    instanceId: server.instanceId,
    kind,
    about: `refund:${id}`,
    details: {},
  }))
  for (const task of ask) await openTask(server.test.db, task)
  expect(await openTasks(paymentId)).toHaveLength(3)
  await server.product.sweepAll()
  expect(await openTasks(paymentId)).toEqual([])
})
