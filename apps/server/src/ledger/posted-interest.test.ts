/** The debtor is told at which rate, for which days and on what each interest sum was counted (inkassolagen section 5). */
import { beforeAll, expect, test } from 'vitest'
import { addDays, date, daysBetween, type CalendarDate } from '@kvitt/domain/calendar.ts'
import type { ClaimInvoiceAnswer } from '@kvitt/domain/claims/claim.contract.ts'
import type { EventAnswer, FinancialEventAnswer } from '@kvitt/domain/invoices/invoice.contract.ts'
import type { OptionsAnswer } from '@kvitt/domain/part-payments/part-payment.contract.ts'
import { performDailyRun } from '../collection/collection.ts'
import { recordApplication } from '../court/court.ts'
import { buildInvoice, buildPlanSettings, type BuiltInvoice, type InvoiceWishes } from '../testing/build.ts'
import { buildInstanceAccount, NIGHTS_TO_CLAIM } from '../testing/build-claim.ts'
import { startTestServer, type TestServer } from '../testing/start-test-server.ts'
import { transfer } from '../testing/debts/transfer.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
  await buildInstanceAccount(server.test, server.instanceId)
})

async function build(dueDate: CalendarDate, wishes: InvoiceWishes = {}): Promise<BuiltInvoice> {
  server.clock.moveTo(addDays(dueDate, -30))
  return buildInvoice(server.test, server.instanceId, server.clock, { dueDate, ...wishes })
}

async function nights(due: CalendarDate, ...after: number[]): Promise<void> {
  for (const days of after) {
    server.clock.moveTo(addDays(due, days))
    const instance = { id: server.instanceId, timeZone: 'Europe/Stockholm' }
    await performDailyRun(server.product.context, instance, addDays(due, days))
  }
}

async function read<Answer>(path: string): Promise<Answer> {
  const { status, json } = await server.call('GET', `/api/public/${path}`)
  expect(status).toBe(200)
  return json
}
const invoiceEvents = <Answer>({ reference, zip }: BuiltInvoice, tail = '/financial', query = '') =>
  read<Answer[]>(`invoices/${reference}/${zip}/events${tail}?limit=-1${query}`)

const cents = (amount: number) => Math.round(amount * 100)
const sum = (periods: readonly { amount: number }[]) =>
  periods.reduce((all, { amount }) => all + cents(amount), 0)

const DUE = date('2026-03-10')

test('a part that was paid late has its own days, and the periods come to what was posted', async () => {
  const invoice = await build(DUE, { totalMinor: 50_000_000 })
  await nights(DUE, 1, 2)
  server.clock.moveTo(addDays(DUE, 6))
  await transfer(server, invoice, 40_000_000)
  await nights(DUE, 7)
  const events = await invoiceEvents<FinancialEventAnswer>(invoice)
  const posted = events.find(({ type }) => type === 'INTEREST')
  expect(posted?.interest).toEqual([
    { rate: '10.00', from: '2026-03-11', to: '2026-03-16', days: 6, principal: 500_000, amount: 821.92 },
    { rate: '10.00', from: '2026-03-17', to: '2026-03-17', days: 1, principal: 100_000, amount: 27.4 },
  ])
  expect(sum(posted?.interest ?? [])).toBe(cents(posted?.amounts.total ?? 0))
  expect(
    events.filter(({ type }) => type !== 'INTEREST').every(({ interest }) => interest.length === 0),
  ).toBe(true)
  const story = await invoiceEvents<EventAnswer>(invoice, '')
  expect(story.find(({ type }) => type === 'INTEREST')?.interest).toEqual(posted?.interest)
})

test('a rate that changes in the middle makes two periods, without a gap', async () => {
  const due = date('2025-06-20')
  const invoice = await build(due, { totalMinor: 1_000_000 })
  await nights(due, 1, 7, 20, 21, 22)
  const events = await invoiceEvents<FinancialEventAnswer>(invoice)
  const posted = events.filter(({ type }) => type === 'INTEREST')
  const periods = posted.flatMap(({ interest }) => interest)
  expect(periods.map(({ rate }) => rate)).toEqual(['11.00', '11.00', '10.00'])
  expect(periods[0]?.from).toBe('2025-06-21')
  expect(periods.at(-1)?.to).toBe(posted.at(-1)?.date)
  for (const [index, { from, to, days }] of periods.entries()) {
    expect(days).toBe(daysBetween(date(from), date(to)) + 1)
    if (index > 0) expect(from).toBe(addDays(date(periods[index - 1]?.to ?? ''), 1))
  }
  expect(sum(periods)).toBe(posted.reduce((all, { amounts }) => all + cents(amounts.total), 0))
})

