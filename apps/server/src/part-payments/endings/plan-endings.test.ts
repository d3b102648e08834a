import { beforeAll, describe, expect, test } from 'vitest'
import { addDays, addMonths, date, daysBetween, type CalendarDate } from '@kvitt/domain/calendar.ts'
import { addBankDays } from '@kvitt/domain/collection/bank-days.ts'
import type { PlanAnswer } from '@kvitt/domain/part-payments/part-payment.contract.ts'
import {
  decideDebt,
  pauseInvoice,
  performDailyRun,
  stopInvoice,
  upholdDispute,
  type DebtDecision,
} from '../../collection/collection.ts'
import { openLog } from '../../platform/log.ts'
import {
  buildInvoice,
  buildPlanSettings,
  TODAY,
  type BuiltInvoice,
  type InvoiceWishes,
} from '../../testing/build.ts'
import { startTestServer, type TestServer } from '../../testing/start-test-server.ts'

let server: TestServer

beforeAll(async () => {
  server = await startTestServer()
  await buildPlanSettings(server.test, server.instanceId)
})

type Door = Pick<BuiltInvoice, 'reference' | 'zip'>
const call = (method: string, { reference, zip }: Door, path: string, body?: unknown) =>
  server.call(method, `/api/public/invoices/${reference}/${zip}${path}`, { body })

const context = () => ({ db: server.test.db, clock: server.clock, log: openLog('silent') })

async function build(wishes: InvoiceWishes = {}): Promise<BuiltInvoice> {
  server.clock.moveTo(TODAY)
  return buildInvoice(server.test, server.instanceId, server.clock, { totalMinor: 600_000, ...wishes })
}

async function start(invoice: BuiltInvoice, type: string): Promise<PlanAnswer> {
  const answer = await call('PUT', invoice, '/part-payment/start', { type, agreementAccepted: true })
  expect([answer.status, answer.text]).toEqual([200, answer.text])
  return answer.json
}

type Row = Record<string, string | number | boolean | null>
const sql = async (text: string, values: unknown[] = []): Promise<Row[]> =>
  (await server.test.owner.query<Row>(text, values)).rows

async function nights(from: CalendarDate, days: number): Promise<void> {
  for (let n = 0; n < days; n++) {
    const day = addDays(from, n)
    server.clock.moveTo(day)
    await performDailyRun(context(), { id: server.instanceId, timeZone: 'Europe/Stockholm' }, day)
  }
}

const stateOf = async (id: string): Promise<Row | undefined> =>
  (
    await sql(
      `select status, balance_minor::int as balance, principal_minor::int as principal, costs_minor::int as costs,
         interest_minor::int as interest, is_part_payment as plan, expire_date::text as due from invoice where id = $1`,
      [id],
    )
  )[0]

type Billed = { id: string; reference: string; zip: string; balance: number }
const billedOf = async (plan: PlanAnswer): Promise<Billed[]> =>
  (await sql(
    `select i.id, i.payment_reference as reference, i.zip, i.balance_minor::int as balance
     from part_payment_instalment n join invoice i on i.id = n.invoice_id
     where n.part_payment_id = $1 order by n.number`,
    [plan.id],
  )) as Billed[]

const stepsOf = async (id: string): Promise<string[]> =>
  (
    await sql(
      `select type, status, coalesce(performed_date, planned_date)::text as day from collection_step
       where invoice_id = $1 order by coalesce(performed_date, planned_date), type, number`,
      [id],
    )
  ).map((row) => `${row.type} ${row.day} ${row.status}`)

async function statusOf(invoice: Door): Promise<string> {
  return ((await call('GET', invoice, '/part-payment')).json as PlanAnswer).status
}

const DUE = addMonths(TODAY, 1)

const waive = ({ id }: BuiltInvoice, bucket: 'costs' | 'interest') =>
  decideDebt(context(), {
    instanceId: server.instanceId,
    debt: { kind: 'invoice', name: id },
    decision: { act: 'waive', bucket, amount: null } satisfies DebtDecision,
    reason: 'Goodwill',
    by: 'person:Eva Berg',
  })

