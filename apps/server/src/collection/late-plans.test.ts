/** What a debt bore between the last posting and the start of its plan is billed as of any late payment (D-28), once. */
import { beforeAll, describe, expect, test } from 'vitest'
import { addDays, daysBetween, type CalendarDate } from '@kvitt/domain/calendar.ts'
import type { FinancialEventAnswer } from '@kvitt/domain/invoices/invoice.contract.ts'
import type { PlanAnswer } from '@kvitt/domain/part-payments/part-payment.contract.ts'
import { buildPlanSettings, type BuiltInvoice } from '../testing/build.ts'
import {
  applyFor,
  bill,
  bills,
  build,
  context,
  daysOf,
  DUE,
  HANDED_OVER,
  handOver,
  night,
  nights,
  owed,
  pay,
  posted,
  server,
  sql,
  useOverdue,
} from '../testing/debts/paid-late.ts'
import { rejectDispute, upholdDispute } from './collection.ts'
import { creditInvoice, lockInvoiceAndClaim } from '../claims/claims.ts'
import { endAnyPlanForCredit, lockRunningPlan } from '../part-payments/part-payments.ts'

useOverdue()
beforeAll(async () => {
  await buildPlanSettings(server.test, server.instanceId)
})

const TOTAL = 9_000_000
/** Of 90 000,00 at 10 % for so many days. */
const bornIn = (days: number, minor = TOTAL): number => Math.round((minor * days) / 3650)

type Door = Pick<BuiltInvoice, 'reference' | 'zip'>
const call = (method: string, { reference, zip }: Door, path: string, body?: unknown) =>
  server.call(method, `/api/public/invoices/${reference}/${zip}${path}`, { body })

async function start(invoice: BuiltInvoice, on: CalendarDate): Promise<PlanAnswer> {
  server.clock.moveTo(on)
  const { json } = await call('GET', invoice, '/part-payment/options')
  const { offerVersion } = json as { offerVersion: string }
  const body = { type: 'PLAN_3', agreementAccepted: true, offerVersion }
  const answer = await call('PUT', invoice, '/part-payment/start', body)
  expect([answer.status, answer.text]).toEqual([200, answer.text])
  return answer.json
}

/** An invoice that is six days late, in a plan. */
async function planned(): Promise<BuiltInvoice> {
  const invoice = await build({ totalMinor: TOTAL })
  await nights(1, 2)
  await start(invoice, addDays(DUE, 6))
  return invoice
}

/** All that the plan has left is billed at once and paid. */
async function payOff(invoice: BuiltInvoice, on: CalendarDate): Promise<void> {
  server.clock.moveTo(on)
  expect((await call('POST', invoice, '/part-payment/repay')).status).toBe(200)
  const [last] = await sql(
    `select i.payment_reference as reference, i.balance_minor::int as minor from invoice i
     join part_payment_instalment n on n.invoice_id = i.id
     join part_payment_member m on m.part_payment_id = n.part_payment_id
     where m.invoice_id = $1 and i.balance_minor > 0`,
    [invoice.id],
  )
  await pay({ ...invoice, reference: last.reference }, last.minor, on)
  expect((await owed(invoice)).status).toBe('CLOSED')
}

const credit = (invoice: BuiltInvoice, creditMinor: number, on: CalendarDate): Promise<string> => {
  const key = { instanceId: server.instanceId, invoiceId: invoice.id }
  return server.test.db.transaction(async (tx) => {
    await lockRunningPlan(tx, key)
    return creditInvoice(context(), tx, await lockInvoiceAndClaim(tx, key), {
      number: `K-${invoice.number}-${creditMinor}`,
      creditMinor,
      issuedOn: on,
      on,
      endPlan: (locked, minor) => endAnyPlanForCredit(context(), tx, locked, { creditMinor: minor, on }),
    })
  })
}

test('a claim that a plan takes up', async () => {
  const invoice = await build({ totalMinor: TOTAL })
  await handOver()
  const [claim] = await sql(
    `select c.payment_reference as reference, c.zip from claim c join invoice i on i.claim_id = c.id where i.id = $1`,
    [invoice.id],
  )
  const on = addDays(DUE, HANDED_OVER + 16)
  server.clock.moveTo(on)
  const path = `/api/public/collection-batches/${claim.reference}/${claim.zip}/part-payment`
  expect((await server.call('POST', `${path}/start`, { body: { type: 'PLAN_3' } })).status).toBe(200)
  expect((await server.call('POST', `${path}/repay`)).status).toBe(200)
  const [last] = await sql(
    `select payment_reference as reference, balance_minor::int as minor from invoice
     where debtor_id = $1 and type = 'PART_INVOICE'`,
    [invoice.debtorId],
  )
  await pay({ ...invoice, reference: last.reference }, last.minor, on)
  await nights(HANDED_OVER + 17)
  expect(await bills(invoice)).toEqual([bill(bornIn(16), { isSameReference: false })])
})