test('a claim tells of its own interest and of each invoice’s', async () => {
  const invoice = await build(DUE, { totalMinor: 700_000 })
  await nights(DUE, ...NIGHTS_TO_CLAIM)
  await server.product.sendMail()
  const last = NIGHTS_TO_CLAIM.at(-1) ?? 0
  await nights(DUE, ...Array.from({ length: 40 }, (_, night) => last + 1 + night))
  const { rows } = await server.test.owner.query(
    `select c.id, c.payment_reference as reference, c.zip from claim c join invoice i on i.claim_id = c.id where i.id = $1`,
    [invoice.id],
  )
  const today = server.clock.today('Europe/Stockholm')
  await recordApplication(
    server.product.context,
    { instanceId: server.instanceId, claimId: rows[0].id },
    {
      application: { on: today, authority: 'Kronofogden', caseNumber: '01-1-26' },
      today,
      by: { actor: 'berit', reason: 'filed' },
    },
  )
  const path = `collection-batches/${rows[0].reference}/${rows[0].zip}`
  const [member] = await read<ClaimInvoiceAnswer[]>(`${path}/invoices`)
  expect(sum(member?.interest ?? [])).toBe(cents(member?.transferred.interest ?? 0))
  expect(member?.interest[0]).toMatchObject({ from: addDays(DUE, 1), principal: 7000 })
  const events = await read<FinancialEventAnswer[]>(`${path}/events/financial?limit=-1`)
  const posted = events.filter(({ type }) => type === 'INTEREST')
  expect(posted.length).toBeGreaterThan(0)
  for (const { interest, amounts } of posted) expect(sum(interest)).toBe(cents(amounts.total))
  expect(posted[0]?.interest[0]?.from).toBe(addDays(date(member?.interest.at(-1)?.to ?? ''), 1))
})

test('an invoice for interest tells what it bills', async () => {
  const invoice = await build(DUE, { totalMinor: 50_000_000 })
  await nights(DUE, 1, 2)
  server.clock.moveTo(addDays(DUE, 4))
  await transfer(server, invoice, 4_000_000)
  await nights(DUE, 5)
  server.clock.moveTo(addDays(DUE, 6))
  await transfer(server, invoice, 46_000_000)
  await nights(DUE, 7)
  const { rows } = await server.test.owner.query(
    `select invoice_number as number from invoice where type = 'INTEREST_INVOICE' and debtor_id = $1`,
    [invoice.debtorId],
  )
  const [billed] = await invoiceEvents<FinancialEventAnswer>(
    invoice,
    '/financial',
    `&invoiceNumber=${rows[0].number}`,
  )
  expect(billed?.interest).toEqual([
    { rate: '10.00', from: '2026-03-11', to: '2026-03-14', days: 4, principal: 500_000, amount: 547.95 },
    { rate: '10.00', from: '2026-03-15', to: '2026-03-16', days: 2, principal: 460_000, amount: 252.05 },
  ])
  expect(sum(billed?.interest ?? [])).toBe(cents(billed?.amounts.total ?? 0))
})

test('what was posted before a plan keeps its days, whatever the plan moves', async () => {
  await buildPlanSettings(server.test, server.instanceId)
  const invoice = await build(DUE, { totalMinor: 9_000_000 })
  await nights(DUE, 1, 7)
  const postings = async () =>
    (await invoiceEvents<FinancialEventAnswer>(invoice)).filter(({ type }) => type === 'INTEREST')
  const before = await postings()
  expect(before.flatMap(({ interest }) => interest.map(({ from, to }) => [from, to]))).toEqual([
    [addDays(DUE, 1), addDays(DUE, 7)],
  ])
  server.clock.moveTo(addDays(DUE, 9))
  const plan = `/api/public/invoices/${invoice.reference}/${invoice.zip}/part-payment`
  const { offerVersion } = await read<OptionsAnswer>(
    `invoices/${invoice.reference}/${invoice.zip}/part-payment/options`,
  )
  const body = { type: 'PLAN_3', agreementAccepted: true, offerVersion }
  expect((await server.call('PUT', `${plan}/start`, { body })).status).toBe(200)
  expect(await postings()).toEqual(before)
})
