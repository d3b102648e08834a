/** What staff decide about one invoice, and what late interest becomes: once, twice, and all at once. */
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { addDays, date, type CalendarDate } from '@kvitt/domain/calendar.ts'
import { openLog } from '../platform/log.ts'
import { buildInvoice, type BuiltInvoice, type InvoiceWishes } from '../testing/build.ts'
import { startTestServer, type TestServer } from '../testing/start-test-server.ts'
import { denyTaxReduction, pauseInvoice, rejectDispute, reversePayment, upholdDispute } from './collection.ts'
import { runNight } from './night.ts'

let server: TestServer
let instance: { id: string; timeZone: string }
const START = date('2026-03-02')
const DUE = addDays(START, 30)

beforeAll(async () => {
  server = await startTestServer()
  instance = { id: server.instanceId, timeZone: 'Europe/Stockholm' }
})

const context = () => ({ db: server.test.db, clock: server.clock, log: openLog('silent') })
const keyOf = (invoice: BuiltInvoice) => ({ instanceId: instance.id, invoiceId: invoice.id })
const path = (invoice: BuiltInvoice, rest = '') =>
  `/api/public/invoices/${invoice.reference}/${invoice.zip}${rest}`

async function build(wishes: InvoiceWishes = {}): Promise<BuiltInvoice> {
  server.clock.moveTo(START)
  return buildInvoice(server.test, instance.id, server.clock, { dueDate: DUE, ...wishes })
}

async function nights(from: CalendarDate, to: CalendarDate): Promise<void> {
  for (let day = from; day <= to; day = addDays(day, 1)) {
    server.clock.moveTo(day)
    await runNight(context(), instance, day)
  }
}

async function rowOf(invoice: BuiltInvoice) {
  const { rows } = await server.test.owner.query(
    `select status, principal_minor::int as principal, costs_minor::int as costs, interest_minor::int as interest,
       expire_date::text as due from invoice where id = $1`,
    [invoice.id],
  )
  return rows[0] as { status: string; principal: number; costs: number; interest: number; due: string }
}

async function plannedOf(invoice: BuiltInvoice): Promise<string[]> {
  const { rows } = await server.test.owner.query<{ step: string }>(
    `select type || ' ' || planned_date as step from collection_step where invoice_id = $1 and status = 'PLANNED'`,
    [invoice.id],
  )
  return rows.map((r) => r.step)
}

async function creditOf(invoice: BuiltInvoice): Promise<number> {
  const { rows } = await server.test.owner.query<{ minor: number }>(
    `select coalesce(-sum(balance_minor), 0)::int as minor from ledger_account where kind = 'credit' and debtor_id = $1`,
    [invoice.debtorId],
  )
  return rows[0]?.minor ?? 0
}

const dispute = (invoice: BuiltInvoice) =>
  server.call('POST', path(invoice, '/dispute'), {
    body: { debtorEmail: 'alva@example.com', reason: 'Fel antal.' },
  })

/**
 * Pays what is owed through the sandbox bank, on the clock's day; `meanwhile` happens before the payer signs.
 * Answers the payment's id.
 */
async function pay(invoice: BuiltInvoice, meanwhile?: () => Promise<unknown>): Promise<string> {
  const seen = (await server.call('GET', path(invoice))).json as { balances: { total: number } }
  const today = server.clock.today('Europe/Stockholm')
  const started = await server.call('POST', path(invoice, '/payment-requests'), {
    body: { paymentDate: today, amount: seen.balances.total, redirectUri: `${server.origin}/` },
  })
  expect(started.status, started.text).toBe(201)
  await meanwhile?.()
  const orders: { id: string; reference: string }[] = await server.control('GET', '/control/orders')
  const order = orders.find((o) => o.reference === invoice.reference)
  await server.control('POST', `/control/orders/${order?.id}/approve`)
  await server.control('POST', '/control/settle', {})
  const { id } = started.json as { id: string }
  // The bank's own call may hold the payment just now; the sweeper then leaves it to that call.
  await vi.waitFor(
    async () => {
      await server.product.sweepAll()
      const { rows } = await server.test.owner.query('select status from payment where id = $1', [id])
      expect(rows).toEqual([{ status: 'COMPLETED' }])
    },
    { timeout: 10_000, interval: 50 },
  )
  return id
}

