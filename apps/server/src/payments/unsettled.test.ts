/** Signed, and the money never moves (M-16): given up when its gateway says that it will not, held until then. */
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { date } from '@kvitt/domain/calendar.ts'
import { buildInvoice, TODAY, type BuiltInvoice } from '../testing/build.ts'
import { seeded } from '../testing/schedule.ts'
import { startTestServer, type TestServer } from '../testing/start-test-server.ts'
import { sweepPayments } from './payments.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
beforeEach(() => server.control('DELETE', '/control/faults'))

/** TODAY is a Friday: three bank days later is the Wednesday after it. */
const STILL_IN_TIME = '2026-11-24'
const LATE = '2026-11-25'

type Order = { id: string; reference: string; status: string }
type Gateway = 'DIRECT_BANK' | 'SWISH'
const TARGET = { DIRECT_BANK: 'bank', SWISH: 'mobile' } as const

const build = () => {
  server.clock.moveTo(date(TODAY))
  return buildInvoice(server.test, server.instanceId, server.clock)
}
const pathOf = (invoice: BuiltInvoice, rest = '') =>
  `/api/public/invoices/${invoice.reference}/${invoice.zip}${rest}`
/** The gateway's calls come on that day as well. */
function sweep(today: string): Promise<void> {
  server.clock.moveTo(date(today))
  return sweepPayments(server.product.context, { all: true, today: date(today) })
}
const orderOf = async ({ reference }: BuiltInvoice): Promise<Order> => {
  const orders: Order[] = await server.control('GET', '/control/orders?all=true')
  return orders.find((order) => order.reference === reference) as Order
}

async function start(invoice: BuiltInvoice, gateway: Gateway, paymentDate: string = TODAY) {
  server.clock.moveTo(date(TODAY))
  const body = {
    paymentDate,
    amount: '842.00',
    serviceProviderCode: gateway,
    redirectUri: `${server.origin}/`,
  }
  return server.call('POST', pathOf(invoice, '/payment-requests'), { body })
}

async function one<Row>(sql: string, ...values: unknown[]): Promise<Row> {
  return (await server.test.owner.query(sql, values)).rows[0] as Row
}
const paymentOf = ({ id }: BuiltInvoice) =>
  one<{ id: string; status: string; failure: string | null }>(
    'select id, status, failure from payment where invoice_id = $1 order by created_at desc limit 1',
    id,
  )
const stateOf = async (invoice: BuiltInvoice) => {
  const { status, failure } = await paymentOf(invoice)
  const { held } = await one<{ held: string }>('select status as held from invoice where id = $1', invoice.id)
  return [status, failure, held]
}
async function tasksOf(invoice: BuiltInvoice): Promise<string[]> {
  const { id } = await paymentOf(invoice)
  const { rows } = await server.test.owner.query<{ told: string }>(
    `select regexp_replace(about, '^payment:[^:]+', '') || ' ' || (details ->> 'outcome') as told from task
     where kind = 'payment_unsettled' and about like 'payment:' || $1 || '%' and done_at is null order by 1`,
    [id],
  )
  return rows.map(({ told }) => told.trim())
}

/** A signed payment of 842,00 for today that its gateway never settles by itself. */
async function sign(gateway: Gateway): Promise<BuiltInvoice> {
  const invoice = await build()
  if (gateway === 'DIRECT_BANK')
    await server.control('POST', '/control/faults', { target: 'bank', fault: 'stuck', times: 1 })
  expect((await start(invoice, gateway)).status).toBe(201)
  if (gateway === 'DIRECT_BANK') {
    await server.control('POST', `/control/orders/${(await orderOf(invoice)).id}/approve`, {})
  } else {
    // Swish has no word for signed and not settled; what a gateway of that kind says once has to end here as well.
    await server.test.owner.query(`update payment set status = 'AUTHORIZED' where invoice_id = $1`, [
      invoice.id,
    ])
    await server.test.owner.query(
      `update invoice set status = 'PENDING_AUTHORIZATION', status_before_authorization = 'ACTIVATED' where id = $1`,
      [invoice.id],
    )
  }
  await sweep(TODAY)
  expect(await stateOf(invoice)).toEqual(['AUTHORIZED', null, 'PENDING_AUTHORIZATION'])
  return invoice
}

const fault = (gateway: Gateway, name: string, times: number) =>
  server.control('POST', '/control/faults', { target: TARGET[gateway], fault: name, times })

