/** Settlements from the books: each entry once, whatever comes late, twice, at once or is cut off. Amounts are öre. */
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { addDays, date, type CalendarDate } from '@kvitt/domain/calendar.ts'
import { performDailyRun, reversePayment } from '../collection/collection.ts'
import { openLog } from '../platform/log.ts'
import { buildInvoice, type BuiltInvoice, type InvoiceWishes } from '../testing/build.ts'
import { transfer } from '../testing/debts/transfer.ts'
import { signInStaff } from '../testing/staff.ts'
import { startTestServer, type TestServer } from '../testing/start-test-server.ts'
import { countAgain, enterAgreement, makeDueSettlements, makeSettlements } from './settlements.ts'

let server: TestServer
let instance: { id: string; timeZone: string }
/** A Monday. Each test has an invoice of a creditor of its own. */
const MONDAY = date('2026-11-02')
let one: BuiltInvoice

const AGREED = {
  from: '2026-11-02',
  invoiceCommissionBp: 1_000,
  claimCommissionBp: 2_000,
  currency: 'SEK',
  paymentPriceMinor: 200,
  casePriceMinor: 0,
  vatBp: 2_500,
  period: 'WEEK' as const,
  smallestPayoutMinor: 5_000,
  source: 'Agreement, section 6',
  by: 'person:Eva Berg',
}

beforeAll(async () => {
  server = await startTestServer()
  instance = { id: server.instanceId, timeZone: 'Europe/Stockholm' }
})
beforeEach(() => server.clock.moveTo(MONDAY))

const context = () => ({ db: server.test.db, clock: server.clock, log: openLog('silent') })
const sql = async (text: string, values: unknown[] = []) => (await server.test.owner.query(text, values)).rows

async function build(wishes: InvoiceWishes = {}): Promise<void> {
  one = await buildInvoice(server.test, server.instanceId, server.clock, { totalMinor: 100_000, ...wishes })
}
const agree = (wanted: Partial<typeof AGREED> = {}) =>
  enterAgreement(context(), instance, { ...AGREED, ...wanted, creditor: one.creditorId })

async function payOn(day: CalendarDate, amountMinor: number, onDay?: CalendarDate): Promise<void> {
  server.clock.moveTo(day)
  await transfer(server, one, amountMinor, onDay)
}

async function settleOn(day: CalendarDate): Promise<void> {
  server.clock.moveTo(day)
  await makeSettlements(context(), instance, day)
}

/** As `from..to STATUS collected-fees-vat-corrections=paidOut`; each counted anew comes to the same. */
async function settlements(): Promise<string[]> {
  const rows = await sql(
    `select id, period_from::text || '..' || period_to::text as period, status, collected_minor::int as collected,
       fees_minor::int as fees, vat_minor::int as vat, corrections_minor::int as corrections, paid_out_minor::int as out
     from settlement where creditor_id = $1 order by currency, number`,
    [one.creditorId],
  )
  for (const row of rows)
    expect(await countAgain(context(), server.instanceId, row.id)).toMatchObject({
      collectedMinor: row.collected,
      feesMinor: row.fees,
      vatMinor: row.vat,
      correctionsMinor: row.corrections,
      paidOutMinor: row.out,
    })
  return rows.map(
    ({ period, status, collected, fees, vat, corrections, out }) =>
      `${period} ${status} ${collected}-${fees}-${vat}-${corrections}=${out}`,
  )
}

async function lastPaymentId(): Promise<string> {
  const [row] = await sql(
    `select split_part(cause, ':', 2) as id from ledger_transaction where invoice_id = $1 and kind = 'PAYMENT' order by id desc limit 1`,
    [one.id],
  )
  return row.id
}

// 400.00: 10 % and 2.00 are 42.00, VAT 10.50.
const FIRST = '2026-11-02..2026-11-08 TO_APPROVE 40000-4200-1050-0=34750'

test('a week that has ended, and not before; again it changes nothing', async () => {
  await build()
  await agree()
  await payOn(addDays(MONDAY, 2), 40_000)
  await settleOn(addDays(MONDAY, 6))
  expect(await settlements()).toEqual([])
  await settleOn(addDays(MONDAY, 7))
  await settleOn(addDays(MONDAY, 8))
  expect(await settlements()).toEqual([FIRST])
})

test('two processes at once make it once', async () => {
  await build()
  await agree()
  await payOn(MONDAY, 40_000)
  server.clock.moveTo(addDays(MONDAY, 7))
  await Promise.all([1, 2, 3].map(() => makeSettlements(context(), instance, addDays(MONDAY, 7))))
  expect(await settlements()).toEqual([FIRST])
})

