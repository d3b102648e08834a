import { beforeAll, describe, expect, test } from 'vitest'
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
import { testDatabase, type TestDatabase } from '../testing/test-database.ts'
import { readClaimEvents, readInvoiceEvents } from '../ledger/ledger.ts'
import { applyToDebt } from '../payments/apply-payment.ts'
import { lockDebtOf } from '../payments/payable.ts'
import { movePaymentRow, readPayment, type PaymentRow } from '../payments/payments.queries.ts'
import { pauseClaim } from './decisions/claim-pause.ts'
import { performDailyRun } from './daily-run.ts'
import { reversePayment } from './decisions/reverse-payment.ts'

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

const context = () => ({ db: db.db, clock, log: openLog('silent'), config: readConfig({}) })

async function build(wishes: InvoiceWishes = {}): Promise<BuiltInvoice> {
  clock.moveTo(START)
  return buildInvoice(db, instance.id, clock, { dueDate: DUE, ...wishes })
}

async function nights(from: CalendarDate, days: number): Promise<void> {
  for (let n = 0; n < days; n++) {
    const day = addDays(from, n)
    clock.moveTo(day)
    await performDailyRun(context(), instance, day)
  }
}

/** A payment of the invoice, as it is after its start: the payer has signed it. */
async function sign(invoice: BuiltInvoice, amountMinor = 84_200): Promise<PaymentRow> {
  const { rows } = await db.owner.query<{ id: string }>(
    `insert into payment (instance_id, id, invoice_id, gateway, option, amount_minor, currency, execution_date, payee_name,
       payee_account, payee_scheme, payment_reference, status, redirect_uri, callback_secret, idempotency_key, request_hash)
     values ($1, gen_random_uuid(), $2, 'DIRECT_BANK', 'pay-now', $3, 'SEK', $4, 'x', '1', 'BANKGIRO', $5, 'AUTHORIZED', 'x',
       gen_random_uuid()::text, gen_random_uuid()::text, 'x') returning id`,
    [instance.id, invoice.id, amountMinor, DUE, invoice.reference],
  )
  return (await readPayment(db.db, instance.id, rows[0]?.id ?? '')) as PaymentRow
}

/** The bank has executed a payment that the payer began before the invoice joined its claim. */
async function settled(invoice: BuiltInvoice, amountMinor: number) {
  const payment = await sign(invoice, amountMinor)
  await db.db.transaction(async (tx) => {
    const locked = await lockDebtOf(tx, payment)
    movePaymentRow(tx, payment, { from: 'AUTHORIZED', to: 'COMPLETED', door: 'callback' })
    await applyToDebt(context(), tx, {
      locked,
      payment,
      to: 'COMPLETED',
      today: HANDED_OVER,
      valueOn: HANDED_OVER,
    })
  })
  return { instanceId: instance.id, paymentId: payment.id }
}

async function keyOf(invoice: BuiltInvoice) {
  const { rows } = await db.owner.query<{ claim_id: string }>('select claim_id from invoice where id = $1', [
    invoice.id,
  ])
  return { instanceId: instance.id, claimId: rows[0]?.claim_id ?? '' }
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
    expect(await story(first)).toEqual(['COLLECTION_CLAIM +0 PERFORMED', 'SCHEDULE_END +25 PLANNED'])
    expect(second.reference).toBe(first.reference)
  })

  test('each balance is the one after its event: interest before the fee and before the transfer', async () => {
    const invoice = await build({ totalMinor: 100_000 })
    await nights(DUE, 23)
    const on = await readInvoiceEvents(db.db, instance.id, invoice.id)
    expect(on.map(({ kind }) => kind)).toEqual([
      'INVOICE',
      'INTEREST',
      'REMINDER',
      'INTEREST',
      'TRANSFER_TO_CLAIM',
    ])
    expect(on.every(({ balance_minor: minor }) => minor >= 0)).toBe(true)
    expect(on.at(-1)?.balance_minor).toBe(0)
    const claim = await readClaimEvents(db.db, instance.id, (await keyOf(invoice)).claimId)
    expect(claim.map(({ kind }) => kind)).toEqual(['TRANSFER_TO_CLAIM', 'COLLECTION'])
  })

  test('twenty-four runs in one night make one claim with one fee', async () => {
    const invoice = await build()
    await build({ beside: invoice })
    await nights(DUE, 22)
    clock.moveTo(HANDED_OVER)
    await Promise.all(Array.from({ length: 24 }, () => performDailyRun(context(), instance, HANDED_OVER)))
    await performDailyRun(context(), instance, HANDED_OVER)
    const [claim, ...others] = await claimsOf(invoice)
    expect(others).toEqual([])
    expect(claim).toMatchObject({ costs: 2 * 6_000 + 18_000, members: 2 })
  })

  test('another debtor, creditor or currency is another claim', async () => {
    const one = await build()
    const other = await build()
    const euro = await build({ beside: one, currency: 'EUR' })
    await nights(DUE, 23)
    expect(await claimsOf(one)).toMatchObject([{ members: 1 }, { members: 1 }])
    expect(new Set((await claimsOf(one)).map((c) => c.currency))).toEqual(new Set(['EUR', 'SEK']))
    expect(await claimsOf(other)).toMatchObject([{ members: 1 }])
    // Fees and rates are written in kronor: what is owed in euro bears none.
    const inEuro = (await claimsOf(euro)).find((c) => c.currency === 'EUR')
    expect(inEuro).toMatchObject({ costs: 0, interest: 0 })
  })

  test('a company has paid its compensation: the demand is free', async () => {
    const invoice = await build({ debtorKind: 'COMPANY', totalMinor: 1_000_000 })
    await nights(DUE, 23)
    expect(await claimsOf(invoice)).toMatchObject([{ status: 'OPEN', costs: 45_000 }])
  })

  test('waits while a payment is signed, and comes when it failed', async () => {
    const invoice = await build()
    await sign(invoice)
    await nights(DUE, 30)
    expect(await claimsOf(invoice)).toEqual([])
    await db.owner.query(`update payment set status = 'FAILED' where invoice_id = $1`, [invoice.id])
    await nights(addDays(DUE, 30), 40)
    expect(await claimsOf(invoice)).toMatchObject([{ status: 'OPEN', members: 1 }])
  })
})

