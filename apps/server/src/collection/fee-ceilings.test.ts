/** What a debtor has paid of its fees was charged all the same: it makes no room for more. */
import { beforeAll, expect, test } from 'vitest'
import { addDays, date, type CalendarDate } from '@kvitt/domain/calendar.ts'
import { readConfig } from '../../config/config.ts'
import { applyReceived } from '../payments/apply-payment.ts'
import { lockDebtOf } from '../payments/payable.ts'
import { CHARGED_ON_INVOICE } from '../ledger/ledger.ts'
import { lockInvoiceRow } from '../invoices/invoices.ts'
import { newId } from '../platform/identity.ts'
import { openLog } from '../platform/log.ts'
import {
  buildInstance,
  buildInvoice,
  testClock,
  type BuiltInvoice,
  type InvoiceWishes,
} from '../testing/build.ts'
import { testDatabase, type TestDatabase } from '../testing/test-database.ts'
import { dropLettersOf } from '../unsent-letters/unsent-letters.ts'
import { decideDebt } from './collection.ts'
import { performDailyRun } from './daily-run.ts'

let db: TestDatabase
let instance: { id: string; timeZone: string }
const clock = testClock()
const START = date('2025-01-02')
const DUE = addDays(START, 30)

beforeAll(async () => {
  db = await testDatabase()
  instance = { id: (await buildInstance(db)).id, timeZone: 'Europe/Stockholm' }
})

const context = () => ({ db: db.db, clock, log: openLog('silent'), config: readConfig({}) })

async function build(
  country: 'NO' | 'DK' | 'FI' | 'SE',
  currency: 'NOK' | 'DKK' | 'EUR' | 'SEK',
  invoices: readonly InvoiceWishes[],
): Promise<BuiltInvoice[]> {
  const built: BuiltInvoice[] = []
  clock.moveTo(START)
  for (const wishes of invoices) {
    const beside = built[0] ? { beside: built[0] } : {}
    built.push(await buildInvoice(db, instance.id, clock, { dueDate: DUE, currency, ...beside, ...wishes }))
  }
  await db.owner.query('update creditor set country = $2 where id = $1', [built[0]?.creditorId, country])
  return built
}

/** Nights from a day after the due date until `isDone`. Answers the last night. */
async function nights(
  from: CalendarDate,
  isDone: (day: CalendarDate) => Promise<boolean>,
): Promise<CalendarDate> {
  for (let day = from; day < addDays(DUE, 200); day = addDays(day, 1)) {
    clock.moveTo(day)
    await performDailyRun(context(), instance, day)
    if (await isDone(day)) return day
  }
  throw new Error('it never came')
}

/** Fees of an invoice and its claim in the order in which they came, in minor units. */
async function feesOf({ id }: BuiltInvoice): Promise<string[]> {
  const { rows } = await db.owner.query<{ fee: string }>(
    `select t.kind || ' ' || p.amount_minor as fee from ledger_transaction t
     join posting p on p.transaction_id = t.id and p.amount_minor > 0
     where (t.invoice_id = $1 or t.claim_id = (select claim_id from invoice where id = $1))
       and t.kind in ('REMINDER', 'COLLECTION', 'DELAYED_PENALTY_FEE') order by t.booked_on, t.id`,
    [id],
  )
  return rows.map(({ fee }) => fee)
}

const hasFees = (invoice: BuiltInvoice, count: number) => async (): Promise<boolean> =>
  (await feesOf(invoice)).length >= count

/** The steps performed of a type on the invoice's claim. */
const demandsOf = async ({ id }: BuiltInvoice): Promise<number> =>
  (
    await db.owner.query(
      `select from collection_step s join invoice i on i.claim_id = s.claim_id
       where i.id = $1 and s.type = 'COLLECTION_CLAIM' and s.status = 'PERFORMED'`,
      [id],
    )
  ).rowCount ?? 0

async function pay(
  invoice: BuiltInvoice,
  amountMinor: number,
  currency: 'NOK' | 'DKK' | 'EUR',
): Promise<void> {
  const today = clock.today('Europe/Stockholm')
  await db.db.transaction(async (tx) => {
    const id = newId(Date.now())
    const of = { id, instance_id: instance.id, invoice_id: invoice.id, claim_id: null }
    const locked = await lockDebtOf(tx, of)
    const payment = {
      ...of,
      amount_minor: amountMinor,
      currency,
      gateway: 'BANK_FILE',
      isFromFile: true as const,
    }
    await applyReceived(context(), tx, { locked, payment, today, valueOn: today })
  })
}

