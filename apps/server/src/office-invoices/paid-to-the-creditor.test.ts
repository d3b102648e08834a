/** What a creditor was paid itself is never owed back out of the money that we hold, wherever it was paid. */
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { addDays, addMonths, type CalendarDate } from '@kvitt/domain/calendar.ts'
import type { PlanAnswer } from '@kvitt/domain/part-payments/part-payment.contract.ts'
import { performDailyRun } from '../collection/collection.ts'
import { openLog } from '../platform/log.ts'
import { NIGHTS_TO_CLAIM } from '../testing/build-claim.ts'
import { buildInvoice, buildPlanSettings, TODAY, type BuiltInvoice } from '../testing/build.ts'
import { signAndSettle } from '../testing/debts/settle.ts'
import { transfer } from '../testing/debts/transfer.ts'
import { signInStaff, type SignedIn } from '../testing/staff.ts'
import { startTestServer, type Answer, type TestServer } from '../testing/start-test-server.ts'

let server: TestServer
let one: BuiltInvoice
let manager: SignedIn

beforeAll(async () => {
  server = await startTestServer()
  await buildPlanSettings(server.test, server.instanceId)
})
beforeEach(() => server.clock.moveTo(TODAY))

async function build(totalMinor = 600_000): Promise<void> {
  one = await buildInvoice(server.test, server.instanceId, server.clock, { totalMinor })
  const at = { instanceId: server.instanceId, creditorId: one.creditorId, role: 'manager' } as const
  manager = await signInStaff(server.product.context, at)
}

type Door = Pick<BuiltInvoice, 'reference' | 'zip'>
type Billed = Door & { id: string; balance: number }

const sql = async (text: string, values: unknown[] = []) => (await server.test.owner.query(text, values)).rows
const call = (method: string, { reference, zip }: Door, path: string, body?: unknown) =>
  server.call(method, `/api/public/invoices/${reference}/${zip}${path}`, { body })
async function act(name: string, body: object, id = one.id): Promise<Answer> {
  const path = `/api/client/invoices/${id}/${name}`
  const answer = await server.call('POST', path, {
    body,
    headers: { authorization: manager.authorization },
  })
  expect(answer.status, answer.text).toBe(200)
  return answer
}
const direct = (amountMinor: number, id = one.id) =>
  act('direct-payment', { amount: amountMinor / 100, date: server.clock.today('Europe/Stockholm') }, id)

async function night(day: CalendarDate): Promise<void> {
  server.clock.moveTo(day)
  const context = { db: server.test.db, clock: server.clock, log: openLog('silent') }
  await performDailyRun(context, { id: server.instanceId, timeZone: 'Europe/Stockholm' }, day)
}

async function startPlan(): Promise<string> {
  const answer = await call('PUT', one, '/part-payment/start', { type: 'PLAN_3', agreementAccepted: true })
  expect(answer.status, answer.text).toBe(200)
  return (answer.json as PlanAnswer).id
}

const billed = (plan: string): Promise<Billed[]> =>
  sql(
    `select i.id, i.payment_reference as reference, i.zip, i.balance_minor::int as balance
     from part_payment_instalment n join invoice i on i.id = n.invoice_id where n.part_payment_id = $1 order by n.number`,
    [plan],
  )
async function lastBilled(plan: string, months: number): Promise<Billed> {
  await night(addDays(addMonths(TODAY, months), -14))
  const last = (await billed(plan)).at(-1)
  if (!last) throw new Error('nothing was billed')
  return last
}

async function payAtBank(invoice: Door, amountMinor: number): Promise<void> {
  const paymentDate = server.clock.today('Europe/Stockholm')
  const body = { paymentDate, amount: amountMinor / 100, redirectUri: `${server.origin}/` }
  const started = await call('POST', invoice, '/payment-requests', body)
  expect(started.status, started.text).toBe(201)
  await signAndSettle(server, invoice.reference)
}

/** What stands with us and with the creditor, and what of it is owed back: in öre. */
async function books() {
  const rows = await sql(
    `select kind, (-sum(balance_minor))::int as minor from ledger_account
     where creditor_id = $1 and kind in ('held_for_creditor', 'paid_to_creditor', 'credit_at_creditor')
       or debtor_id = $2 and kind = 'credit' group by kind`,
    [one.creditorId, one.debtorId],
  )
  const of = (kind: string): number => rows.find((row) => row.kind === kind)?.minor ?? 0
  return {
    ours: [of('held_for_creditor'), of('credit')],
    theirs: [of('paid_to_creditor'), of('credit_at_creditor')],
  }
}

test('an instalment: when the whole invoice is credited, the creditor owes back what it has', async () => {
  await build()
  const plan = await startPlan()
  const first = await lastBilled(plan, 1)
  await direct(first.balance, first.id)
  expect(await books()).toEqual({ ours: [0, 0], theirs: [first.balance, 0] })
  await act('credit', { reason: 'Fel kund' })
  expect(await books()).toEqual({ ours: [0, 0], theirs: [0, first.balance] })
})

test('one instalment, and the bank brought the other: each owes back what it has', async () => {
  await build()
  const plan = await startPlan()
  const first = await lastBilled(plan, 1)
  await direct(first.balance, first.id)
  const second = await lastBilled(plan, 2)
  await payAtBank(second, second.balance)
  await act('credit', { reason: 'Fel kund' })
  expect(await books()).toEqual({ ours: [0, second.balance], theirs: [0, first.balance] })
})

test('a part of the invoice before its plan', async () => {
  await build()
  await direct(50_000)
  const plan = await startPlan()
  const first = await lastBilled(plan, 1)
  await payAtBank(first, first.balance)
  await act('credit', { reason: 'Fel kund' })
  expect(await books()).toEqual({ ours: [0, first.balance], theirs: [0, 50_000] })
})

test('a part, and a fee and interest with it: what we hold goes back once', async () => {
  await build(84_200)
  for (const after of [1, 2, 7]) await night(addDays(TODAY, 14 + after))
  await server.product.sendMail()
  server.clock.moveTo(addDays(TODAY, 22))
  await transfer(server, one, 10_000)
  const [{ balance }] = (await sql('select balance_minor::int as balance from invoice where id = $1', [
    one.id,
  ])) as [{ balance: number }]
  expect(balance).toBeGreaterThan(80_000)
  await direct(balance)
  await act('credit', { reason: 'Fel kund' })
  expect(await books()).toEqual({ ours: [0, 10_000], theirs: [0, balance] })
})

test('an invoice that joined a claim since', async () => {
  await build(84_200)
  await direct(20_000)
  for (const after of NIGHTS_TO_CLAIM) {
    await night(addDays(TODAY, 14 + after))
    await server.product.sendMail()
  }
  expect(await sql('select claim_id is not null as joined from invoice where id = $1', [one.id])).toEqual([
    { joined: true },
  ])
  await act('credit', { reason: 'Fel kund' })
  expect(await books()).toEqual({ ours: [0, 0], theirs: [0, 20_000] })
})
