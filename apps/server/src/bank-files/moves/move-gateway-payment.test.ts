/** Money that came through the portal and was meant for another debt: taken off the one, and pays the other. */
import { beforeAll, expect, test } from 'vitest'
import { addDays } from '@kvitt/domain/calendar.ts'
import { reversePayment, performDailyRun } from '../../collection/collection.ts'
import { NIGHTS_TO_CLAIM } from '../../testing/build-claim.ts'
import { buildInvoice, TODAY, type BuiltInvoice, type InvoiceWishes } from '../../testing/build.ts'
import { startTestServer, type TestServer } from '../../testing/start-test-server.ts'
import { followRefund, orderRefund } from '../../refunds/refunds.ts'
import { moveGatewayPayment } from '../bank-files.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ isDemo: true })
})

const build = (wishes: InvoiceWishes = {}) =>
  buildInvoice(server.test, server.instanceId, server.clock, wishes)

async function pay(invoice: BuiltInvoice): Promise<string> {
  const body = { amount: '842.00', serviceProviderCode: 'SWISH', redirectUri: `${server.origin}/` }
  const path = `/api/public/invoices/${invoice.reference}/${invoice.zip}/payment-requests?invoiceNumber=${invoice.number}`
  const started = await server.call('POST', path, { body })
  expect(started.status, started.text).toBe(201)
  const orders: { id: string; reference: string }[] = await server.control('GET', '/control/orders')
  const order = orders.findLast(({ reference }) => reference === invoice.reference)
  await server.control('POST', `/control/orders/${order?.id}/approve`)
  await server.product.sweepAll()
  const { id } = started.json as { id: string }
  const read = () => server.test.owner.query('select status from payment where id = $1', [id])
  await expect.poll(async () => (await read()).rows, { timeout: 10_000 }).toEqual([{ status: 'COMPLETED' }])
  return id
}

const move = (paymentId: string, to: string, kind: 'invoice' | 'claim' = 'invoice') =>
  moveGatewayPayment(server.product.context, {
    instanceId: server.instanceId,
    paymentId,
    to: { kind, name: to },
    by: 'person:kim',
    reason: 'the payer meant the other one',
  })

async function stateOf({ id }: BuiltInvoice) {
  const { rows } = await server.test.owner.query(
    'select status, balance_minor::int as owed from invoice where id = $1',
    [id],
  )
  return rows[0] as { status: string; owed: number }
}
/** What gateways have settled, what is held for creditors, and owed back. */
async function standing() {
  const { rows } = await server.test.owner.query(
    `select kind, sum(balance_minor)::int as minor from ledger_account
     where kind in ('clearing', 'held_for_creditor', 'credit') group by kind order by kind`,
  )
  return rows
}
async function violated(): Promise<string[]> {
  const { rows: views } = await server.test.owner.query<{ name: string }>(
    `select viewname as name from pg_views where viewname like 'inv\\_%'`,
  )
  const wrong = []
  for (const { name } of views)
    if ((await server.test.owner.query(`select from ${name}`)).rows.length > 0) wrong.push(name)
  return wrong
}

const OWED = { status: 'ACTIVATED', owed: 84_200 }
const PAID = { status: 'CLOSED', owed: 0 }

test('it pays the other debt, and the first is owed again; there and back, and twice at once', async () => {
  const wrong = await build()
  const right = await build({ beside: wrong })
  const paymentId = await pay(wrong)
  const before = await standing()
  await Promise.all([move(paymentId, right.id), move(paymentId, right.id)])
  expect([await stateOf(wrong), await stateOf(right)]).toEqual([OWED, PAID])
  await move(paymentId, wrong.id)
  expect([await stateOf(wrong), await stateOf(right)]).toEqual([PAID, OWED])
  await move(paymentId, right.id)
  expect([await stateOf(wrong), await stateOf(right)]).toEqual([OWED, PAID])
  expect([await standing(), await violated()]).toEqual([before, []])
  const { rows } = await server.test.owner.query(
    `select actor from audit_event where kind = 'payment_moved' and about like $1`,
    [`payment:${paymentId}:%`],
  )
  expect(rows).toEqual([1, 2, 3].map(() => ({ actor: 'person:kim' })))
})

test('what is too much for the other is owed back, and goes back the way that it came', async () => {
  const wrong = await build()
  const right = await build({ beside: wrong, totalMinor: 50_000 })
  const paymentId = await pay(wrong)
  const on = { kind: 'invoice', number: right.number, owedBackMinor: 34_200 }
  expect(await move(paymentId, right.id)).toMatchObject({ on })
  expect(await move(paymentId, right.id)).toMatchObject({ on })
  expect([await stateOf(wrong), await stateOf(right)]).toEqual([OWED, PAID])
  const { rows } = await server.test.owner.query(
    `select details ->> 'amountMinor' as minor from task where kind = 'refund' and about = $1`,
    [`payment:${paymentId}:2`],
  )
  expect([rows, await violated()]).toEqual([[{ minor: '34200' }], []])
})