test('one that was cut off after it took up its entries is counted by the next', async () => {
  await build()
  await agree()
  await payOn(MONDAY, 40_000)
  server.clock.moveTo(addDays(MONDAY, 7))
  const { db } = context()
  let begun = 0
  const cut: typeof db = {
    ...db,
    transaction: (work) => {
      if (++begun > 2) throw new Error('the machine died')
      return db.transaction(work)
    },
  }
  await expect(makeSettlements({ ...context(), db: cut }, instance, addDays(MONDAY, 7))).rejects.toThrow(
    /died/,
  )
  const [row] = await sql('select status from settlement where creditor_id = $1', [one.creditorId])
  expect(row).toEqual({ status: 'COUNTING' })
  // What comes now is not in it.
  await payOn(addDays(MONDAY, 7), 1_000, MONDAY)
  await settleOn(addDays(MONDAY, 7))
  expect(await settlements()).toEqual([FIRST])
})

test('one that cannot be counted does not stop the others, and is counted when it can be', async () => {
  await build()
  await agree()
  await payOn(MONDAY, 40_000)
  const failing = one
  await build()
  await agree()
  await payOn(MONDAY, 40_000)
  await sql(
    `alter table settlement add constraint fails check (creditor_id <> '${failing.creditorId}' or status = 'COUNTING') not valid`,
  )
  await settleOn(addDays(MONDAY, 7))
  expect(await settlements()).toEqual([FIRST])
  await sql('alter table settlement drop constraint fails')
  one = failing
  const [row] = await sql('select status from settlement where creditor_id = $1', [one.creditorId])
  expect(row).toEqual({ status: 'COUNTING' })
  await settleOn(addDays(MONDAY, 8))
  expect(await settlements()).toEqual([FIRST])
})

test('money of an earlier day that was told of later is in the next', async () => {
  await build()
  await agree()
  await payOn(MONDAY, 40_000)
  await payOn(addDays(MONDAY, 7), 20_000, addDays(MONDAY, 3))
  await settleOn(addDays(MONDAY, 14))
  expect(await settlements()).toEqual([FIRST, '2026-11-09..2026-11-15 TO_APPROVE 20000-2200-550-0=17250'])
})

test('a payment that is taken back after it was settled is owed by the creditor until more comes', async () => {
  await build()
  await agree()
  await payOn(MONDAY, 40_000)
  await settleOn(addDays(MONDAY, 7))
  server.clock.moveTo(addDays(MONDAY, 8))
  const payment = { instanceId: server.instanceId, paymentId: await lastPaymentId() }
  await reversePayment(context(), payment, addDays(MONDAY, 8))
  await settleOn(addDays(MONDAY, 14))
  // 400.00 goes back with the commission of 40.00 and its VAT of 10.00: 350.00 is owed.
  await payOn(addDays(MONDAY, 15), 100_000)
  await settleOn(addDays(MONDAY, 21))
  // 1,000.00: 102.00 and 25.50, and the 350.00.
  expect(await settlements()).toEqual([
    FIRST,
    '2026-11-09..2026-11-15 CARRIED 0--4000--1000-5000=0',
    '2026-11-16..2026-11-22 TO_APPROVE 100000-10200-2550-35000=52250',
  ])
})

test('what is too much goes back to the debtor and is not the creditor’s', async () => {
  await build({ totalMinor: 40_000 })
  await agree()
  await payOn(MONDAY, 55_000)
  await settleOn(addDays(MONDAY, 7))
  expect(await settlements()).toEqual([FIRST])
})

// 1,500.00 on a debt of 1,000.00: 10 % of 1,000.00 and 2.00, 25.50 VAT. Then nothing is agreed any more, and all goes back but the 2.00.
test('what was too much of a payment that is taken back bore the rate of that payment', async () => {
  await build()
  await agree()
  await agree({ from: '2026-11-09', invoiceCommissionBp: 0, paymentPriceMinor: 0, smallestPayoutMinor: 0 })
  await payOn(MONDAY, 150_000)
  await settleOn(addDays(MONDAY, 7))
  server.clock.moveTo(addDays(MONDAY, 8))
  const payment = { instanceId: server.instanceId, paymentId: await lastPaymentId() }
  await reversePayment(context(), payment, addDays(MONDAY, 8))
  await settleOn(addDays(MONDAY, 14))
  expect(await settlements()).toEqual([
    '2026-11-02..2026-11-08 TO_APPROVE 100000-10200-2550-0=87250',
    '2026-11-09..2026-11-15 CARRIED 0--10000--2500-12500=0',
  ])
})

