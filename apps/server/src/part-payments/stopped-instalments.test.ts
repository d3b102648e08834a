import { beforeAll, expect, test } from 'vitest'
import { addDays, addMonths, type CalendarDate } from '@kvitt/domain/calendar.ts'
import type { PlanAnswer } from '@kvitt/domain/part-payments/part-payment.contract.ts'
import { performDailyRun, stopInvoice } from '../collection/collection.ts'
import { openLog } from '../platform/log.ts'
import { buildClaim, buildInstanceAccount } from '../testing/build-claim.ts'
import { buildInvoice, buildPlanSettings, TODAY, type BuiltInvoice } from '../testing/build.ts'
import { signAndSettle } from '../testing/debts/settle.ts'
import { startTestServer, type TestServer } from '../testing/start-test-server.ts'

let server: TestServer

beforeAll(async () => {
  server = await startTestServer()
  await buildInstanceAccount(server.test, server.instanceId)
  await buildPlanSettings(server.test, server.instanceId)
})

type Door = Pick<BuiltInvoice, 'reference' | 'zip'>
type Billed = Door & { id: string; status: string; balance: number }

const call = (method: string, { reference, zip }: Door, path: string, body?: unknown) =>
  server.call(method, `/api/public/invoices/${reference}/${zip}${path}`, { body })
const sql = async (text: string, values: unknown[] = []) => (await server.test.owner.query(text, values)).rows
const context = () => ({ db: server.test.db, clock: server.clock, log: openLog('silent') })

async function startPlan(type = 'PLAN_3') {
  server.clock.moveTo(TODAY)
  const invoice = await buildInvoice(server.test, server.instanceId, server.clock, { totalMinor: 600_000 })
  const answer = await call('PUT', invoice, '/part-payment/start', { type, agreementAccepted: true })
  expect(answer.status).toBe(200)
  return { invoice, plan: (answer.json as PlanAnswer).id }
}

async function night(day: CalendarDate): Promise<void> {
  server.clock.moveTo(day)
  await performDailyRun(context(), { id: server.instanceId, timeZone: 'Europe/Stockholm' }, day)
}

const billed = (plan: string): Promise<Billed[]> =>
  sql(
    `select i.id, i.payment_reference as reference, i.zip, i.status, i.balance_minor::int as balance
     from part_payment_instalment n join invoice i on i.id = n.invoice_id
     where n.part_payment_id = $1 order by n.number`,
    [plan],
  )

async function pay(invoice: Billed): Promise<void> {
  const paymentDate = server.clock.today('Europe/Stockholm')
  const body = { paymentDate, amount: invoice.balance / 100, redirectUri: `${server.origin}/` }
  expect((await call('POST', invoice, '/payment-requests', body)).status).toBe(201)
  await signAndSettle(server, invoice.reference)
}

async function stop(invoice: { id: string } | undefined, on: CalendarDate): Promise<void> {
  const key = { instanceId: server.instanceId, invoiceId: invoice?.id ?? '' }
  await stopInvoice(context(), key, { on, reason: 'withdrawn' })
}

const planStatus = async (plan: string): Promise<string> =>
  (await sql('select status from part_payment where id = $1', [plan]))[0]?.status
const stateOf = async (invoice: { id: string }) =>
  (
    await sql(
      `select status, stop_reason as reason, balance_minor::int as balance, is_part_payment as plan from invoice where id = $1`,
      [invoice.id],
    )
  )[0]

const DUE = addMonths(TODAY, 1)

test('what is stopped is not billed again; the plan goes on, and its invoice will not have been paid', async () => {
  const { invoice, plan } = await startPlan()
  await night(addDays(DUE, -14))
  const [first] = await billed(plan)
  await stop(first, addDays(DUE, -13))
  expect(await planStatus(plan)).toBe('ACTIVE')
  for (const month of [1, 2]) {
    await night(addDays(addMonths(DUE, month), -14))
    const last = (await billed(plan)).at(-1)
    if (!last) throw new Error('nothing was billed')
    await pay(last)
  }
  const all = await billed(plan)
  expect(all.map(({ status, balance }) => [status, balance])).toEqual([
    ['STOPPED', 202_900],
    ['CLOSED', 0],
    ['CLOSED', 0],
  ])
  expect(await planStatus(plan)).toBe('STOPPED')
  expect(await stateOf(invoice)).toEqual({ status: 'STOPPED', reason: 'withdrawn', balance: 0, plan: false })
  expect((await call('PUT', invoice, '/payment-receipt')).status).toBe(400)
  const days = [addMonths(DUE, 2), addMonths(DUE, 3), addMonths(DUE, 4)]
  for (const day of days) await night(day)
  expect(await billed(plan)).toHaveLength(3)
})

test('when nothing else is open the plan ends at once', async () => {
  const { invoice, plan } = await startPlan()
  expect((await call('POST', invoice, '/part-payment/repay')).status).toBe(200)
  const [only] = await billed(plan)
  await stop(only, TODAY)
  expect(await planStatus(plan)).toBe('STOPPED')
  expect(await stateOf(invoice)).toMatchObject({ status: 'STOPPED', reason: 'withdrawn' })
})

test('a claim whose instalment was stopped is stopped with its invoices', async () => {
  server.clock.moveTo(TODAY)
  const claim = await buildClaim(server.test, server.instanceId, server.clock)
  const path = `/api/public/collection-batches/${claim.reference}/${claim.zip}/part-payment`
  const started = await server.call('POST', `${path}/start`, { body: { type: 'PLAN_3' } })
  expect(started.status).toBe(200)
  expect((await server.call('POST', `${path}/repay`)).status).toBe(200)
  const plan = (started.json as PlanAnswer).id
  const [only] = await billed(plan)
  await stop(only, TODAY)
  expect(await planStatus(plan)).toBe('STOPPED')
  expect(await sql('select status, stop_reason from claim where id = $1', [claim.id])).toEqual([
    { status: 'STOPPED', stop_reason: 'withdrawn' },
  ])
  const members = await sql('select status, stop_reason from invoice where claim_id = $1', [claim.id])
  expect(members).toEqual(claim.invoices.map(() => ({ status: 'STOPPED', stop_reason: 'withdrawn' })))
})

test('an account stops only what the stopped instalment took from', async () => {
  const { invoice: first, plan } = await startPlan('ACCOUNT')
  await night(addDays(DUE, -14))
  const [instalment] = await billed(plan)
  const second = await buildInvoice(server.test, server.instanceId, server.clock, {
    beside: first,
    totalMinor: 100_000,
    number: `${first.number}9`,
  })
  const body = { type: 'ACCOUNT', addToExisting: true, agreementAccepted: true }
  const added = await call('PUT', second, `/part-payment/start?invoiceNumber=${second.number}`, body)
  expect(added.status).toBe(200)
  await stop(instalment, addDays(DUE, -14))
  expect((await call('POST', first, `/part-payment/repay?invoiceNumber=${first.number}`)).status).toBe(200)
  const rest = (await billed(plan)).at(-1)
  if (!rest) throw new Error('nothing was billed')
  await pay(rest)
  expect(await planStatus(plan)).toBe('STOPPED')
  expect([(await stateOf(first)).status, (await stateOf(second)).status]).toEqual(['STOPPED', 'CLOSED'])
})
