/** Whatever makes a debtor's credit, somebody is asked to send it back, once, and not when the money never came. */
import { beforeAll, expect, test } from 'vitest'
import { addDays } from '@kvitt/domain/calendar.ts'
import { buildInvoice, TODAY, type BuiltInvoice } from '../../testing/build.ts'
import { signAndSettle } from '../../testing/debts/settle.ts'
import { recordRefund } from '../../refunds/refunds.ts'
import { buildInstanceAccount } from '../../testing/build-claim.ts'
import { transfer } from '../../testing/debts/transfer.ts'
import { startTestServer, type TestServer } from '../../testing/start-test-server.ts'
import { denyTaxReduction, reversePayment, performDailyRun, upholdDispute } from '../collection.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})

const keyOf = ({ id }: BuiltInvoice) => ({ instanceId: server.instanceId, invoiceId: id })
const call = (invoice: BuiltInvoice, part: string, body: object) =>
  server.call('POST', `/api/public/invoices/${invoice.reference}/${invoice.zip}${part}`, { body })

/** Starts a payment of 842.00, and answers its identifier; `meanwhile` happens before the payer signs. */
async function pay(invoice: BuiltInvoice, meanwhile: () => Promise<unknown>): Promise<string> {
  const body = { paymentDate: TODAY, amount: '842.00', redirectUri: `${server.origin}/` }
  const started = await call(invoice, '/payment-requests', body)
  expect(started.status, started.text).toBe(201)
  await meanwhile()
  await signAndSettle(server, invoice.reference)
  return (started.json as { id: string }).id
}

async function uphold(invoice: BuiltInvoice, creditMinor: number): Promise<string> {
  const opened = await call(invoice, '/dispute', { debtorEmail: 'alva@example.com', reason: 'Fel antal.' })
  expect(opened.status, opened.text).toBe(201)
  const upheld = { on: TODAY, decision: 'Ni hade rätt.', creditMinor }
  expect(await upholdDispute(server.product.context, keyOf(invoice), upheld)).toBe(true)
  return (opened.json as { id: string }).id
}

async function refundsAbout(cause: string): Promise<unknown[]> {
  const { rows } = await server.test.owner.query(
    `select (details ->> 'amountMinor')::int as minor, done_at is not null as is_done
     from task where kind = 'refund' and about = $1`,
    [cause],
  )
  return rows
}

test('a credit of what was paid already', async () => {
  const invoice = await buildInvoice(server.test, server.instanceId, server.clock)
  const denial = { on: TODAY, decision: 'D-1', amountMinor: 50_000 }
  await pay(invoice, () => denyTaxReduction(server.product.context, keyOf(invoice), denial))
  const disputeId = await uphold(invoice, 84_200)
  expect(await refundsAbout(`dispute:${disputeId}`)).toEqual([{ minor: 34_200, is_done: false }])
})

test('a payment of too much, until it is taken back', async () => {
  const invoice = await buildInvoice(server.test, server.instanceId, server.clock)
  const paymentId = await pay(invoice, () => uphold(invoice, 10_000))
  const cause = `payment:${paymentId}`
  expect(await refundsAbout(cause)).toEqual([{ minor: 10_000, is_done: false }])
  const payment = { instanceId: server.instanceId, paymentId }
  expect(await reversePayment(server.product.context, payment, TODAY)).toBe(true)
  expect(await refundsAbout(cause)).toEqual([{ minor: 10_000, is_done: true }])
})

const owed = async ({ id }: BuiltInvoice) =>
  (
    await server.test.owner.query(
      `select status, balance_minor::int as balance, (select coalesce(sum(-a.balance_minor), 0)::int from ledger_account a
         where a.kind = 'credit' and a.debtor_id = i.debtor_id) as credit from invoice i where id = $1`,
      [id],
    )
  ).rows[0]

test('a credit that was only worth something while a payment stood settles what is owed again', async () => {
  const invoice = await buildInvoice(server.test, server.instanceId, server.clock)
  const denial = { on: TODAY, decision: 'D-2', amountMinor: 50_000 }
  const paymentId = await pay(invoice, () => denyTaxReduction(server.product.context, keyOf(invoice), denial))
  const about = `dispute:${await uphold(invoice, 84_200)}`
  expect(await refundsAbout(about)).toEqual([{ minor: 34_200, is_done: false }])
  expect(await owed(invoice)).toEqual({ status: 'CLOSED', balance: 0, credit: 34_200 })
  const payment = { instanceId: server.instanceId, paymentId }
  expect(await reversePayment(server.product.context, payment, TODAY)).toBe(true)
  // 842.00 and 500.00 less the 842.00 that were credited; nothing has been paid, so nothing is sent back.
  expect(await owed(invoice)).toEqual({ status: 'ACTIVATED', balance: 50_000, credit: 0 })
  expect(await refundsAbout(about)).toEqual([{ minor: 34_200, is_done: true }])
  expect(await reversePayment(server.product.context, payment, TODAY)).toBe(false)
  expect(await owed(invoice)).toEqual({ status: 'ACTIVATED', balance: 50_000, credit: 0 })
})

