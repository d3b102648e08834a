/** A fee that nobody agreed on, and a figure that nobody has confirmed, are not charged where debts are real. */
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { addDays, date, type CalendarDate } from '@kvitt/domain/calendar.ts'
import { readConfig } from '../../config/config.ts'
import { openLog } from '../platform/log.ts'
import {
  buildInstance,
  buildInvoice,
  testClock,
  type BuiltInvoice,
  type InvoiceWishes,
} from '../testing/build.ts'
import { openTask } from '../tasks/tasks.ts'
import { testDatabase, type TestDatabase } from '../testing/test-database.ts'
import { performDailyRun } from './daily-run.ts'

let db: TestDatabase
let real: string
let played: string
let counter = 0
const clock = testClock()

beforeAll(async () => {
  db = await testDatabase()
  played = (await buildInstance(db)).id
})
// Each test has one of its own: what is asked for names the debt that needs it first.
beforeEach(async () => {
  real = (await buildInstance(db, { alias: `real-${(counter += 1)}`, isDefault: false })).id
  await db.owner.query(`update instance set mode = 'live' where id = $1`, [real])
})

const context = () => ({ db: db.db, clock, log: openLog('silent'), config: readConfig({}) })

/** An invoice that was made thirty days before it was due. */
async function build(
  instanceId: string,
  dueDate: CalendarDate,
  wishes: InvoiceWishes = {},
): Promise<BuiltInvoice> {
  clock.moveTo(addDays(dueDate, -30))
  return buildInvoice(db, instanceId, clock, { dueDate, ...wishes })
}

async function nights(instanceId: string, from: CalendarDate, to: CalendarDate): Promise<void> {
  for (let day = from; day <= to; day = addDays(day, 1)) {
    clock.moveTo(day)
    await performDailyRun(context(), { id: instanceId, timeZone: 'Europe/Stockholm' }, day)
  }
}

const chargesOf = async ({ id }: BuiltInvoice): Promise<string[]> =>
  (
    await db.owner.query<{ charge: string }>(
      `select t.kind || ' ' || t.booked_on as charge from ledger_transaction t
       where t.invoice_id = $1 and t.kind in ('REMINDER', 'INTEREST') order by 1`,
      [id],
    )
  ).rows.map(({ charge }) => charge)

const performedOf = async ({ id }: BuiltInvoice, type: string): Promise<string[]> =>
  (
    await db.owner.query<{ day: string }>(
      `select performed_date::text as day from collection_step where invoice_id = $1 and type = $2 and status = 'PERFORMED'`,
      [id, type],
    )
  ).rows.map(({ day }) => day)

type Task = { about: string; details: unknown }
const tasksOf = async (instanceId: string): Promise<Task[]> =>
  (
    await db.owner.query<Task>(
      `select about, details from task where instance_id = $1 and kind = 'rate_unknown' and done_at is null order by about`,
      [instanceId],
    )
  ).rows

describe('a reminder fee', () => {
  const DUE = date('2026-03-02')
  const ISSUED = addDays(DUE, -30)

  test.each([
    ['nobody has agreed', null, []],
    ['it was agreed the day after the debt arose', addDays(ISSUED, 1), []],
    ['it was agreed the day on which the debt arose', ISSUED, [`REMINDER ${addDays(DUE, 7)}`]],
  ])('%s', async (_, agreedOn, charged) => {
    const invoice = await build(real, DUE, { totalMinor: 50_000 })
    await db.owner.query(
      'update creditor set reminder_fee_agreed_on = $2, reminder_fee_source = $3 where id = $1',
      [invoice.creditorId, agreedOn, agreedOn && 'Order 7'],
    )
    await nights(real, addDays(DUE, 1), addDays(DUE, 8))
    // The letter goes without it.
    expect(await performedOf(invoice, 'REMINDER')).toEqual([addDays(DUE, 7)])
    expect((await chargesOf(invoice)).filter((charge) => charge.startsWith('REMINDER'))).toEqual(charged)
  })

  test('is not agreed unless somebody says when and where', async () => {
    const { creditorId } = await build(real, DUE)
    const set = (agreedOn: string | null, source: string | null) =>
      db.owner.query(
        'update creditor set reminder_fee_agreed_on = $2, reminder_fee_source = $3 where id = $1',
        [creditorId, agreedOn, source],
      )
    await expect(set('2026-01-01', null)).rejects.toThrow(/check/)
    await expect(set('2026-01-01', '')).rejects.toThrow(/check/)
    await expect(set(null, 'Order 7')).rejects.toThrow(/check/)
  })
})

describe('the Swedish rate from 2026-07-01, which no source gives,', () => {
  // The reminder of this invoice is due on 8 July, and bears interest of the new half-year.
  const DUE = date('2026-07-01')

  test('holds in the demo', async () => {
    const invoice = await build(played, DUE, { totalMinor: 500_000 })
    await nights(played, addDays(DUE, -20), addDays(DUE, 8))
    expect(await chargesOf(invoice)).toEqual([`INTEREST ${addDays(DUE, 7)}`, `REMINDER ${addDays(DUE, 7)}`])
    expect(await tasksOf(played)).toEqual([])
  })

  test('is asked for before a night needs it, once, and nothing is charged without it', async () => {
    const invoice = await build(real, DUE, { totalMinor: 500_000 })
    const missing = {
      missing: 'SE consumer late interest 2026 H2',
      debt: invoice.number,
      period: { from: '2026-07-01', to: '2026-12-31' },
      neededOn: '2026-07-08',
    }
    // Its reminder is planned with the notice of the second day.
    await nights(real, addDays(DUE, -20), addDays(DUE, 2))
    const asked = [{ about: 'SE consumer late interest 2026 H2', details: missing }]
    expect(await tasksOf(real)).toEqual(asked)
    await nights(real, addDays(DUE, 3), addDays(DUE, 9))
    expect(await tasksOf(real)).toEqual(asked)
    expect([await chargesOf(invoice), await performedOf(invoice, 'REMINDER')]).toEqual([[], []])
  })
})

test('what was planned long before the turn of a half-year is asked for two weeks ahead', async () => {
  const dueDate = date('2026-06-16')
  const invoice = await build(real, dueDate, { totalMinor: 700_000, debtorKind: 'COMPANY' })
  await db.owner.query(
    `insert into collection_step (instance_id, id, invoice_id, type, number, planned_date, status)
     values ($1, gen_random_uuid(), $2, 'REMINDER', 1, '2026-07-03', 'PLANNED')`,
    [real, invoice.id],
  )
  const about = 'SE business late interest 2026 H2'
  await nights(real, date('2026-06-16'), date('2026-06-16'))
  expect((await tasksOf(real)).map((task) => task.about)).not.toContain(about)
  await nights(real, date('2026-06-19'), date('2026-06-19'))
  expect(await tasksOf(real)).toContainEqual({
    about,
    details: {
      missing: about,
      debt: invoice.number,
      period: { from: '2026-07-01', to: '2026-12-31' },
      neededOn: '2026-07-03',
    },
  })
})

test('a task ends when the figure is known', async () => {
  await build(real, date('2026-03-02'))
  for (const half of ['H1', 'H2']) {
    const about = `SE consumer late interest 2026 ${half}`
    await openTask(db.db, { instanceId: real, kind: 'rate_unknown', about, details: {} })
  }
  await nights(real, date('2026-03-02'), date('2026-03-02'))
  expect((await tasksOf(real)).map(({ about }) => about)).toEqual(['SE consumer late interest 2026 H2'])
})