test('a claim whose plan is withdrawn from: the next posting counts it, and tells of which days', async () => {
  const invoice = await build({ totalMinor: TOTAL })
  await handOver()
  const [claim] = await sql(
    `select c.id, c.payment_reference as reference, c.zip from claim c join invoice i on i.claim_id = c.id where i.id = $1`,
    [invoice.id],
  )
  const [opened, started] = [addDays(DUE, HANDED_OVER), addDays(DUE, HANDED_OVER + 8)]
  server.clock.moveTo(started)
  const door = `/api/public/collection-batches/${claim.reference}/${claim.zip}`
  const body = { type: 'PLAN_3' }
  expect((await server.call('POST', `${door}/part-payment/start`, { body })).status).toBe(200)
  server.clock.moveTo(addDays(started, 1))
  expect((await server.call('POST', `${door}/part-payment/withdraw`)).status).toBe(200)
  const due = addDays(started, 31)
  const read = async () => {
    const { json } = await server.call('GET', `${door}/events/financial?limit=-1`)
    return (json as FinancialEventAnswer[]).find(({ type }) => type === 'INTEREST')
  }
  const day = addDays(due, 25)
  for (let n = 1; n <= 25; n++) await night(addDays(due, n))
  expect(await read()).toBeUndefined()
  await applyFor(invoice.id, day)
  const interest = await read()
  // One sum with what was posted when the claim was opened, rounded once.
  const minor = bornIn(HANDED_OVER + 8 + daysBetween(due, day)) - bornIn(HANDED_OVER)
  expect(interest?.amounts.total).toBe(minor / 100)
  expect(interest?.interest.map(({ from, to }) => [from, to])).toEqual([
    [addDays(opened, 1), started],
    [addDays(due, 1), day],
  ])
})

describe('an overdue invoice that a plan takes up', () => {
  test('is offered and planned as it stands in the books; what it bore before is billed when it is paid', async () => {
    const invoice = await planned()
    expect(await owed(invoice)).toMatchObject({ principal: TOTAL, interest: 0 })
    await payOff(invoice, addDays(DUE, 40))
    await Promise.all([1, 2, 3].map(() => nights(41)))
    expect(await bills(invoice)).toEqual([bill(bornIn(6))])
    await nights(42)
    expect(await daysOf(invoice)).toEqual(['BILLED'])
  })

  test('since the last posting; too little is let be', async () => {
    const invoice = await build({ totalMinor: TOTAL })
    await nights(1, 2, 7)
    await server.product.sendMail()
    expect(await posted(invoice)).toBe(bornIn(7))
    await start(invoice, addDays(DUE, 10))
    await payOff(invoice, addDays(DUE, 11))
    await nights(12)
    expect(await bills(invoice)).toEqual([])
    expect(await daysOf(invoice)).toEqual(['SMALL'])
  })

  test('from the posting that stands, when the start drops a letter', async () => {
    const invoice = await build({ totalMinor: TOTAL })
    await nights(1, 2, 7)
    await start(invoice, addDays(DUE, 7))
    expect(await owed(invoice)).toMatchObject({ principal: TOTAL, interest: 0 })
    await payOff(invoice, addDays(DUE, 8))
    await nights(9)
    expect(await bills(invoice)).toEqual([bill(bornIn(7))])
  })

  test('before it was late bears nothing', async () => {
    const invoice = await build({ totalMinor: TOTAL })
    await start(invoice, DUE)
    expect(await daysOf(invoice)).toEqual([])
  })

  test('with what had been paid late, each for its days', async () => {
    const invoice = await build({ totalMinor: 2 * TOTAL })
    await nights(1, 2)
    await pay(invoice, TOTAL, addDays(DUE, 4))
    await start(invoice, addDays(DUE, 6))
    await payOff(invoice, addDays(DUE, 7))
    await nights(8)
    expect(await bills(invoice)).toEqual([bill(bornIn(4) + bornIn(6), { lines: 2 })])
  })

  test('and then withdraws: the next posting counts it', async () => {
    const invoice = await planned()
    server.clock.moveTo(addDays(DUE, 8))
    expect((await call('POST', invoice, '/part-payment/withdraw')).status).toBe(200)
    const due = addDays(DUE, 38)
    for (let day = 1; day <= 7; day++) await night(addDays(due, day))
    expect(await posted(invoice)).toBe(bornIn(6 + 7))
    expect(await daysOf(invoice)).toEqual(['POSTED'])
  })

  test('which was wrong, as a dispute finds: nobody was late with it', async () => {
    const invoice = await planned()
    const body = { debtorEmail: 'alva@example.com', reason: 'Fel antal.' }
    expect((await call('POST', invoice, '/dispute', body)).status).toBe(201)
    const key = { instanceId: server.instanceId, invoiceId: invoice.id }
    await upholdDispute(context(), key, { on: addDays(DUE, 8), decision: 'x', creditMinor: 100 })
    expect(await daysOf(invoice)).toEqual(['DROPPED'])
  })
})

