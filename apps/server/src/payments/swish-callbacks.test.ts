/** What Swish tells of a payment, or somebody in its name; and what it cannot tell, because we died. */
import { describe, expect, test } from 'vitest'
import { type BuiltInvoice } from '../testing/build.ts'
import {
  type Payment,
  build,
  start,
  made,
  ordersOf,
  act,
  statusOf,
  paymentsOf,
  expectClosed,
  fault,
  server,
  useSwish,
} from '../testing/debts/paid-by-swish.ts'

useSwish()

/** A thousand in the soak. */
const COPIES = process.env.SOAK === undefined ? 100 : 1_000

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

  test('cb.forged: a wrong address, no identifier, a wrong one, that of another payment', async () => {
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

  test('cb.forged: a lie at the right address is looked up, and changes nothing', async () => {
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

  test(`cb.replay: ${COPIES} copies, late ones, and one that speaks of another request: booked once`, async () => {
    const [invoice, other] = [await build(), await build()]
    await made(invoice)
    await made(other)
    const own = await secretsOf(invoice)
    await act(invoice, 'approve')
    const paid = { id: own.gateway_payment_id, status: 'PAID' }
    // Of a thousand at once some are told to come again, which a gateway does.
    for (let left = COPIES, round = 0; left > 0; round++) {
      const copies = await Promise.all(
        Array.from({ length: left }, () => call(own.callback_secret, own.callback_identifier, paid)),
      )
      expect(new Set([...copies.map((a) => a.status), 200, 503])).toEqual(new Set([200, 503]))
      left = copies.filter((a) => a.status === 503).length
      expect(round).toBeLessThan(10)
    }
    await expectClosed(invoice)
    const foreign = { id: (await secretsOf(other)).gateway_payment_id, status: 'CANCELLED' }
    await call(own.callback_secret, own.callback_identifier, foreign)
    await server.product.sweepAll()
    expect(await statusOf(invoice)).toBe('CLOSED')
    expect(await statusOf(other)).toBe('ACTIVATED')
    expect(await eventsOf(invoice)).toBe(2)
  })

  test('cb.early: before our own row says that the request was made', async () => {
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

  test('the same key is answered at once, with a payment that can be paid', async () => {
    const invoice = await build()
    await start(invoice, {}, 'died')
    await die(invoice)
    const began = Date.now()
    expect((await start(invoice, {}, 'died')).status).toBe(201)
    expect(Date.now() - began).toBeLessThan(2_000)
    await act(invoice, 'approve')
    await expectClosed(invoice)
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