test('Norway: paid compensation still comes off the fee of the demand, and off the heavy fee', async () => {
  const [invoice] = await build('NO', 'NOK', [{ totalMinor: 300_000, debtorKind: 'COMPANY' }])
  if (!invoice) throw new Error('nothing was built')
  const day = await nights(addDays(DUE, 1), hasFees(invoice, 1))
  // Standardkompensasjon of the first half of 2025.
  expect(await feesOf(invoice)).toEqual(['DELAYED_PENALTY_FEE 47000'])
  await pay(invoice, 47_000, 'NOK')
  const demanded = await nights(addDays(day, 1), hasFees(invoice, 2))
  // Up to 10 000: 560 - 470.
  expect(await feesOf(invoice)).toEqual(['DELAYED_PENALTY_FEE 47000', 'COLLECTION 9000'])
  await pay(invoice, 9000, 'NOK')
  await nights(addDays(demanded, 1), async () => (await demandsOf(invoice)) === 2)
  // 2 x 560 - 470 - 90.
  expect(await feesOf(invoice)).toEqual(['DELAYED_PENALTY_FEE 47000', 'COLLECTION 9000', 'COLLECTION 56000'])
})

test('Norway: compensation of both invoices of a claim comes off its fee', async () => {
  const both = [{ totalMinor: 150_000, debtorKind: 'COMPANY' }, { totalMinor: 150_000 }] as const
  const [first, second] = await build('NO', 'NOK', both)
  if (!first || !second) throw new Error('nothing was built')
  const day = await nights(addDays(DUE, 1), hasFees(first, 1))
  await pay(second, 47_000, 'NOK')
  await nights(addDays(day, 1), async () => (await demandsOf(first)) === 1)
  // 560 - 2 x 470 is less than nothing.
  expect(await feesOf(first)).toEqual(['DELAYED_PENALTY_FEE 47000'])
})

test('Denmark: paid compensation leaves nothing to charge for the demand', async () => {
  const [invoice] = await build('DK', 'DKK', [{ totalMinor: 100_000, debtorKind: 'COMPANY' }])
  if (!invoice) throw new Error('nothing was built')
  const day = await nights(addDays(DUE, 1), hasFees(invoice, 1))
  await pay(invoice, 31_000, 'DKK')
  await nights(addDays(day, 1), async () => (await demandsOf(invoice)) === 1)
  expect(await feesOf(invoice)).toEqual(['DELAYED_PENALTY_FEE 31000'])
})

test('Finland: twelve reminders are all that 100 euro of a person may cost, paid or not', async () => {
  const twelve = Array.from({ length: 12 }, () => ({ totalMinor: 830 }))
  const [first] = await build('FI', 'EUR', twelve)
  if (!first) throw new Error('nothing was built')
  const day = await nights(addDays(DUE, 1), async () => (await demandsOf(first)) === 1)
  const charged = ['REMINDER 500']
  expect(await feesOf(first)).toEqual(charged)
  // 12 x 5 is the ceiling. It is paid, and 99.60 is left.
  await pay(first, 6000, 'EUR')
  await nights(addDays(day, 1), async () => (await demandsOf(first)) === 2)
  expect(await feesOf(first)).toEqual(charged)
})

/** What counts against the ceiling of the next reminder. */
async function counted({ id }: BuiltInvoice): Promise<number> {
  const { rows } = await db.owner.query<{ charged_minor: string }>(
    `select ${CHARGED_ON_INVOICE} from invoice i
     join creditor c on c.id = i.creditor_id join debtor d on d.id = i.debtor_id cross join (select 'REMINDER'::text as type) s
     where i.id = $1`,
    [id],
  )
  return Number(rows[0]?.charged_minor)
}

test('Finland: a waived fee counts, but not of a reminder that never left', async () => {
  const [invoice] = await build('FI', 'EUR', [{ totalMinor: 10_000 }])
  if (!invoice) throw new Error('nothing was built')
  const on = await nights(addDays(DUE, 1), hasFees(invoice, 1))
  expect(await counted(invoice)).toBe(500)
  const debt = { kind: 'invoice', name: invoice.id } as const
  const decision = { act: 'waive', bucket: 'costs', amount: null } as const
  await decideDebt(context(), { instanceId: instance.id, debt, decision, reason: 'x', by: 'person:Eva Berg' })
  expect(await counted(invoice)).toBe(500)
  await db.db.transaction(async (tx) => {
    await lockInvoiceRow(tx, instance.id, invoice.id)
    const dropped = {
      instanceId: instance.id,
      debt: { invoiceId: invoice.id },
      on,
      reason: 'disputed',
    } as const
    await dropLettersOf(context(), tx, dropped)
  })
  expect(await counted(invoice)).toBe(0)
})
