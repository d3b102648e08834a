import { beforeAll, describe, expect, test } from 'vitest'
import { addDays, date, type CalendarDate } from '@kvitt/domain/calendar.ts'
import { openLog } from '../platform/log.ts'
import {
  buildInstance,
  buildInvoice,
  testClock,
  type BuiltInvoice,
  type InvoiceWishes,
} from '../testing/build.ts'
import { testDatabase, type TestDatabase } from '../testing/test-database.ts'
import { pauseInvoice, stopInvoice } from './collection.ts'
import { performDueRuns, performDailyRun } from './daily-run.ts'

let db: TestDatabase
let instance: { id: string; timeZone: string }
const clock = testClock()
const START = date('2026-03-02')

beforeAll(async () => {
  db = await testDatabase()
  instance = { id: (await buildInstance(db)).id, timeZone: 'Europe/Stockholm' }
})

const context = () => ({ db: db.db, clock, log: openLog('silent') })

/** An invoice sent on START and due thirty days later. */
async function build(wishes: InvoiceWishes = {}): Promise<BuiltInvoice> {
  clock.moveTo(START)
  return buildInvoice(db, instance.id, clock, { dueDate: addDays(START, 30), ...wishes })
}

const DUE = addDays(START, 30)

async function nights(from: CalendarDate, days: number): Promise<void> {
  for (let n = 0; n < days; n++) {
    const day = addDays(from, n)
    clock.moveTo(day)
    await performDailyRun(context(), instance, day)
  }
}

async function story(invoice: BuiltInvoice) {
  const steps = await db.owner.query<{ type: string; after: number; status: string }>(
    `select s.type, (coalesce(s.performed_date, s.planned_date) - i.expire_date) as after, s.status
     from collection_step s join invoice i on i.id = s.invoice_id
     where s.invoice_id = $1 and s.type <> 'INVOICE' order by 2, s.type`,
    [invoice.id],
  )
  return steps.rows.map((s) => `${s.type} +${s.after} ${s.status}`)
}

async function amounts(invoice: BuiltInvoice) {
  const { rows } = await db.owner.query(
    'select principal_minor::int as principal, costs_minor::int as costs, interest_minor::int as interest from invoice where id = $1',
    [invoice.id],
  )
  return rows[0] as { principal: number; costs: number; interest: number }
}

describe('a Swedish person who does not pay', () => {
  test('is overdue, noticed and reminded once, and the fee and interest are posted with the reminder', async () => {
    const invoice = await build({ totalMinor: 100_000 })
    await nights(DUE, 22)
    expect(await story(invoice)).toEqual([
      'EXPIRED +1 PERFORMED',
      'EXPIRED_NOTIFICATION +2 PERFORMED',
      'REMINDER +7 PERFORMED',
      'COLLECTION_NOTIFICATION +20 PERFORMED',
      'COLLECTION +22 PLANNED',
    ])
    // 1 000.00 kr for 7 days at 10 %: 1.92 kr.
    expect(await amounts(invoice)).toEqual({ principal: 100_000, costs: 6_000, interest: 192 })
  })

  test('twenty-four runs in one night post each fee once', async () => {
    const invoice = await build()
    await nights(DUE, 7)
    const day = addDays(DUE, 7)
    clock.moveTo(day)
    await Promise.all(Array.from({ length: 24 }, () => performDailyRun(context(), instance, day)))
    await performDailyRun(context(), instance, day)
    expect((await amounts(invoice)).costs).toBe(6_000)
  })

  test('nights that were missed are made up for, one by one', async () => {
    const invoice = await build()
    await db.owner.query('delete from collection_night')
    clock.moveTo(DUE)
    await performDueRuns(context(), instance)
    clock.moveTo(addDays(DUE, 30))
    await performDueRuns(context(), instance)
    const { rows } = await db.owner.query('select count(*)::int as nights from collection_night')
    expect(rows[0]).toEqual({ nights: 31 })
    expect((await story(invoice)).slice(0, 3)).toEqual([
      'EXPIRED +1 PERFORMED',
      'EXPIRED_NOTIFICATION +2 PERFORMED',
      'REMINDER +7 PERFORMED',
    ])
  })
})

test('a Swedish company owes late payment compensation instead of a reminder fee', async () => {
  const invoice = await build({ totalMinor: 1_575_000, debtorKind: 'COMPANY' })
  await nights(DUE, 20)
  expect((await amounts(invoice)).costs).toBe(45_000)
  expect((await story(invoice)).filter((s) => s.startsWith('DELAYED'))).toEqual([
    'DELAYED_PENALTY_FEE +1 PERFORMED',
  ])
})

describe('nothing is added', () => {
  test('while the invoice is paused; afterwards it goes on, later', async () => {
    const invoice = await build()
    await nights(DUE, 4)
    const pausedOn = addDays(DUE, 4)
    const key = { instanceId: instance.id, invoiceId: invoice.id }
    await pauseInvoice(context(), key, { on: pausedOn, reason: 'respite', resumeDate: addDays(pausedOn, 10) })
    await nights(pausedOn, 10)
    expect((await story(invoice)).at(-1)).toBe('REMINDER +7 ON_HOLD')
    await nights(addDays(pausedOn, 10), 1)
    expect((await story(invoice)).at(-1)).toMatch(/REMINDER \+(1[7-9]|2\d) PLANNED/)
    expect((await amounts(invoice)).costs).toBe(0)
  })

  test('when it was stopped, and what was planned is cancelled', async () => {
    const invoice = await build()
    await nights(DUE, 4)
    const key = { instanceId: instance.id, invoiceId: invoice.id }
    await stopInvoice(context(), key, { on: addDays(DUE, 4), reason: 'withdrawn' })
    await nights(addDays(DUE, 4), 30)
    expect((await story(invoice)).at(-1)).toBe('REMINDER +7 CANCELLED')
    expect(await amounts(invoice)).toMatchObject({ costs: 0, interest: 0 })
  })

  test('to a credit invoice', async () => {
    const credit = await build({ type: 'CREDIT_INVOICE', totalMinor: -5_000 })
    await nights(DUE, 30)
    expect(await story(credit)).toEqual([])
  })
})

test('a rate that nobody has entered stops that posting, and a person is asked once', async () => {
  const invoice = await build()
  const far = addDays(DUE, 0)
  await nights(far, 2)
  await db.owner.query(`update creditor set country = 'DK' where id = $1`, [invoice.creditorId])
  await nights(addDays(far, 2), 30)
  // A Danish creditor's invoice in Swedish kronor bears no fee that is written in Danish ones.
  expect(await amounts(invoice)).toMatchObject({ costs: 0 })
})