/** A dispute of the invoice is upheld on a day, 100.00 is credited; what is owed then, and what was given up or is owed back. */
async function upheldInPart(invoice: BuiltInvoice, on: CalendarDate) {
  const body = { debtorEmail: 'alva@example.com', reason: 'Fel antal.' }
  expect((await call('POST', invoice, '/dispute', body)).status).toBe(201)
  const key = { instanceId: server.instanceId, invoiceId: invoice.id }
  expect(await upholdDispute(context(), key, { on, decision: 'Ja.', creditMinor: 10_000 })).toBe(true)
  const kinds = await sql(
    `select kind from ledger_transaction where invoice_id = $1 and kind in ('WRITE_OFF', 'REFUND')`,
    [invoice.id],
  )
  return { ...(await stateOf(invoice.id)), kinds }
}

describe('a missed instalment', () => {
  test('is noticed, and a month later the plan is over and everything left is due', async () => {
    const invoice = await build()
    const plan = await start(invoice, 'PLAN_6')
    await nights(addDays(DUE, -14), 1)
    const [first] = await billedOf(plan)
    expect(first).toMatchObject({ balance: 112_400 })
    await nights(addDays(DUE, 1), 2)
    expect(await stepsOf(first?.id ?? '')).toEqual([
      `INVOICE ${addDays(DUE, -14)} PERFORMED`,
      `EXPIRED ${addDays(DUE, 1)} PERFORMED`,
      `PART_PAYMENT_NOTIFICATION ${addDays(DUE, 2)} PERFORMED`,
    ])
    await nights(addDays(DUE, 17), 1)
    await nights(addDays(DUE, 30), 1)
    expect(await statusOf(invoice)).toBe('ACTIVE')

    const end = addDays(DUE, 31)
    await nights(end, 1)
    expect(await statusOf(invoice)).toBe('DEFAULTED')
    // 6 000.00 in all; the fees of the two instalments that were billed stay: 95.00 + 2 x 29.00.
    expect(await stateOf(invoice.id)).toMatchObject({
      status: 'ACTIVATED',
      plan: false,
      principal: 600_000,
      costs: 15_300,
      interest: 0,
    })
    for (const { id } of await billedOf(plan)) {
      expect(await stateOf(id)).toMatchObject({ status: 'STOPPED', balance: 0 })
    }
    const planned = (await stepsOf(invoice.id)).filter((step) => step.endsWith('PLANNED'))
    expect(planned).toEqual([`EXPIRED ${addDays(end, 11)} PLANNED`])
    await nights(addDays(end, 11), 7)
    expect((await stepsOf(invoice.id)).filter((step) => step.endsWith('PERFORMED')).slice(-3)).toEqual([
      `EXPIRED ${addDays(end, 11)} PERFORMED`,
      `EXPIRED_NOTIFICATION ${addDays(end, 12)} PERFORMED`,
      `REMINDER ${addDays(end, 17)} PERFORMED`,
    ])
    // Interest of the seven days since the new due date, and none for the time of the plan: 6 000.00 at 10 %.
    expect(await stateOf(invoice.id)).toMatchObject({ costs: 21_300, interest: 1_151 })
  })

  test('and costs of the plan that are waived: an upheld dispute takes back all that was charged since', async () => {
    const invoice = await build()
    await start(invoice, 'PLAN_6')
    for (const after of [-14, 1, 2, 17, 31]) await nights(addDays(DUE, after), 1)
    const end = addDays(DUE, 31)
    expect(await stateOf(invoice.id)).toMatchObject({ plan: false, principal: 600_000, costs: 15_300 })
    await waive(invoice, 'costs')
    await nights(addDays(end, 11), 7)
    await server.product.sendMail()
    expect(await stateOf(invoice.id)).toMatchObject({ costs: 6_000, interest: 1_151 })
    const after = await upheldInPart(invoice, addDays(end, 17))
    expect(after).toMatchObject({ principal: 590_000, costs: 0, interest: 0, kinds: [] })
  })

  test('of an invoice that rests is noticed three bank days after it goes on', async () => {
    const invoice = await build()
    const plan = await start(invoice, 'PLAN_6')
    await nights(addDays(DUE, -14), 1)
    const [first] = await billedOf(plan)
    const noticed = async () =>
      (await stepsOf(first?.id ?? '')).filter((step) => step.startsWith('PART_PAYMENT_NOTIFICATION'))
    const key = { instanceId: server.instanceId, invoiceId: invoice.id }
    await pauseInvoice(context(), key, { on: DUE, reason: 'respite', resumeDate: addDays(DUE, 5) })
    await nights(addDays(DUE, 1), 4)
    expect(await stepsOf(first?.id ?? '')).toContain(`EXPIRED ${addDays(DUE, 1)} PERFORMED`)
    expect(await noticed()).toEqual([])
    // M-10: nobody is told sooner.
    const told = addBankDays('SE', addDays(DUE, 5), 3)
    await nights(addDays(DUE, 5), daysBetween(addDays(DUE, 5), told))
    expect(await noticed()).toEqual([])
    await nights(told, 1)
    expect(await noticed()).toEqual([`PART_PAYMENT_NOTIFICATION ${told} PERFORMED`])
  })

  test('and an objection to the whole of it takes the plan’s fees along', async () => {
    const invoice = await build()
    await start(invoice, 'PLAN_6')
    for (const after of [-14, 1, 2, 17, 30, 31]) await nights(addDays(DUE, after), 1)
    expect(await stateOf(invoice.id)).toMatchObject({ status: 'ACTIVATED', plan: false, principal: 600_000 })
    const body = { debtorEmail: 'alva@example.com', reason: 'Aldrig levererat.' }
    expect((await call('POST', invoice, '/dispute', body)).status).toBe(201)
    const key = { instanceId: server.instanceId, invoiceId: invoice.id }
    await upholdDispute(context(), key, { on: addDays(DUE, 32), decision: 'x', creditMinor: 'all' })
    expect(await stateOf(invoice.id)).toMatchObject({ status: 'CLOSED', principal: 0, costs: 0, interest: 0 })
  })

  test('does not end the plan while somebody is paying it', async () => {
    const invoice = await build()
    const plan = await start(invoice, 'PLAN_3')
    await nights(addDays(DUE, -14), 1)
    const [first] = await billedOf(plan)
    if (!first) throw new Error('nothing was billed')
    await nights(addDays(DUE, 2), 1)
    server.clock.moveTo(addDays(DUE, 40))
    const paying = await call('POST', first, '/payment-requests', {
      paymentDate: addDays(DUE, 40),
      amount: first.balance / 100,
      redirectUri: `${server.origin}/`,
    })
    expect(paying.status).toBe(201)
    await nights(addDays(DUE, 40), 1)
    expect(await statusOf(invoice)).toBe('ACTIVE')
    await sql(`update payment set status = 'FAILED' where invoice_id = $1`, [first.id])
    await nights(addDays(DUE, 41), 1)
    expect(await statusOf(invoice)).toBe('DEFAULTED')
  })

  test('that is disputed is not missed', async () => {
    const invoice = await build()
    const plan = await start(invoice, 'PLAN_3')
    await nights(addDays(DUE, -14), 1)
    const [first] = await billedOf(plan)
    if (!first) throw new Error('nothing was billed')
    const answer = await call('POST', first, '/dispute', { debtorEmail: 'a@example.com', reason: 'Fel.' })
    expect(answer.status).toBe(201)
    await nights(addDays(DUE, 2), 1)
    await nights(addDays(DUE, 40), 1)
    expect(await stepsOf(first.id)).toEqual([`INVOICE ${addDays(DUE, -14)} PERFORMED`])
    expect(await statusOf(invoice)).toBe('ACTIVE')
  })
})