test('less than the smallest payout waits for the next', async () => {
  await build()
  await agree()
  await payOn(MONDAY, 5_000)
  await payOn(addDays(MONDAY, 7), 5_000)
  await settleOn(addDays(MONDAY, 14))
  // 50.00 less 7.00 and 1.75 is 41.25, twice.
  expect(await settlements()).toEqual([
    '2026-11-02..2026-11-08 CARRIED 5000-700-175-4125=0',
    '2026-11-09..2026-11-15 TO_APPROVE 5000-700-175--4125=8250',
  ])
})

test('what was paid to the creditor itself bears commission and is neither collected nor paid out', async () => {
  await build()
  await agree()
  const at = { instanceId: server.instanceId, creditorId: one.creditorId, role: 'clerk' } as const
  const headers = await signInStaff(server.product.context, at)
  const path = `/api/client/invoices/${one.id}/direct-payment`
  const paid = await server.call('POST', path, { headers, body: { amount: 300, date: MONDAY } })
  expect(paid.status, paid.text).toBe(200)
  await settleOn(addDays(MONDAY, 7))
  expect(await settlements()).toEqual(['2026-11-02..2026-11-08 CARRIED 0-3000-750--3750=0'])
})

test('without an agreement each month is settled and nothing is taken', async () => {
  await build()
  await payOn(MONDAY, 40_000)
  await settleOn(date('2026-11-30'))
  expect(await settlements()).toEqual([])
  await settleOn(date('2026-12-01'))
  expect(await settlements()).toEqual(['2026-11-01..2026-11-30 TO_APPROVE 40000-0-0-0=40000'])
})

test('a reminder’s fee that was paid is the operator’s', async () => {
  server.clock.moveTo(addDays(MONDAY, -40))
  await build({ dueDate: addDays(MONDAY, -10) })
  for (const day of [addDays(MONDAY, -9), addDays(MONDAY, -3)]) {
    server.clock.moveTo(day)
    await performDailyRun({ ...context(), config: server.product.context.config }, instance, day)
  }
  const [owed] = await sql(
    'select costs_minor::int as costs, interest_minor::int as interest from invoice where id = $1',
    [one.id],
  )
  expect(owed.costs).toBe(6_000)
  server.clock.moveTo(MONDAY)
  await agree()
  // What is agreed after the payment changes neither its commission nor what of it bears none.
  await agree({ from: addDays(MONDAY, 3), invoiceCommissionBp: 0, vatBp: 0 })
  await payOn(MONDAY, 106_000 + owed.interest)
  await settleOn(addDays(MONDAY, 7))
  const [row] = await sql(
    `select kind, amount_minor::int as minor from settlement_line l join settlement s on s.id = l.settlement_id
     where s.creditor_id = $1 and kind = 'DEBTOR_FEE'`,
    [one.creditorId],
  )
  expect(row).toEqual({ kind: 'DEBTOR_FEE', minor: 6_000 })
  const [settled] = await settlements()
  const base = 100_000 + owed.interest
  const fees = 6_000 + Math.round(base / 10) + 200
  expect(settled).toContain(` ${base + 6_000}-${fees}-${Math.round(fees / 4)}-`)
})

test('the job does each day once', async () => {
  await build()
  await agree()
  await payOn(MONDAY, 40_000)
  server.clock.moveTo(addDays(MONDAY, 60))
  await makeDueSettlements(context(), [instance])
  expect(await settlements()).toEqual([FIRST])
  await payOn(addDays(MONDAY, 59), 1_000)
  server.clock.moveTo(addDays(MONDAY, 60))
  await makeDueSettlements(context(), [instance])
  expect(await settlements()).toEqual([FIRST])
})

test.each([
  [{ from: '2026-11-01' }, /is past/],
  [{ source: ' ' }, /written/],
  [{ vatBp: 10_001 }, /per cent/],
  [{ paymentPriceMinor: -1 }, /price/],
  [{ currency: 'XXX' }, /currency/],
])('an agreement of %o is refused', async (wanted, sentence) => {
  await build()
  await expect(agree(wanted)).rejects.toThrow(sentence)
})

test('the same agreement again is entered once, and nobody changes it', async () => {
  await build()
  expect(await agree()).toHaveLength(1)
  expect(await agree()).toHaveLength(1)
  expect(await agree({ vatBp: 0 })).toHaveLength(2)
  await expect(sql('update creditor_agreement set vat_bp = 1')).rejects.toThrow(/append-only/)
  await expect(sql('delete from settlement_entry')).rejects.toThrow(/append-only/)
})
