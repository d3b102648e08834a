/** Money counts from the day on which it was on the account, however late a file tells of it. */
import { describe, expect, test } from 'vitest'
import { addDays, date, type CalendarDate } from '@kvitt/domain/calendar.ts'
import { buildInvoice, type BuiltInvoice, type InvoiceWishes } from '../../testing/build.ts'
import {
  fileOf,
  one,
  outcomesOf,
  rows,
  server,
  takeFiles,
  useBankFiles,
} from '../../testing/files/bank-files.ts'
import { performDailyRun } from '../../collection/collection.ts'

useBankFiles()

const DUE = date('2026-03-10')
const after = (days: number): CalendarDate => addDays(DUE, days)

async function build(wishes: InvoiceWishes = {}): Promise<BuiltInvoice> {
  server.clock.moveTo(date('2026-02-10'))
  return buildInvoice(server.test, server.instanceId, server.clock, { dueDate: DUE, ...wishes })
}

async function nights(...days: number[]): Promise<void> {
  for (const day of days.map(after)) {
    server.clock.moveTo(day)
    await performDailyRun(
      server.product.context,
      { id: server.instanceId, timeZone: 'Europe/Stockholm' },
      day,
    )
  }
}

/** The bank's file of `day` is read on `readOn`. */
async function tell(invoice: BuiltInvoice, amountMinor: number, days: { day: number; readOn: number }) {
  server.clock.moveTo(after(days.readOn))
  const file = fileOf([{ reference: invoice.reference, amountMinor }], { day: after(days.day) })
  expect(outcomesOf(await takeFiles(file))).toEqual(['booked'])
}

const owed = ({ id }: BuiltInvoice) =>
  one<object>(
    `select status, principal_minor::int as principal, costs_minor::int as costs, interest_minor::int as interest
     from invoice where id = $1`,
    id,
  )
const billed = async ({ debtorId }: BuiltInvoice): Promise<number[]> =>
  (
    await rows<{ minor: number }>(
      `select total_minor::int as minor from invoice where type = 'INTEREST_INVOICE' and debtor_id = $1 order by id`,
      debtorId,
    )
  ).map(({ minor }) => minor)

describe('money that a file tells of late', () => {
  test('on the account on the due day: no interest, though it is read three days later', async () => {
    const invoice = await build({ totalMinor: 50_000_000 })
    await tell(invoice, 50_000_000, { day: 0, readOn: 3 })
    await nights(4, 5)
    expect(await owed(invoice)).toMatchObject({ status: 'CLOSED', principal: 0 })
    expect(await billed(invoice)).toEqual([])
  })

  test('a day late: one day of interest, and it is booked on the day it is read', async () => {
    const invoice = await build({ totalMinor: 50_000_000 })
    await tell(invoice, 50_000_000, { day: 1, readOn: 3 })
    await nights(4, 5)
    // 500 000.00 for one day at 10 %.
    expect(await billed(invoice)).toEqual([13_699])
    expect(
      await rows(
        `select booked_on::text, value_on::text from ledger_transaction where invoice_id = $1 and kind = 'PAYMENT'`,
        invoice.id,
      ),
    ).toEqual([{ booked_on: after(3), value_on: after(1) }])
  })
})

describe('a day that can hardly be right', () => {
  const doubts = ({ id }: BuiltInvoice) =>
    rows<{ doubt: string }>(
      `select k.details ->> 'doubt' as doubt from task k join bank_line l on k.about = 'bank-line:' || l.id
       where k.kind = 'bank_day_doubtful' and l.invoice_id = $1`,
      id,
    )

  test.each<[string, number, number, { doubt: string }[]]>([
    ['ten bank days before it is booked', 0, 14, []],
    ['eleven', 0, 15, [{ doubt: 'long_before_booking' }]],
    ['in the future', 9, 8, [{ doubt: 'in_the_future' }]],
    ['before the invoice was made', -29, -20, [{ doubt: 'before_the_document' }]],
  ])('%s', async (_, day, readOn, expected) => {
    const invoice = await build({ totalMinor: 50_000 })
    await tell(invoice, 50_000, { day, readOn })
    expect(await doubts(invoice)).toEqual(expected)
    expect(await owed(invoice)).toMatchObject({ status: 'CLOSED' })
  })
})