describe('withdrawal', () => {
  test('before anything is billed: the balance is due in thirty days, without fees', async () => {
    const invoice = await build()
    await start(invoice, 'PLAN_12')
    server.clock.moveTo(addDays(TODAY, 10))
    const answers = await Promise.all([1, 2, 3].map(() => call('POST', invoice, '/part-payment/withdraw')))
    for (const answer of answers) {
      expect([answer.status, answer.json]).toEqual([200, expect.objectContaining({ status: 'WITHDRAWN' })])
    }
    // 6 000.00 at 19.90 % for ten days: 32.71.
    expect(await stateOf(invoice.id)).toMatchObject({
      principal: 600_000,
      costs: 0,
      interest: 3_271,
      plan: false,
      due: addDays(TODAY, 40),
    })
    const again = await call('PUT', invoice, '/part-payment/start', { type: 'PLAN_3' })
    expect(again.json).toMatchObject({ code: 'plan_not_available' })
  })

  test('its interest is waived: an upheld dispute does not take it back again', async () => {
    const invoice = await build()
    await start(invoice, 'PLAN_12')
    server.clock.moveTo(addDays(TODAY, 10))
    expect((await call('POST', invoice, '/part-payment/withdraw')).status).toBe(200)
    expect(await stateOf(invoice.id)).toMatchObject({ principal: 600_000, interest: 3_271 })
    await waive(invoice, 'interest')
    const after = await upheldInPart(invoice, addDays(TODAY, 11))
    expect(after).toMatchObject({ principal: 590_000, costs: 0, interest: 0, kinds: [] })
  })

  test('after an instalment was billed: its fees are taken back with it', async () => {
    const invoice = await build()
    const plan = await start(invoice, 'PLAN_6')
    await sql(`update part_payment_instalment set send_date = $2 where part_payment_id = $1 and number = 1`, [
      plan.id,
      addDays(TODAY, 5),
    ])
    await nights(addDays(TODAY, 5), 1)
    const [first] = await billedOf(plan)
    expect(await stateOf(first?.id ?? '')).toMatchObject({ costs: 12_400 })
    expect((await call('POST', invoice, '/part-payment/withdraw')).status).toBe(200)
    expect(await stateOf(first?.id ?? '')).toMatchObject({ status: 'STOPPED', balance: 0 })
    expect(await stateOf(invoice.id)).toMatchObject({ principal: 600_000, costs: 0, balance: 600_000 })
  })

  test('is too late on the fifteenth day', async () => {
    const invoice = await build()
    const plan = await start(invoice, 'PLAN_3')
    server.clock.moveTo(date(plan.withdrawUntil ?? ''))
    expect(((await call('GET', invoice, '/part-payment')).json as PlanAnswer).canWithdraw).toBe(true)
    server.clock.moveTo(addDays(date(plan.withdrawUntil ?? ''), 1))
    expect((await call('POST', invoice, '/part-payment/withdraw')).json).toMatchObject({
      code: 'withdrawal_too_late',
    })
  })

  test('needs a plan', async () => {
    const answer = await call('POST', await build(), '/part-payment/withdraw')
    expect(answer.json).toMatchObject({ code: 'plan_not_available' })
  })
})

