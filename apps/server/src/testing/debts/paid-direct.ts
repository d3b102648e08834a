/** Money that creditors were paid themselves, for tests: entered and taken back by their staff, beside plans and the bank. */
import { beforeAll, beforeEach, expect } from 'vitest'
import { addDays, addMonths, type CalendarDate } from '@kvitt/domain/calendar.ts'
import type { PlanAnswer } from '@kvitt/domain/part-payments/part-payment.contract.ts'
import { performDailyRun } from '../../collection/collection.ts'
import { openLog } from '../../platform/log.ts'
import { buildInvoice, buildPlanSettings, TODAY, type BuiltInvoice } from '../build.ts'
import { signAndSettle } from './settle.ts'
import { signInStaff, type SignedIn } from '../staff.ts'
import { startTestServer, type Answer, type TestServer } from '../start-test-server.ts'

export let server: TestServer
/** The invoice of the test, and a manager of its creditor. */
export let one: BuiltInvoice
let manager: SignedIn

/** For the top of a test file. */
export function useDirectPayments(): void {
  beforeAll(async () => {
    server = await startTestServer()
    await buildPlanSettings(server.test, server.instanceId)
  })
  beforeEach(() => server.clock.moveTo(TODAY))
}

export async function build(totalMinor = 600_000): Promise<void> {
  one = await buildInvoice(server.test, server.instanceId, server.clock, { totalMinor })
  const at = { instanceId: server.instanceId, creditorId: one.creditorId, role: 'manager' } as const
  manager = await signInStaff(server.product.context, at)
}

export type Door = Pick<BuiltInvoice, 'reference' | 'zip'>
export type Billed = Door & { id: string; balance: number }

export const sql = async (text: string, values: unknown[] = []) =>
  (await server.test.owner.query(text, values)).rows
export const call = (method: string, { reference, zip }: Door, path: string, body?: unknown) =>
  server.call(method, `/api/public/invoices/${reference}/${zip}${path}`, { body })
/** A call of the creditor's manager. */
export const ask = (path: string, body?: object, key?: string): Promise<Answer> =>
  server.call(body ? 'POST' : 'GET', `/api/client/${path}`, {
    ...(body ? { body } : {}),
    headers: { authorization: manager.authorization, ...(key ? { 'idempotency-key': key } : {}) },
  })
export async function act(name: string, body: object, id = one.id): Promise<Answer> {
  const answer = await ask(`invoices/${id}/${name}`, body)
  expect(answer.status, answer.text).toBe(200)
  return answer
}
export const direct = (amountMinor: number, id = one.id) =>
  act('direct-payment', { amount: amountMinor / 100, date: server.clock.today('Europe/Stockholm') }, id)

export async function night(day: CalendarDate): Promise<void> {
  server.clock.moveTo(day)
  const context = { db: server.test.db, clock: server.clock, log: openLog('silent') }
  await performDailyRun(context, { id: server.instanceId, timeZone: 'Europe/Stockholm' }, day)
}

export async function startPlan(): Promise<string> {
  const answer = await call('PUT', one, '/part-payment/start', { type: 'PLAN_3', agreementAccepted: true })
  expect(answer.status, answer.text).toBe(200)
  return (answer.json as PlanAnswer).id
}

export const billed = (plan: string): Promise<Billed[]> =>
  sql(
    `select i.id, i.payment_reference as reference, i.zip, i.balance_minor::int as balance
     from part_payment_instalment n join invoice i on i.id = n.invoice_id where n.part_payment_id = $1 order by n.number`,
    [plan],
  )
export async function lastBilled(plan: string, months: number): Promise<Billed> {
  await night(addDays(addMonths(TODAY, months), -14))
  const last = (await billed(plan)).at(-1)
  if (!last) throw new Error('nothing was billed')
  return last
}

export async function payAtBank(invoice: Door, amountMinor: number): Promise<void> {
  const paymentDate = server.clock.today('Europe/Stockholm')
  const body = { paymentDate, amount: amountMinor / 100, redirectUri: `${server.origin}/` }
  const started = await call('POST', invoice, '/payment-requests', body)
  expect(started.status, started.text).toBe(201)
  await signAndSettle(server, invoice.reference)
}

/** What stands with us and with the creditor, and what of it is owed back: in öre. */
export async function books() {
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

/** The payment of an invoice that staff entered last, as the payments list has it. */
export async function entered(id = one.id): Promise<{ id: string; status: string; amount: number }> {
  const wanted = { way: 'DIRECT', 'subject.id': id }
  const { json } = await ask('payments/search?orderBy=id&order=desc', wanted)
  const [last] = json as { id: string; status: string; amount: number }[]
  if (!last) throw new Error('nothing was entered')
  return last
}
export const takeBack = (paymentId: string, body: object = { reason: 'Wrong customer' }, key?: string) =>
  ask(`payments/${paymentId}/reverse`, body, key)
export const codeOf = ({ status, json }: Answer): unknown[] => [status, (json as { code: string }).code]
export const stateOf = async (id = one.id) =>
  (
    await sql(
      `select status, principal_minor::int as principal, costs_minor::int as costs, interest_minor::int as interest
       from invoice where id = $1`,
      [id],
    )
  )[0]

/** Signed, and not carried out. */
export async function sign(
  debt: Door & { id: string } = one,
  wish: object = { amount: 842, paymentDate: addDays(TODAY, 14), paymentOption: 'due-date' },
): Promise<void> {
  const body = { ...wish, redirectUri: `${server.origin}/` }
  const started = await call('POST', debt, '/payment-requests', body)
  expect(started.status, started.text).toBe(201)
  const orders: { id: string; reference: string }[] = await server.control('GET', '/control/orders')
  const order = orders.find(({ reference }) => reference === debt.reference)
  await server.control('POST', `/control/orders/${order?.id}/approve`, { hold: true })
  await expect
    .poll(
      async () => {
        await server.product.sweepAll()
        return (await sql('select status from payment where invoice_id = $1', [debt.id]))[0]?.status
      },
      { timeout: 10_000 },
    )
    .toBe('AUTHORIZED')
}