/** A disputed invoice that had been reminded: 60,00 in fees and some interest. */
async function disputedAfterReminder(): Promise<BuiltInvoice> {
  const invoice = await build({ totalMinor: 1_000_000 })
  await nights(addDays(DUE, 1), addDays(DUE, 8))
  expect(await rowOf(invoice)).toMatchObject({ costs: 6000 })
  expect((await rowOf(invoice)).interest).toBeGreaterThan(0)
  // A reminder that was never sent costs nothing.
  await server.product.sendMail()
  expect((await dispute(invoice)).status).toBe(201)
  return invoice
}

describe('a dispute that is rejected', () => {
  test('goes on ten days later at the earliest, with the answer on record', async () => {
    const invoice = await disputedAfterReminder()
    const on = addDays(DUE, 30)
    const answers = await Promise.all(
      [1, 2, 3].map(() => rejectDispute(context(), keyOf(invoice), { on, answer: ' Mätaren är läst. ' })),
    )
    expect(answers.filter(Boolean)).toHaveLength(1)
    expect((await rowOf(invoice)).status).toBe('ACTIVATED')
    expect(await plannedOf(invoice)).toEqual([`COLLECTION_NOTIFICATION ${addDays(on, 10)}`])
    const { rows } = await server.test.owner.query(
      'select status, decision, decided_on::text as on from dispute where invoice_id = $1',
      [invoice.id],
    )
    expect(rows).toEqual([{ status: 'REJECTED', decision: 'Mätaren är läst.', on }])
  })

  test('before it was due, the schedule begins as usual', async () => {
    const invoice = await build()
    await dispute(invoice)
    await rejectDispute(context(), keyOf(invoice), { on: START, answer: 'Nej.' })
    expect(await plannedOf(invoice)).toEqual([`EXPIRED ${addDays(DUE, 1)}`])
    // It may be disputed again: a new objection is a new case.
    expect((await dispute(invoice)).status).toBe(201)
  })

  test('needs an answer, and a dispute', async () => {
    const invoice = await build()
    expect(await rejectDispute(context(), keyOf(invoice), { on: START, answer: 'Nej.' })).toBe(false)
    expect(() => rejectDispute(context(), keyOf(invoice), { on: START, answer: ' - ' })).toThrow(/empty/)
  })
})