describe('early repayment', () => {
  test('bills the rest once, with the interest of the days so far and no more fees', async () => {
    const invoice = await build()
    const plan = await start(invoice, 'PLAN_12')
    server.clock.moveTo(addDays(TODAY, 10))
    const answers = await Promise.all([1, 2, 3].map(() => call('POST', invoice, '/part-payment/repay')))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    const billed = await billedOf(plan)
    // 6 000.00, ten days at 19.90 % (32.71), and the start fee that was agreed.
    expect(billed).toMatchObject([{ balance: 600_000 + 3_271 + 19_500 }])
    expect(await stateOf(invoice.id)).toMatchObject({ status: 'ACTIVATED', balance: 0 })
    await nights(DUE, 1)
    expect(await billedOf(plan)).toHaveLength(1)
  })

  test('needs a plan that runs and an invoice that does not rest', async () => {
    const invoice = await build()
    expect((await call('POST', invoice, '/part-payment/repay')).json).toMatchObject({
      code: 'plan_not_available',
    })
    await start(invoice, 'PLAN_3')
    await call('POST', invoice, '/dispute', { debtorEmail: 'a@example.com', reason: 'Fel.' })
    expect((await call('POST', invoice, '/part-payment/repay')).json).toMatchObject({
      code: 'plan_not_available',
    })
  })
})

describe('races under the lock of the invoice', () => {
  test('plan and dispute: one of them happens', async () => {
    for (let round = 0; round < 6; round++) {
      const invoice = await build()
      const [plan, dispute] = await Promise.all([
        call('PUT', invoice, '/part-payment/start', { type: 'PLAN_3' }),
        call('POST', invoice, '/dispute', { debtorEmail: 'a@example.com', reason: 'Fel.' }),
      ])
      // A plan may be disputed afterwards; what is disputed gets no plan.
      expect([plan?.status, dispute?.status]).not.toEqual([400, 400])
      const state = await stateOf(invoice.id)
      if (plan?.status === 400) expect(state).toMatchObject({ status: 'DISPUTED', plan: false })
      else expect(state).toMatchObject({ plan: true, balance: 600_000 })
    }
  })

  test('plan and payment: what is signed gets no plan, what is in a plan cannot be paid', async () => {
    for (let round = 0; round < 4; round++) {
      const invoice = await build()
      const [plan, payment] = await Promise.all([
        call('PUT', invoice, '/part-payment/start', { type: 'PLAN_3' }),
        call('POST', invoice, '/payment-requests', {
          paymentDate: TODAY,
          amount: '6000.00',
          redirectUri: `${server.origin}/`,
        }),
      ])
      // An order that was made before the plan can still be signed; the plan then has less to bill.
      expect(plan.status).toBe(200)
      if (payment.status === 400) expect(payment.json).toMatchObject({ code: 'nothing_to_pay' })
    }
  })
})

