/** A new last day moves no day of the past: money from before it counts as if nobody had given more time. */
import { expect, test } from 'vitest'
import { addDays, date, type CalendarDate } from '@kvitt/domain/calendar.ts'
import { performDailyRun } from '../collection/collection.ts'
import { buildInvoice, type BuiltInvoice } from '../testing/build.ts'
import {
  creditOf,
  fileOf,
  one,
  outcomesOf,
  rows,
  server,
  takeFiles,
  useBankFiles,
} from '../testing/files/bank-files.ts'
import { signInStaff } from '../testing/staff.ts'

useBankFiles()

const DUE = date('2026-03-10')
const after = (days: number): CalendarDate => addDays(DUE, days)

/** The reminder has left, a week after the due date: 60.00, and at 10 % a year the interest of seven days. */
async function remind(totalMinor: number): Promise<BuiltInvoice> {
  server.clock.moveTo(date('2026-02-10'))
  const wishes = { dueDate: DUE, totalMinor }
  const invoice = await buildInvoice(server.test, server.instanceId, server.clock, wishes)
  for (const day of [1, 2, 7].map(after)) {
    server.clock.moveTo(day)
    const instance = { id: server.instanceId, timeZone: 'Europe/Stockholm' }
    await performDailyRun(server.product.context, instance, day)
  }
  await server.product.sendMail()
  return invoice
}

async function tell({ reference }: BuiltInvoice, amountMinor: number, day: number, readOn: number) {
  server.clock.moveTo(after(readOn))
  const file = fileOf([{ reference, amountMinor }], { day: after(day) })
  expect(outcomesOf(await takeFiles(file))).toEqual(['booked'])
}

async function act({ id, creditorId }: BuiltInvoice, name: string, body: object): Promise<void> {
  const at = { instanceId: server.instanceId, creditorId, role: 'manager' } as const
  const { authorization } = await signInStaff(server.product.context, at)
  const path = `/api/client/invoices/${id}/${name}`
  const { status, text } = await server.call('POST', path, { body, headers: { authorization } })
  expect(status, text).toBe(200)
}
async function moreTime(invoice: BuiltInvoice, on: number): Promise<void> {
  server.clock.moveTo(after(on))
  await act(invoice, 'more-time', { until: after(40) })
}

const owed = ({ id }: BuiltInvoice) =>
  one<object>(
    `select status, principal_minor::int as principal, costs_minor::int as costs, interest_minor::int as interest
     from invoice where id = $1`,
    id,
  )
const PAID = { status: 'CLOSED', principal: 0, costs: 0, interest: 0 }
const taken = ({ id }: BuiltInvoice) =>
  rows<{ charge: string; minor: number }>(
    `select c.kind as charge, sum(p.amount_minor)::int as minor from ledger_transaction r
     join ledger_transaction c on c.id = r.restates_id
     join posting p on p.transaction_id = r.id and p.amount_minor > 0
     where $1 in (r.invoice_id, r.claim_id) group by c.kind order by c.kind`,
    id,
  )
const FELL = [
  { charge: 'INTEREST', minor: 192 },
  { charge: 'REMINDER', minor: 6_000 },
]

test('all of it, told late by the bank: fee and interest fall', async () => {
  const invoice = await remind(100_000)
  await moreTime(invoice, 8)
  await tell(invoice, 100_000, 0, 9)
  expect([await owed(invoice), await taken(invoice), await creditOf(invoice)]).toEqual([PAID, FELL, 0])
})

test('all of it, paid to the creditor itself', async () => {
  const invoice = await remind(100_000)
  await moreTime(invoice, 8)
  await act(invoice, 'direct-payment', { amount: 1_000, date: after(-1) })
  expect([await owed(invoice), await taken(invoice)]).toEqual([PAID, FELL])
})

test('a part of it: the fee stands, and interest is counted on what was left', async () => {
  const invoice = await remind(50_000_000)
  await moreTime(invoice, 8)
  await tell(invoice, 40_000_000, 3, 10)
  // 500 000.00 for three days, 100 000.00 for four.
  const left = { status: 'ACTIVATED', principal: 10_000_000, costs: 6_000, interest: 52_055 }
  expect(await owed(invoice)).toEqual(left)
})

test('with other money since the reminder: the same is owed in whatever order it is told', async () => {
  const told: unknown[] = []
  for (const isGiven of [false, true]) {
    const invoice = await remind(100_000)
    await tell(invoice, 2_000, 12, 12)
    if (isGiven) await moreTime(invoice, 13)
    await tell(invoice, 95_000, 3, 14)
    told.push([await owed(invoice), await taken(invoice)])
  }
  expect(told[1]).toEqual(told[0])
  expect(told[0]).toEqual([{ status: 'ACTIVATED', principal: 3_000, costs: 0, interest: 0 }, FELL])
})

test('nothing had been charged since its day: nothing is restated, and no person is asked', async () => {
  const invoice = await remind(100_000)
  await moreTime(invoice, 8)
  await tell(invoice, 50_000, 8, 9)
  expect(await owed(invoice)).toEqual({ status: 'ACTIVATED', principal: 56_192, costs: 0, interest: 0 })
  expect(await taken(invoice)).toEqual([])
  expect(await rows(`select 1 from task where kind = 'restate_by_hand'`)).toEqual([])
})