describe('a dispute that is upheld', () => {
  test('wholly: nothing is owed, and the fees are gone', async () => {
    const invoice = await disputedAfterReminder()
    const upheld = { on: addDays(DUE, 9), decision: 'Fel mätare', creditMinor: 'all' } as const
    const answers = await Promise.all([1, 2].map(() => upholdDispute(context(), keyOf(invoice), upheld)))
    expect(answers.filter(Boolean)).toHaveLength(1)
    expect(await rowOf(invoice)).toMatchObject({ status: 'CLOSED', principal: 0, costs: 0, interest: 0 })
    expect(await creditOf(invoice)).toBe(0)
    expect(await plannedOf(invoice)).toEqual([])
  })

  test('in part: the rest has a new due date, without fees and interest', async () => {
    const invoice = await disputedAfterReminder()
    const on = addDays(DUE, 9)
    await upholdDispute(context(), keyOf(invoice), { on, decision: 'Halva', creditMinor: 400_000 })
    expect(await rowOf(invoice)).toEqual({
      status: 'ACTIVATED',
      principal: 600_000,
      costs: 0,
      interest: 0,
      due: addDays(on, 10),
    })
    const [planned = ''] = await plannedOf(invoice)
    expect(date(planned.split(' ')[1] ?? '') > addDays(on, 10)).toBe(true)
  })

  test('in part, and then paid', async () => {
    const invoice = await build({ totalMinor: 500_000 })
    await dispute(invoice)
    await upholdDispute(context(), keyOf(invoice), { on: START, decision: 'x', creditMinor: 200_000 })
    expect(await rowOf(invoice)).toMatchObject({ status: 'ACTIVATED', principal: 300_000 })
    await pay(invoice)
    expect(await rowOf(invoice)).toMatchObject({ status: 'CLOSED', principal: 0 })
    expect(await creditOf(invoice)).toBe(0)
  })

  test.each([
    [0, undefined],
    [1_000_001, undefined],
    [100, 3],
  ])('not with a credit of %i or a due date in %s days', async (creditMinor, days) => {
    const invoice = await build({ totalMinor: 1_000_000 })
    await dispute(invoice)
    const upheld = {
      on: START,
      decision: 'x',
      creditMinor,
      ...(days === undefined ? {} : { dueDate: addDays(START, days) }),
    }
    await expect(upholdDispute(context(), keyOf(invoice), upheld)).rejects.toThrow(/credited|needs/)
    expect((await rowOf(invoice)).status).toBe('DISPUTED')
  })

  test('rejected and upheld at once: one of them', async () => {
    const invoice = await disputedAfterReminder()
    const on = addDays(DUE, 9)
    const answers = await Promise.all([
      rejectDispute(context(), keyOf(invoice), { on, answer: 'Nej.' }),
      upholdDispute(context(), keyOf(invoice), { on, decision: 'Ja', creditMinor: 'all' }),
      rejectDispute(context(), keyOf(invoice), { on, answer: 'Nej.' }),
    ])
    expect(answers.filter(Boolean)).toHaveLength(1)
  })
})

describe('a tax reduction that is denied', () => {
  const denial = { on: addDays(DUE, 40), decision: 'SKV 2026-17', amountMinor: 900_000 }

  test('opens a paid invoice again, with thirty days to pay and no interest for the past', async () => {
    const invoice = await build({ totalMinor: 900_000 })
    await pay(invoice)
    expect((await rowOf(invoice)).status).toBe('CLOSED')
    const answers = await Promise.all(
      [1, 2, 3].map(() => denyTaxReduction(context(), keyOf(invoice), denial)),
    )
    expect(answers.filter(Boolean)).toHaveLength(1)
    const due = addDays(denial.on, 30)
    expect(await rowOf(invoice)).toMatchObject({ status: 'ACTIVATED', principal: 900_000, due })
    expect(await plannedOf(invoice)).toEqual([`EXPIRED ${addDays(due, 1)}`])
    const events = await server.call('GET', path(invoice, '/events'))
    expect(events.json).toContainEqual(
      expect.objectContaining({
        topic: 'LEDGER',
        type: 'DENIED_TAX_REDUCTION_NOTIFICATION',
        amount: 9000,
        balance: 9000,
      }),
    )
  })

  test('comes as often as the authority decides', async () => {
    const invoice = await build({ totalMinor: 900_000 })
    await denyTaxReduction(context(), keyOf(invoice), { ...denial, amountMinor: 100 })
    const again = { ...denial, decision: 'SKV 2026-18', amountMinor: 200, on: addDays(denial.on, 5) }
    expect(await denyTaxReduction(context(), keyOf(invoice), again)).toBe(true)
    expect(await rowOf(invoice)).toMatchObject({ principal: 900_300, due: addDays(denial.on, 35) })
    expect(await plannedOf(invoice)).toEqual([`EXPIRED ${addDays(denial.on, 36)}`])
  })

  test('keeps a pause and a dispute as they are', async () => {
    const [paused, disputed] = [await build(), await build()]
    await pauseInvoice(context(), keyOf(paused), { on: START, reason: 'respite', resumeDate: null })
    await dispute(disputed)
    for (const invoice of [paused, disputed]) {
      await denyTaxReduction(context(), keyOf(invoice), { ...denial, on: START })
      expect(await plannedOf(invoice)).toEqual([])
    }
    expect([(await rowOf(paused)).status, (await rowOf(disputed)).status]).toEqual(['PAUSED', 'DISPUTED'])
    expect((await rowOf(paused)).principal).toBe(984_200)
  })

  test('is refused when there is nothing to add to', async () => {
    const draft = await build({ status: 'CREATED' })
    await expect(denyTaxReduction(context(), keyOf(draft), denial)).rejects.toThrow(/created/)
    expect(() => denyTaxReduction(context(), keyOf(draft), { ...denial, amountMinor: 0 })).toThrow(/more/)
  })
})