describe('a plan whose invoice rests', () => {
  test('bills nothing meanwhile, and one instalment a month afterwards', async () => {
    const invoice = await build()
    const plan = await start(invoice, 'PLAN_3')
    const key = { instanceId: server.instanceId, invoiceId: invoice.id }
    await pauseInvoice(context(), key, { on: TODAY, reason: 'respite', resumeDate: addDays(DUE, 60) })
    await nights(addDays(DUE, -14), 1)
    await nights(addDays(DUE, 40), 1)
    expect(await billedOf(plan)).toEqual([])
    await nights(addDays(DUE, 60), 3)
    expect(await billedOf(plan)).toHaveLength(1)
    const answer = (await call('GET', invoice, '/part-payment')).json as PlanAnswer
    expect(answer.instalments.map(({ dueDate }) => dueDate)).toEqual([
      addDays(DUE, 74),
      addDays(addMonths(TODAY, 2), 74),
      addDays(addMonths(TODAY, 3), 74),
    ])
  })

  test('ends when the case is stopped', async () => {
    const invoice = await build()
    await start(invoice, 'PLAN_3')
    const key = { instanceId: server.instanceId, invoiceId: invoice.id }
    await stopInvoice(context(), key, { on: TODAY, reason: 'withdrawn' })
    await nights(addDays(DUE, -14), 1)
    expect(await statusOf(invoice)).toBe('STOPPED')
    expect(await stateOf(invoice.id)).toMatchObject({ status: 'STOPPED', plan: false, balance: 600_000 })
  })
})

describe('an account', () => {
  test('bills a tenth and the interest, and takes up another invoice', async () => {
    const first = await build({ totalMinor: 500_000 })
    const plan = await start(first, 'ACCOUNT')
    await nights(addDays(DUE, -14), 1)
    expect(await billedOf(plan)).toMatchObject([{ balance: 61_200 }])
    // 5 000.00 x 19.90 % / 12 = 82.92, the fee 29.00, and the rest of 612.00 is paid off.
    expect(await stateOf(first.id)).toMatchObject({ balance: 449_992 })

    const second = await buildInvoice(server.test, server.instanceId, server.clock, {
      beside: first,
      totalMinor: 100_000,
      number: `${first.number}9`,
    })
    const offered = await server.call(
      'GET',
      `/api/public/invoices/${second.reference}/${second.zip}/part-payment/options?invoiceNumber=${second.number}`,
    )
    expect(offered.json).toMatchObject({ account: { hasExisting: true, creditAmount: 5499.92 } })
    const added = await server.call(
      'PUT',
      `/api/public/invoices/${second.reference}/${second.zip}/part-payment/start?invoiceNumber=${second.number}`,
      { body: { type: 'ACCOUNT', addToExisting: true, agreementAccepted: true } },
    )
    expect(added.json).toMatchObject({ id: plan.id, creditAmount: 6000, notInvoiced: 5499.92 })

    const next = addMonths(DUE, 1)
    await nights(addDays(next, -14), 1)
    const billed = await billedOf(plan)
    expect(billed).toHaveLength(2)
    // A tenth of 5 499.92, its interest 91.21 and the fee.
    expect(billed[1]).toMatchObject({ balance: 67_000 })
    expect(await stateOf(second.id)).toMatchObject({ plan: true, balance: 100_000 })
  })

  test('of its own is opened when the debtor wants one', async () => {
    const first = await build({ totalMinor: 500_000 })
    const plan = await start(first, 'ACCOUNT')
    const second = await buildInvoice(server.test, server.instanceId, server.clock, {
      beside: first,
      totalMinor: 100_000,
      number: `${first.number}8`,
    })
    const own = await server.call(
      'PUT',
      `/api/public/invoices/${second.reference}/${second.zip}/part-payment/start?invoiceNumber=${second.number}`,
      { body: { type: 'ACCOUNT', addToExisting: false, agreementAccepted: true } },
    )
    expect(own.json).toMatchObject({ creditAmount: 1000 })
    expect((own.json as PlanAnswer).id).not.toBe(plan.id)
  })
})
