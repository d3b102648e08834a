/** What comes after a payment: it is taken back, it was another sum, or it was late and its interest is billed. */
import { describe, expect, test } from 'vitest'
import { addDays } from '@kvitt/domain/calendar.ts'
import type { BuiltInvoice } from '../testing/build.ts'
import {
  build,
  context,
  creditOf,
  dispute,
  DUE,
  instance,
  keyOf,
  nights,
  path,
  pay,
  plannedOf,
  rowOf,
  server,
  START,
  useInvoices,
} from '../testing/debts/one-invoice.ts'
import { reversePayment, upholdDispute } from './collection.ts'
import { performDailyRun } from './daily-run.ts'

useInvoices()

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
      `select details from task where kind = 'refund' and about = 'payment:' || $1`,
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
    await Promise.all([1, 2, 3].map(() => performDailyRun(context(), instance, night)))
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
