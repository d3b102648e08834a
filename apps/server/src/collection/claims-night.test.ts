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
import { runNight } from './night.ts'

let db: TestDatabase
let instance: { id: string; timeZone: string }
const clock = testClock()
const START = date('2026-03-02')
const DUE = addDays(START, 30)
/** The day on which a Swedish person's invoice of START is handed over. */
const HANDED_OVER = addDays(DUE, 22)

beforeAll(async () => {
  db = await testDatabase()
  instance = { id: (await buildInstance(db)).id, timeZone: 'Europe/Stockholm' }
})

const context = () => ({ db: db.db, clock, log: openLog('silent') })

async function build(wishes: InvoiceWishes = {}): Promise<BuiltInvoice> {
  clock.moveTo(START)
  return buildInvoice(db, instance.id, clock, { dueDate: DUE, ...wishes })
}

async function nights(from: CalendarDate, days: number): Promise<void> {
  for (let n = 0; n < days; n++) {
    const day = addDays(from, n)
    clock.moveTo(day)
    await runNight(context(), instance, day)
  }
}

async function claimsOf(invoice: BuiltInvoice) {
  const { rows } = await db.owner.query(
    `select status, principal_minor::int as principal, costs_minor::int as costs, interest_minor::int as interest,
       expire_date::text as "expireDate", total_minor::int as total, zip, currency,
       (select count(*)::int from invoice i where i.claim_id = c.id) as members
     from claim c where debtor_id = $1 order by created_at`,
    [invoice.debtorId],
  )
  return rows
}

async function story(invoice: BuiltInvoice) {
  const { rows } = await db.owner.query<{ type: string; number: number; after: number; status: string }>(
    `select s.type, s.number, (coalesce(s.performed_date, s.planned_date) - c.opened_on) as after, s.status
     from collection_step s join claim c on c.id = s.claim_id where c.debtor_id = $1 order by 3, s.type, s.number`,
    [invoice.debtorId],
  )
  return rows.map((s) => `${s.type} +${s.after} ${s.status}`)
}

describe('hand-over', () => {
  test('a person’s two invoices become one claim with one fee, and owe nothing themselves', async () => {
    const first = await build({ totalMinor: 100_000 })
    const second = await build({ beside: first, totalMinor: 50_000 })
    await nights(DUE, 23)
    const [claim, ...others] = await claimsOf(first)
    expect(others).toEqual([])
    // Interest at 10 %: 22 days on 1,000.00 (1.92 with the reminder, 4.11 with the hand-over) and on 500.00.
    expect(claim).toMatchObject({
      status: 'OPEN',
      principal: 150_000,
      costs: 2 * 6_000 + 18_000,
      total: 150_000,
      members: 2,
      zip: first.zip,
      // Ten days would do, but 1 May is no bank day and six of those are given.
      expireDate: addDays(HANDED_OVER, 11),
    })
    expect(claim.interest).toBe(192 + 411 + 301)
    const { rows } = await db.owner.query(
      `select status, balance_minor::int as balance, claim_id is not null as joined from invoice where debtor_id = $1`,
      [first.debtorId],
    )
    expect(rows).toEqual([
      { status: 'ACTIVATED', balance: 0, joined: true },
      { status: 'ACTIVATED', balance: 0, joined: true },
    ])
    expect(await story(first)).toEqual([
      'COLLECTION_CLAIM +0 PERFORMED',
      'BAILIFF_PAYMENT_INJUCTION +25 PLANNED',
    ])
    expect(second.reference).toBe(first.reference)
  })
})