describe('a claim that nobody pays', () => {
  test('costs nothing more and names no court by itself: its creditor is asked, once', async () => {
    const invoice = await build({ totalMinor: 100_000 })
    await nights(DUE, 22 + 25 + 90 + 2)
    const [claim] = await claimsOf(invoice)
    // 22 days of interest until it was joined, in two postings, at 10 %.
    expect(claim).toMatchObject({ status: 'OPEN', costs: 6_000 + 18_000, interest: 192 + 411 })
    expect(await story(invoice)).toEqual(['COLLECTION_CLAIM +0 PERFORMED', 'SCHEDULE_END +25 ASKED'])
    const { rows } = await db.owner.query(`select kind, done_at from task where about = 'claim:' || $1`, [
      (await keyOf(invoice)).claimId,
    ])
    expect(rows).toEqual([{ kind: 'schedule_ended', done_at: null }])
  })

  test('paused: nothing happens, and afterwards it goes on later', async () => {
    const invoice = await build()
    await nights(DUE, 23)
    const pausedOn = addDays(HANDED_OVER, 5)
    const claim = await keyOf(invoice)
    await pauseClaim(context(), claim, { on: pausedOn, reason: 'respite', resumeDate: addDays(pausedOn, 40) })
    await nights(pausedOn, 40)
    expect((await story(invoice)).at(-1)).toBe('SCHEDULE_END +25 ON_HOLD')
    await nights(addDays(pausedOn, 40), 1)
    expect(await claimsOf(invoice)).toMatchObject([{ status: 'RESUME', costs: 24_000 }])
    expect((await story(invoice)).at(-1)).toBe('SCHEDULE_END +65 PLANNED')
  })
})

describe('a payment that comes after all', () => {
  test('on an invoice that has joined a claim settles the claim', async () => {
    const invoice = await build({ totalMinor: 100_000 })
    await nights(DUE, 23)
    const { rows } = await db.owner.query(
      `select balance_minor::int as owed from claim where debtor_id = $1`,
      [invoice.debtorId],
    )
    const payment = await settled(invoice, rows[0].owed)
    expect(await claimsOf(invoice)).toMatchObject([{ status: 'CLOSED', principal: 0, costs: 0, interest: 0 }])
    // And taken back: the claim is owed again, for as much, and goes on.
    expect(await reversePayment(context(), payment, HANDED_OVER)).toBe(true)
    expect(await reversePayment(context(), payment, HANDED_OVER)).toBe(false)
    expect(await claimsOf(invoice)).toMatchObject([{ status: 'RESUME', principal: 100_000, costs: 24_000 }])
    expect((await story(invoice)).filter((s) => s.endsWith('PLANNED'))).toHaveLength(1)
  })

  test('in part goes to costs, interest and principal in this order, and too much is the debtor’s credit', async () => {
    const invoice = await build({ totalMinor: 100_000 })
    await nights(DUE, 23)
    await settled(invoice, 30_000)
    expect(await claimsOf(invoice)).toMatchObject([
      { status: 'OPEN', costs: 0, interest: 0, principal: 100_000 - (30_000 - 24_000 - 603) },
    ])
    await settled(invoice, 200_000)
    expect(await claimsOf(invoice)).toMatchObject([{ status: 'CLOSED', principal: 0 }])
    const { rows } = await db.owner.query(
      `select (-balance_minor)::int as credit from ledger_account where kind = 'credit' and debtor_id = $1`,
      [invoice.debtorId],
    )
    expect(rows).toEqual([{ credit: 230_000 - 124_603 }])
  })
})