describe.each(['DIRECT_BANK', 'SWISH'] as const)('at %s', (gateway) => {
  test('three bank days after its day it is cancelled there, and the debt can be paid again', async () => {
    const invoice = await sign(gateway)
    await sweep(STILL_IN_TIME)
    expect(await stateOf(invoice)).toEqual(['AUTHORIZED', null, 'PENDING_AUTHORIZATION'])
    await sweep(LATE)
    expect(await stateOf(invoice)).toEqual(['FAILED', 'not_settled', 'ACTIVATED'])
    expect((await orderOf(invoice)).status).toBe('cancelled')
    expect(await tasksOf(invoice)).toEqual([':released cancelled'])
    await sweep(LATE)
    expect(await tasksOf(invoice)).toEqual([':released cancelled'])
    expect((await start(invoice, gateway)).status).toBe(201)
  })

  test.each(['error500', 'timeout'])(
    '%s: it stays held, and is cancelled when the gateway answers',
    { timeout: 60_000 },
    async (name) => {
      const invoice = await sign(gateway)
      await fault(gateway, name, 20)
      await sweep(LATE)
      expect(await stateOf(invoice)).toEqual(['AUTHORIZED', null, 'PENDING_AUTHORIZATION'])
      expect(await tasksOf(invoice)).toEqual(['no_answer'])
      await server.control('DELETE', '/control/faults')
      // The circuit breaker of the gateway closes again by itself.
      await vi.waitFor(
        async () => {
          await sweep(LATE)
          expect(await stateOf(invoice)).toEqual(['FAILED', 'not_settled', 'ACTIVATED'])
        },
        { timeout: 45_000, interval: 1_000 },
      )
      expect(await tasksOf(invoice)).toEqual([':released cancelled'])
    },
  )

  test('an order that the gateway does not know is released', async () => {
    const invoice = await sign(gateway)
    const unknown = gateway === 'SWISH' ? 'A'.repeat(32) : '0198e1c0-5a1b-7c3d-8e4f-0123456789ab'
    await server.test.owner.query('update payment set gateway_payment_id = $2 where invoice_id = $1', [
      invoice.id,
      unknown,
    ])
    await sweep(STILL_IN_TIME)
    expect(await stateOf(invoice)).toEqual(['AUTHORIZED', null, 'PENDING_AUTHORIZATION'])
    await sweep(LATE)
    expect(await stateOf(invoice)).toEqual(['FAILED', 'not_settled', 'ACTIVATED'])
    expect(await tasksOf(invoice)).toEqual([':released unknown_order'])
  })

  test('cancelled at the gateway by a sweep that died before it wrote that down: a person is asked all the same', async () => {
    const invoice = await sign(gateway)
    const payment = await one<{ instanceId: string; gatewayPaymentId: string; payeeAccount: string }>(
      `select instance_id as "instanceId", gateway_payment_id as "gatewayPaymentId", payee_account as "payeeAccount" from payment where invoice_id = $1`,
      invoice.id,
    )
    const { gateways } = server.product.context
    server.clock.moveTo(date(LATE))
    expect(await gateways.find(({ code }) => code === gateway)?.cancelPayment(payment)).toBe('cancelled')
    await sweep(LATE)
    expect((await stateOf(invoice))[2]).toBe('ACTIVATED')
    expect(await tasksOf(invoice)).toEqual([':released cancelled'])
  })

  test('a settlement at the same time: paid and closed, or cancelled and free', {
    timeout: 60_000,
  }, async () => {
    const random = seeded(10)
    for (let round = 0; round < 6; round++) {
      const invoice = await sign(gateway)
      const { id } = await orderOf(invoice)
      const settle = async () => {
        await new Promise((resolve) => setTimeout(resolve, random() * 60))
        if (gateway === 'DIRECT_BANK') await server.control('POST', '/control/settle', { date: TODAY })
        else await server.control('POST', `/control/orders/${id}/approve`, {}).catch(() => {})
      }
      await Promise.all([settle(), sweep(LATE), sweep(LATE)])
      await vi.waitFor(
        async () => {
          await sweep(LATE)
          const [status, , held] = await stateOf(invoice)
          expect([status, held]).toEqual(
            (await orderOf(invoice)).status === 'cancelled'
              ? ['FAILED', 'ACTIVATED']
              : ['COMPLETED', 'CLOSED'],
          )
        },
        { timeout: 15_000, interval: 200 },
      )
      const isReleased = (await stateOf(invoice))[0] === 'FAILED'
      expect(await tasksOf(invoice)).toEqual(isReleased ? [':released cancelled'] : [])
    }
  })
})

test('a payment for the due date counts from that day; what the bank goes on calling accepted is held, and a person asks', async () => {
  const invoice = await build()
  expect((await start(invoice, 'DIRECT_BANK', '2026-12-04')).status).toBe(201)
  await server.control('POST', `/control/orders/${(await orderOf(invoice)).id}/approve`, {})
  for (const day of ['2026-12-03', '2026-12-08']) {
    await sweep(day)
    expect([(await paymentOf(invoice)).status, await tasksOf(invoice)]).toEqual(['AUTHORIZED', []])
  }
  // The fourth of December is a Friday.
  for (const day of ['2026-12-09', '2027-03-01']) {
    await sweep(day)
    expect([(await paymentOf(invoice)).status, await tasksOf(invoice)]).toEqual(['AUTHORIZED', ['accepted']])
    expect((await orderOf(invoice)).status).not.toBe('cancelled')
  }
  await server.control('POST', '/control/settle', { date: '2027-02-28' })
  // The bank's call may be writing it down this moment, which a sweep leaves to it.
  await vi.waitFor(
    async () => {
      await sweep('2027-03-01')
      expect([(await paymentOf(invoice)).status, await tasksOf(invoice)]).toEqual(['COMPLETED', []])
    },
    { timeout: 15_000, interval: 200 },
  )
})
