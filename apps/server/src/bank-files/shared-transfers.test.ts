/** One transfer for several documents of one reference (D-22). */
import { expect, test } from 'vitest'
import { addDays, type CalendarDate } from '@kvitt/domain/calendar.ts'
import { pauseInvoice, reversePayment, performDailyRun } from '../collection/collection.ts'
import {
  build,
  context,
  creditOf,
  fileOf,
  instance,
  outcomesOf,
  rows,
  server,
  takeFiles,
  useBankFiles,
} from '../testing/files/bank-files.ts'
import { TODAY, type BuiltInvoice } from '../testing/build.ts'

useBankFiles()

const take = async (text: string): Promise<string[]> => outcomesOf(await takeFiles(text))
const transfer = ({ reference }: BuiltInvoice, amountMinor: number): Promise<string[]> =>
  take(fileOf([{ reference, amountMinor }]))

/** What each still owes, its status and how many payments it has. */
async function stateOf(...invoices: readonly { id: string }[]) {
  const found = await rows<{ id: string; text: string }>(
    `select i.id, concat_ws(' ', i.status, i.balance_minor, (select count(*) from ledger_transaction t
       where t.invoice_id = i.id and t.kind = 'PAYMENT')) as text from invoice i where i.id = any($1)`,
    invoices.map(({ id }) => id),
  )
  return invoices.map(({ id }) => found.find((one) => one.id === id)?.text)
}
async function two(first = 50_000, second = 70_000): Promise<[BuiltInvoice, BuiltInvoice]> {
  const one = await build(first)
  return [one, await build(second, { beside: one, dueDate: addDays(TODAY, 30) })]
}

test('what is left of the first pays the second in part, in full, and only then is it too much', async () => {
  for (const [amount, states, credit] of [
    [80_000, ['CLOSED 0 1', 'ACTIVATED 40000 1'], 0],
    [120_000, ['CLOSED 0 1', 'CLOSED 0 1'], 0],
    [130_000, ['CLOSED 0 1', 'CLOSED 0 1'], 10_000],
    [70_000, ['ACTIVATED 50000 0', 'CLOSED 0 1'], 0],
  ] as const) {
    const [first, second] = await two()
    expect(await transfer(first, amount)).toEqual(['booked'])
    expect(await stateOf(first, second)).toEqual(states)
    expect(await creditOf(first)).toBe(credit)
  }
})

test('each payment is told of and confirmed by itself', async () => {
  const [first, second] = await two()
  await transfer(first, 130_000)
  const mails = await rows(`select kind from mail_outbox where invoice_id = any($1) order by id`, [
    first.id,
    second.id,
  ])
  expect(mails).toEqual([{ kind: 'payment_received_too_much' }, { kind: 'payment_received' }])
  for (const [{ reference, zip, number }, sums] of [
    [first, [-600, 100]],
    [second, [-700]],
  ] as const) {
    const path = `/api/public/invoices/${reference}/${zip}/events/financial?invoiceNumber=${number}`
    const events = (await server.call('GET', path)).json as { amounts: { total: number } }[]
    expect(events.slice(1).map(({ amounts }) => amounts.total)).toEqual(sums)
  }
})

test('a dispute, a signed payment and another debtor’s invoice are not paid with it', async () => {
  const [first, disputed] = await two()
  await rows(`update invoice set status = 'DISPUTED' where id = $1`, disputed.id)
  const [, stranger] = await two()
  await transfer(first, 130_000)
  expect(await stateOf(first, disputed, stranger)).toEqual([
    'CLOSED 0 1',
    'DISPUTED 70000 0',
    'ACTIVATED 70000 0',
  ])
  expect(await creditOf(first)).toBe(80_000)
  // No dispute stands behind the state.
  await rows(`update invoice set status = 'ACTIVATED' where id = $1`, disputed.id)
})