describe('a credit of an invoice that was late before its plan', () => {
  test('while the plan goes on', async () => {
    const invoice = await planned()
    await credit(invoice, 1_000_000, addDays(DUE, 8))
    await credit(invoice, 500_000, addDays(DUE, 9))
    await payOff(invoice, addDays(DUE, 10))
    await nights(11)
    expect(await bills(invoice)).toEqual([bill(bornIn(6, TOTAL - 1_500_000))])
  })

  test('that ends the plan', async () => {
    const invoice = await planned()
    server.clock.moveTo(addDays(DUE, 8))
    expect((await call('POST', invoice, '/part-payment/repay')).status).toBe(200)
    await credit(invoice, 1_000_000, addDays(DUE, 8))
    await pay(invoice, TOTAL - 1_000_000, addDays(DUE, 9))
    expect((await owed(invoice)).status).toBe('CLOSED')
    await nights(10)
    expect(await bills(invoice)).toEqual([bill(bornIn(6, TOTAL - 1_000_000))])
  })

  test('that is paid already', async () => {
    const invoice = await planned()
    await payOff(invoice, addDays(DUE, 8))
    await credit(invoice, 1_000_000, addDays(DUE, 8))
    await nights(9)
    expect(await bills(invoice)).toEqual([bill(bornIn(6, TOTAL - 1_000_000))])
  })

  test('of which a part had been paid before the plan: more than the plan took up goes off that', async () => {
    const invoice = await build({ totalMinor: 3 * TOTAL })
    await nights(1, 2)
    await pay(invoice, 2 * TOTAL, addDays(DUE, 4))
    await start(invoice, addDays(DUE, 6))
    await payOff(invoice, addDays(DUE, 7))
    await credit(invoice, TOTAL + 1_000_000, addDays(DUE, 7))
    await nights(8)
    expect(await bills(invoice)).toEqual([bill(bornIn(4, 2 * TOTAL - 1_000_000))])
  })

  test('that ends the plan of a disputed one, and the dispute is rejected: the days of the plan bear nothing', async () => {
    const invoice = await planned()
    for (let day = 20; day <= 30; day++) await nights(day)
    const body = { debtorEmail: 'alva@example.com', reason: 'Fel antal.' }
    expect((await call('POST', invoice, '/dispute', body)).status).toBe(201)
    const on = addDays(DUE, 31)
    // A third is billed by now: the credit is more than is left.
    const creditMinor = 6_100_000
    expect((await owed(invoice)).principal).toBeLessThan(creditMinor)
    await credit(invoice, creditMinor, on)
    const left = TOTAL - creditMinor
    expect(await owed(invoice)).toMatchObject({ status: 'DISPUTED', principal: left })
    const key = { instanceId: server.instanceId, invoiceId: invoice.id }
    expect(await rejectDispute(context(), key, { on, answer: 'Resten stämmer.' })).toBe(true)
    for (let day = 1; day <= 30; day++) await night(addDays(on, day))
    const [now] = await sql('select interest_posted_to - $2::date as days from invoice where id = $1', [
      invoice.id,
      addDays(on, 10),
    ])
    expect(now.days).toBeGreaterThan(0)
    expect(await posted(invoice)).toBe(bornIn(6 + now.days, left))
  })
})