test('what is too much for another debtor is taken from what that one is owed when it goes back', async () => {
  const wrong = await build()
  const right = await build({ ofCreditorOf: wrong, totalMinor: 50_000 })
  expect(right.debtorId).not.toBe(wrong.debtorId)
  const paymentId = await pay(wrong)
  await move(paymentId, right.id)
  const credits = async () =>
    (
      await server.test.owner.query(
        `select debtor_id as debtor, balance_minor::int as minor from ledger_account
         where kind = 'credit' and debtor_id = any ($1) and balance_minor <> 0`,
        [[wrong.debtorId, right.debtorId]],
      )
    ).rows
  expect(await credits()).toEqual([{ debtor: right.debtorId, minor: -34_200 }])
  const wish = { instanceId: server.instanceId, by: 'person:kim', paymentId, amount: undefined }
  const refund = await orderRefund(server.product.context, { ...wish, isWhole: false, isAgain: false })
  await followRefund(server.product.context, refund)
  await expect.poll(credits, { timeout: 10_000 }).toEqual([])
  expect(await violated()).toEqual([])
})

test('where it cannot be, nothing has changed', async () => {
  const wrong = await build()
  const right = await build({ beside: wrong })
  const strangers = await build()
  const paymentId = await pay(wrong)
  const paid = await pay(await build())
  await expect(move(paymentId, strangers.id)).rejects.toThrow(/whom the payer did not pay/)
  await expect(move(paymentId, 'NOBODY')).rejects.toThrow(/no invoice NOBODY/)
  await expect(move(right.id, right.id)).rejects.toThrow(/no payment/)
  expect([await stateOf(wrong), await stateOf(right)]).toEqual([PAID, OWED])
  await reversePayment(server.product.context, { instanceId: server.instanceId, paymentId: paid }, TODAY)
  await expect(move(paid, right.id)).rejects.toThrow(/taken back before/)
  expect(await violated()).toEqual([])
})

test('the debtor of the debt that it leaves is told once, in their language, and sees it there', async () => {
  const wrong = await build()
  const right = await build({ beside: wrong })
  const paymentId = await pay(wrong)
  await Promise.all([move(paymentId, right.id), move(paymentId, right.id)])
  const { rows } = await server.test.owner.query(
    `select language, subject, text_body as text from mail_outbox where kind = 'payment_moved' and invoice_id = $1`,
    [wrong.id],
  )
  expect(rows).toEqual([
    { language: 'sv', subject: 'En betalning har flyttats', text: expect.stringContaining(wrong.number) },
  ])
  expect(rows[0].text).toMatch(/842,00.SEK som räknades[^]*kostar dig ingenting/)
  expect(rows[0].text).not.toContain(right.number)
  expect(await toldOf(wrong)).toEqual([['COMPLETED', 0, true], ['MOVED']])
  await move(paymentId, wrong.id)
  expect(await toldOf(wrong)).toEqual([['COMPLETED', 842, true], ['MOVED']])
  expect(await toldOf(right)).toEqual([[], ['MOVED']])
})

test('moved back onto the claim that its invoice has joined meanwhile, it has paid there, and says so', async () => {
  const dueDate = addDays(TODAY, 5)
  const wrong = await build({ dueDate })
  const right = await build({ beside: wrong, dueDate })
  const paymentId = await pay(wrong)
  await move(paymentId, right.id)
  for (const after of NIGHTS_TO_CLAIM) {
    server.clock.moveTo(addDays(dueDate, after))
    const instance = { id: server.instanceId, timeZone: 'Europe/Stockholm' }
    await performDailyRun(server.product.context, instance, addDays(dueDate, after))
    await server.product.sendMail()
  }
  const { rows } = await server.test.owner.query(
    `select c.claim_number as number, c.payment_reference as reference, c.zip from claim c
     join invoice i on i.claim_id = c.id where i.id = $1`,
    [wrong.id],
  )
  const { number, reference, zip } = rows[0] as { number: string; reference: string; zip: string }
  await move(paymentId, number, 'claim')
  const path = `/api/public/collection-batches/${reference}/${zip}/payment-requests`
  const payments = (await server.call('GET', path)).json
  expect(payments).toMatchObject([{ status: 'COMPLETED', receivedAmount: 842 }])
  expect(await violated()).toEqual([])
  server.clock.moveTo(TODAY)
})

/** What the portal says of the debt's payment, and of what was taken back. */
async function toldOf({ reference, zip, number }: BuiltInvoice) {
  const read = async (rest: string) =>
    (await server.call('GET', `/api/public/invoices/${reference}/${zip}/${rest}?invoiceNumber=${number}`))
      .json
  const payments = (await read('payment-requests')) as {
    status: string
    receivedAmount: number
    moved: boolean
  }[]
  const events = (await read('events')) as { type: string; subType: string | null }[]
  return [
    payments.flatMap(({ status, receivedAmount, moved }) => [status, receivedAmount, moved]),
    events.filter(({ type }) => type === 'REVERSAL').map(({ subType }) => subType),
  ]
}