test('a paused one is paid', async () => {
  const [first, paused] = await two()
  await pauseInvoice(
    context(),
    { instanceId: server.instanceId, invoiceId: paused.id },
    {
      reason: 'respite',
      on: TODAY,
      resumeDate: addDays(TODAY, 20),
    },
  )
  await transfer(first, 120_000)
  expect(await stateOf(first, paused)).toEqual(['CLOSED 0 1', 'CLOSED 0 1'])
})

test('twins and other transfers at once: every krona once', async () => {
  const [first, second] = await two()
  const text = fileOf([{ reference: first.reference, amountMinor: 80_000 }])
  const other = fileOf([{ reference: first.reference, amountMinor: 30_000 }])
  const all = await Promise.all([take(text), take(other), take(text)])
  expect(all.flat().filter((outcome) => outcome === 'booked')).toHaveLength(2)
  const [paid, left] = await stateOf(first, second)
  expect([paid?.slice(0, 8), left?.slice(0, 15)]).toEqual(['CLOSED 0', 'ACTIVATED 10000'])
  expect(await creditOf(first)).toBe(0)
})

test('the first is paid through the bank a moment before: it is all the second’s, and taken back from there', async () => {
  const [first, second] = await two()
  await server.control('POST', '/control/faults', { target: 'bank', fault: 'drop-callback', times: 9 })
  const path = `/api/public/invoices/${first.reference}/${first.zip}/payment-requests?invoiceNumber=${first.number}`
  const body = { paymentDate: TODAY, amount: '500.00', redirectUri: `${server.origin}/` }
  expect((await server.call('POST', path, { body })).status).toBe(201)
  const orders: { id: string; reference: string }[] = await server.control('GET', '/control/orders')
  const order = orders.find(({ reference }) => reference === first.reference)
  await server.control('POST', `/control/orders/${order?.id}/approve`)
  await server.control('POST', '/control/settle', {})
  const client = await server.test.owner.connect()
  const waiters = async (n: number) =>
    expect
      .poll(
        async () =>
          (
            await rows(`select from pg_stat_activity where wait_event_type = 'Lock'
        and datname = current_database()`)
          ).length,
      )
      .toBe(n)
  await client.query('begin')
  await client.query('select from invoice where id = $1 for update', [first.id])
  const swept = server.product.sweepAll()
  await waiters(1)
  const taken = transfer(first, 60_000)
  await waiters(2)
  await client.query('commit')
  client.release()
  expect([await taken, await swept]).toEqual([['booked'], undefined])
  expect(await stateOf(first, second)).toEqual(['CLOSED 0 1', 'ACTIVATED 10000 1'])
  const deduction = { reference: first.reference, amountMinor: 60_000, kind: 'deduction' as const }
  const besides = { reference: '999999996', amountMinor: 60_001 }
  expect(await take(fileOf([deduction, besides]))).toEqual(['reversed', 'suspense'])
  expect(await stateOf(first, second)).toEqual(['CLOSED 0 1', 'ACTIVATED 70000 1'])
})

test('both late: the days of each are kept, and those since when the bank takes the money back', async () => {
  const first = await build(500_000, { dueDate: addDays(TODAY, -8) })
  const second = await build(700_000, { beside: first, dueDate: addDays(TODAY, -6) })
  await transfer(first, 1_200_000)
  const late = `select l.invoice_id as id, l.principal_minor::int as minor, l.status from late_days l
    where l.invoice_id = any($1) order by abs(l.principal_minor), l.is_back`
  const both = [first.id, second.id]
  expect(await rows(late, both)).toEqual([
    { id: first.id, minor: 500_000, status: 'WAITING' },
    { id: second.id, minor: 700_000, status: 'WAITING' },
  ])
  const deduction = { reference: first.reference, amountMinor: 1_200_000, kind: 'deduction' as const }
  const besides = { reference: '999999995', amountMinor: 1_200_001 }
  expect(await take(fileOf([deduction, besides]))).toEqual(['reversed', 'suspense'])
  const kept = [
    [first.id, 500_000],
    [first.id, -500_000],
    [second.id, 700_000],
    [second.id, -700_000],
  ]
  expect(await rows(late, both)).toEqual(kept.map(([id, minor]) => ({ id, minor, status: 'WAITING' })))
})