describe('a payment that is taken back', () => {
  test('is owed again, once, and the next step comes in ten days', async () => {
    const invoice = await build({ totalMinor: 300_000 })
    await nights(addDays(DUE, 1), addDays(DUE, 2))
    const paymentId = await pay(invoice)
    expect((await rowOf(invoice)).status).toBe('CLOSED')
    const on = addDays(DUE, 30)
    server.clock.moveTo(on)
    const key = { instanceId: instance.id, paymentId }
    const answers = await Promise.all([1, 2, 3].map(() => reversePayment(context(), key, on)))
    expect(answers.filter(Boolean)).toHaveLength(1)
    expect(await rowOf(invoice)).toMatchObject({ status: 'ACTIVATED', principal: 300_000, costs: 0 })
    expect(await plannedOf(invoice)).toEqual([`REMINDER ${addDays(on, 10)}`])
    // Interest counts for two days before it was paid and ten since it was taken back, not for the time it looked paid.
    await nights(addDays(on, 10), addDays(on, 10))
    expect((await rowOf(invoice)).interest).toBe(986)
    await pay(invoice)
    expect((await rowOf(invoice)).status).toBe('CLOSED')
    expect(await creditOf(invoice)).toBe(0)
  })

  test('is refused when it is none', async () => {
    const key = { instanceId: instance.id, paymentId: instance.id }
    await expect(reversePayment(context(), key, START)).rejects.toThrow(/no such/)
  })
})

describe('a payment of another sum than is owed in the end', () => {
  const kindsOf = async (invoice: BuiltInvoice) => {
    const { rows } = await server.test.owner.query<{ kind: string }>(
      'select kind from ledger_transaction where invoice_id = $1 order by posted_at, id',
      [invoice.id],
    )
    return rows.map((r) => r.kind)
  }
  const refundsOf = async (paymentId: string) => {
    const { rows } = await server.test.owner.query<{ details: unknown }>(
      `select details from operator_task where kind = 'refund' and about = 'payment:' || $1`,
      [paymentId],
    )
    return rows.map((r) => r.details)
  }
  const reminded = (invoice: BuiltInvoice) => pay(invoice, () => nights(addDays(DUE, 7), addDays(DUE, 7)))

  test('a small rest is written off, and comes back with the payment', async () => {
    const invoice = await build({ totalMinor: 1_000_000, debtorKind: 'COMPANY' })
    await nights(addDays(DUE, 1), addDays(DUE, 6))
    const paymentId = await reminded(invoice)
    expect((await rowOf(invoice)).status).toBe('CLOSED')
    expect((await kindsOf(invoice)).slice(-2)).toEqual(['PAYMENT', 'WRITE_OFF'])
    const on = addDays(DUE, 20)
    expect(await reversePayment(context(), { instanceId: instance.id, paymentId }, on)).toBe(true)
    const back = await rowOf(invoice)
    expect(back).toMatchObject({ status: 'ACTIVATED', principal: 1_000_000, costs: 45_000 })
    expect(back.interest).toBeGreaterThan(0)
  })

  test('more than that is still owed', async () => {
    const invoice = await build({ totalMinor: 1_000_000 })
    await nights(addDays(DUE, 1), addDays(DUE, 6))
    await reminded(invoice)
    const { status, principal } = await rowOf(invoice)
    expect([status, principal > 2500]).toEqual(['ACTIVATED', true])
    expect((await kindsOf(invoice)).at(-1)).toBe('PAYMENT')
  })

  test('too much is the debtor’s credit, and somebody is asked to pay it back, once', async () => {
    const invoice = await build({ totalMinor: 100_000 })
    await dispute(invoice)
    const paymentId = await pay(invoice, () =>
      upholdDispute(context(), keyOf(invoice), { on: START, decision: 'x', creditMinor: 30_000 }),
    )
    expect((await rowOf(invoice)).status).toBe('CLOSED')
    expect(await creditOf(invoice)).toBe(30_000)
    expect(await refundsOf(paymentId)).toEqual([{ amountMinor: 30_000, currency: 'SEK' }])
    await server.product.sweepAll()
    expect(await refundsOf(paymentId)).toHaveLength(1)
    // Taken back, the surplus is gone with it and the rest is owed again.
    await reversePayment(context(), { instanceId: instance.id, paymentId }, START)
    expect(await creditOf(invoice)).toBe(0)
    expect(await rowOf(invoice)).toMatchObject({ status: 'ACTIVATED', principal: 70_000 })
  })
})