test('the fee of a letter that was never sent is not owed again, nor sent back, when its payment is taken back', async () => {
  server.clock.moveTo(addDays(TODAY, -60))
  const dueDate = addDays(TODAY, -7)
  const invoice = await buildInvoice(server.test, server.instanceId, server.clock, { dueDate })
  const instance = { id: server.instanceId, timeZone: 'Europe/Stockholm' }
  for (const after of [1, 2, 7]) {
    server.clock.moveTo(addDays(dueDate, after))
    await performDailyRun(server.product.context, instance, addDays(dueDate, after))
  }
  const charged = (await owed(invoice)).balance as number
  expect(charged).toBeGreaterThan(84_200 + 6_000 - 1)
  const body = { paymentDate: TODAY, amount: charged / 100, redirectUri: `${server.origin}/` }
  const started = await call(invoice, '/payment-requests', body)
  expect(started.status, started.text).toBe(201)
  await signAndSettle(server, invoice.reference)
  await server.product.sendMail()
  expect(await owed(invoice)).toEqual({ status: 'CLOSED', balance: 0, credit: charged - 84_200 })
  const payment = { instanceId: server.instanceId, paymentId: (started.json as { id: string }).id }
  expect(await reversePayment(server.product.context, payment, TODAY)).toBe(true)
  expect(await owed(invoice)).toEqual({ status: 'ACTIVATED', balance: 84_200, credit: 0 })
})

test('what another payment brought too much settles what is owed again, until that is taken back as well', async () => {
  server.clock.moveTo(TODAY)
  await buildInstanceAccount(server.test, server.instanceId)
  const invoice = await buildInvoice(server.test, server.instanceId, server.clock, { totalMinor: 100_000 })
  const paid = async (minor: number) => {
    await transfer(server, invoice, minor)
    const { rows } = await server.test.owner.query(
      `select id from bank_line where status = 'BOOKED' order by id desc limit 1`,
    )
    return { instanceId: server.instanceId, paymentId: rows[0].id as string }
  }
  const first = await paid(40_000)
  const second = await paid(60_000)
  const third = await paid(130_000)
  const cause = `payment:${third.paymentId}`
  expect(await refundsAbout(cause)).toEqual([{ minor: 130_000, is_done: false }])
  // 1 000.00 is owed, and 1 300.00 and 600.00 stand.
  expect(await reversePayment(server.product.context, first, TODAY)).toBe(true)
  expect(await owed(invoice)).toEqual({ status: 'CLOSED', balance: 0, credit: 90_000 })
  expect(await refundsAbout(cause)).toEqual([{ minor: 90_000, is_done: false }])
  expect(await reversePayment(server.product.context, second, TODAY)).toBe(true)
  expect(await owed(invoice)).toEqual({ status: 'CLOSED', balance: 0, credit: 30_000 })
  expect(await refundsAbout(cause)).toEqual([{ minor: 30_000, is_done: false }])
  expect(await reversePayment(server.product.context, third, TODAY)).toBe(true)
  expect(await owed(invoice)).toEqual({ status: 'ACTIVATED', balance: 100_000, credit: 0 })
  expect(await refundsAbout(cause)).toEqual([{ minor: 30_000, is_done: true }])
})

test('what was recorded as sent back settles nothing', async () => {
  const invoice = await buildInvoice(server.test, server.instanceId, server.clock)
  const first = await pay(invoice, async () => undefined)
  await transfer(server, invoice, 84_300)
  const { rows } = await server.test.owner.query(
    `select about from task where kind = 'refund' and done_at is null and about like 'payment:%' order by created_at desc limit 1`,
  )
  await recordRefund(server.product.context, {
    instanceId: server.instanceId,
    about: rows[0].about,
    by: 'person:Eva Berg',
    holder: 'INSTANCE',
    hasLeft: false,
  })
  const payment = { instanceId: server.instanceId, paymentId: first }
  expect(await reversePayment(server.product.context, payment, TODAY)).toBe(true)
  expect(await owed(invoice)).toEqual({ status: 'ACTIVATED', balance: 84_200, credit: 0 })
})