test('the bank takes it back: all that it paid is owed again, once', async () => {
  const [first, second] = await two()
  await transfer(first, 130_000)
  const deduction = { reference: first.reference, amountMinor: 130_000, kind: 'deduction' as const }
  // A deposit is never less than zero.
  const besides = { reference: '999999998', amountMinor: 130_001 }
  expect(await take(fileOf([deduction, besides]))).toEqual(['reversed', 'suspense'])
  expect(await stateOf(first, second)).toEqual(['ACTIVATED 50000 1', 'ACTIVATED 70000 1'])
  expect(await creditOf(first)).toBe(0)
  const tasks = `select from task where kind = 'refund' and done_at is null
    and about = (select 'payment:' || id from bank_line where invoice_id = $1 and kind = 'PAYMENT')`
  expect(await rows(tasks, first.id)).toHaveLength(0)
  expect(await take(fileOf([deduction, besides]))).toEqual(['suspense', 'suspense'])
})

test('what cannot be taken back from one of them is taken back from none', async () => {
  const [first, second] = await two()
  await transfer(first, 120_000)
  await rows(`update invoice set status = 'ARCHIVED' where id = $1`, second.id)
  const [line] = await rows<{ id: string }>('select id from bank_line where invoice_id = $1', first.id)
  const payment = { instanceId: server.instanceId, paymentId: line?.id ?? '' }
  await expect(reversePayment(context(), payment, TODAY)).rejects.toThrow('archived')
  expect(await stateOf(first, second)).toEqual(['CLOSED 0 1', 'ARCHIVED 0 1'])
  await rows(`update invoice set status = 'CLOSED' where id = $1`, second.id)
  expect(await reversePayment(context(), payment, TODAY)).toBe(true)
  expect(await stateOf(first, second)).toEqual(['ACTIVATED 50000 1', 'ACTIVATED 70000 1'])
  expect(await reversePayment(context(), payment, TODAY)).toBe(false)
})

test('with the reference of what a plan pays: its bills, the oldest first, and what is left is too much', async () => {
  const mother = await build(600_000)
  const path = `/api/public/invoices/${mother.reference}/${mother.zip}/part-payment/start`
  expect((await server.call('PUT', path, { body: { type: 'PLAN_6', agreementAccepted: true } })).status).toBe(
    200,
  )
  const night = async (day: CalendarDate) => {
    server.clock.moveTo(day)
    await performDailyRun(context(), instance, day)
  }
  const days = await rows<{ day: CalendarDate }>(
    `select n.send_date::text as day from part_payment_instalment n
     join part_payment_member m using (instance_id, part_payment_id) where m.invoice_id = $1 order by 1 limit 2`,
    mother.id,
  )
  for (const { day } of days) await night(day)
  const bills = await rows<{ id: string; owed: number }>(
    `select i.id, i.balance_minor::int as owed from invoice i join part_payment_instalment n on n.invoice_id = i.id
     join part_payment_member m on m.part_payment_id = n.part_payment_id where m.invoice_id = $1 order by i.expire_date`,
    mother.id,
  )
  expect(bills).toHaveLength(2)
  const sum = bills.reduce((total, { owed }) => total + owed, 0)
  const [before] = await stateOf(mother)
  await transfer(mother, sum - 30_000)
  expect(await stateOf(...bills)).toEqual(['CLOSED 0 1', 'ACTIVATED 30000 1'])
  await transfer(mother, 31_000)
  expect(await stateOf(...bills)).toEqual(['CLOSED 0 1', 'CLOSED 0 2'])
  expect(await stateOf(mother)).toEqual([before])
  expect(await creditOf(mother)).toBe(1_000)
  server.clock.moveTo(TODAY)
})