describe('interest that was paid late', () => {
  async function interestInvoices(invoice: BuiltInvoice) {
    const { rows } = await server.test.owner.query(
      `select invoice_number as number, status, total_minor::int as total, balance_minor::int as balance,
         expire_date::text as due, rows from invoice where type = 'INTEREST_INVOICE' and debtor_id = $1`,
      [invoice.debtorId],
    )
    return rows as { number: string; status: string; total: number; due: string; rows: unknown[] }[]
  }

  test('is billed once when it is worth it, by whatever number of nights', async () => {
    const invoice = await build({ totalMinor: 13_133_000 })
    await nights(addDays(DUE, 1), addDays(DUE, 7))
    const paidOn = addDays(DUE, 20)
    server.clock.moveTo(paidOn)
    await pay(invoice)
    const night = addDays(paidOn, 1)
    server.clock.moveTo(night)
    await Promise.all([1, 2, 3].map(() => runNight(context(), instance, night)))
    await nights(addDays(night, 1), addDays(night, 3))
    const billed = await interestInvoices(invoice)
    expect(billed).toEqual([
      expect.objectContaining({
        status: 'ACTIVATED',
        total: 46_775,
        balance: 46_775,
        due: addDays(night, 14),
      }),
    ])
    expect(billed[0]?.rows).toEqual([
      expect.objectContaining({ name: `Dröjsmålsränta på faktura ${invoice.number}`, amountMinor: 46_775 }),
    ])
    // The same reference opens the one that can be paid, and it bears no interest or fees of its own.
    const seen = (await server.call('GET', path(invoice))).json
    expect(seen).toMatchObject({ type: 'INTEREST_INVOICE', balances: { total: 467.75 } })
    await nights(addDays(night, 15), addDays(night, 40))
    const { rows } = await server.test.owner.query(
      `select interest_minor::int as interest, costs_minor::int as costs, status from invoice where type = 'INTEREST_INVOICE' and debtor_id = $1`,
      [invoice.debtorId],
    )
    expect(rows).toEqual([{ interest: 0, costs: 0, status: 'ACTIVATED' }])
  })

  test('is dropped when it is little, and none when paid in time', async () => {
    const [late, inTime] = [await build({ totalMinor: 100_000 }), await build({ totalMinor: 50_000_000 })]
    await pay(inTime)
    await nights(addDays(DUE, 1), addDays(DUE, 3))
    await pay(late)
    await nights(addDays(DUE, 4), addDays(DUE, 6))
    expect([await interestInvoices(late), await interestInvoices(inTime)]).toEqual([[], []])
  })
})
