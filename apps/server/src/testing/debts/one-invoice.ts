/** One invoice and what becomes of it, for tests: nights, objections, payments, and what is owed then. */
import { beforeAll, expect } from 'vitest'
import { addDays, date, type CalendarDate } from '@kvitt/domain/calendar.ts'
import { performDailyRun } from '../../collection/daily-run.ts'
import { openLog } from '../../platform/log.ts'
import { buildInvoice, type BuiltInvoice, type InvoiceWishes } from '../build.ts'
import { signAndSettle } from './settle.ts'
import { startTestServer, type TestServer } from '../start-test-server.ts'

export let server: TestServer
export let instance: { id: string; timeZone: string }
export const START = date('2026-03-02')
export const DUE = addDays(START, 30)

/** For the top of a test file. */
export function useInvoices(): void {
  beforeAll(async () => {
    server = await startTestServer()
    instance = { id: server.instanceId, timeZone: 'Europe/Stockholm' }
  })
}

export const context = () => ({ db: server.test.db, clock: server.clock, log: openLog('silent') })
export const keyOf = (invoice: BuiltInvoice) => ({ instanceId: instance.id, invoiceId: invoice.id })
export const path = (invoice: BuiltInvoice, rest = '') =>
  `/api/public/invoices/${invoice.reference}/${invoice.zip}${rest}`

export async function build(wishes: InvoiceWishes = {}): Promise<BuiltInvoice> {
  server.clock.moveTo(START)
  return buildInvoice(server.test, instance.id, server.clock, { dueDate: DUE, ...wishes })
}

export async function nights(from: CalendarDate, to: CalendarDate): Promise<void> {
  for (let day = from; day <= to; day = addDays(day, 1)) {
    server.clock.moveTo(day)
    await performDailyRun(context(), instance, day)
  }
}

export async function rowOf(invoice: BuiltInvoice) {
  const { rows } = await server.test.owner.query(
    `select status, principal_minor::int as principal, costs_minor::int as costs, interest_minor::int as interest,
       expire_date::text as due from invoice where id = $1`,
    [invoice.id],
  )
  return rows[0] as { status: string; principal: number; costs: number; interest: number; due: string }
}

export async function plannedOf(invoice: BuiltInvoice): Promise<string[]> {
  const { rows } = await server.test.owner.query<{ step: string }>(
    `select type || ' ' || planned_date as step from collection_step where invoice_id = $1 and status = 'PLANNED'`,
    [invoice.id],
  )
  return rows.map((r) => r.step)
}

export async function creditOf(invoice: BuiltInvoice): Promise<number> {
  const { rows } = await server.test.owner.query<{ minor: number }>(
    `select coalesce(-sum(balance_minor), 0)::int as minor from ledger_account where kind = 'credit' and debtor_id = $1`,
    [invoice.debtorId],
  )
  return rows[0]?.minor ?? 0
}

export const dispute = (invoice: BuiltInvoice) =>
  server.call('POST', path(invoice, '/dispute'), {
    body: { debtorEmail: 'alva@example.com', reason: 'Fel antal.' },
  })

/**
 * Pays what is owed through the sandbox bank, on the clock's day; `meanwhile` happens before the payer signs.
 * Answers the payment's id.
 */
export async function pay(invoice: BuiltInvoice, meanwhile?: () => Promise<unknown>): Promise<string> {
  const seen = (await server.call('GET', path(invoice))).json as { balances: { total: number } }
  const today = server.clock.today('Europe/Stockholm')
  const started = await server.call('POST', path(invoice, '/payment-requests'), {
    body: { paymentDate: today, amount: seen.balances.total, redirectUri: `${server.origin}/` },
  })
  expect(started.status, started.text).toBe(201)
  await meanwhile?.()
  await signAndSettle(server, invoice.reference)
  const { id } = started.json as { id: string }
  return id
}
