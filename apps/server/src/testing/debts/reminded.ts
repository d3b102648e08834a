/** Reminders whose letters are still here, for tests. */
import { beforeAll, expect } from 'vitest'
import { addDays, date, type CalendarDate } from '@kvitt/domain/calendar.ts'
import { performDailyRun } from '../../collection/collection.ts'
import { buildInstanceAccount } from '../build-claim.ts'
import { buildInvoice, buildPlanSettings, type BuiltInvoice, type InvoiceWishes } from '../build.ts'
import { startTestServer, type TestServer } from '../start-test-server.ts'

export let server: TestServer

/** For the top of a test file. */
export function useReminders(): void {
  beforeAll(async () => {
    server = await startTestServer()
    await buildInstanceAccount(server.test, server.instanceId)
    await buildPlanSettings(server.test, server.instanceId)
  })
}

export const START = date('2026-03-02')
export const DUE = addDays(START, 30)
export const REMINDED = addDays(DUE, 7)

export const sql = async (text: string, values: unknown[] = []) =>
  (await server.test.owner.query(text, values)).rows
export const context = () => server.product.context
export const keyOf = (invoice: { id: string }) => ({ instanceId: server.instanceId, invoiceId: invoice.id })

export async function night(day: CalendarDate): Promise<void> {
  server.clock.moveTo(day)
  await performDailyRun(context(), { id: server.instanceId, timeZone: 'Europe/Stockholm' }, day)
}

/** A reminder was performed, with its fee and 1.92 in interest of 1 000.00, and its letter is still here. */
export async function remind(wishes: InvoiceWishes = {}, interest = 192): Promise<BuiltInvoice> {
  server.clock.moveTo(START)
  const invoice = await buildInvoice(server.test, server.instanceId, server.clock, {
    dueDate: DUE,
    totalMinor: 100_000,
    ...wishes,
  })
  for (const after of [1, 2, 7]) await night(addDays(DUE, after))
  expect(await owed(invoice)).toMatchObject({ costs: 6_000, interest })
  return invoice
}

export const owed = async ({ id }: { id: string }) =>
  (
    await sql(
      `select status, principal_minor::int as principal, costs_minor::int as costs, interest_minor::int as interest,
         interest_posted_to::text as interest_to from invoice where id = $1`,
      [id],
    )
  )[0]

export const steps = async (debtId: string): Promise<string[]> =>
  (
    await sql(
      `select type, status, coalesce(performed_date, planned_date)::text as day from collection_step
       where debt_id = $1 and type not in ('INVOICE', 'EXPIRED', 'EXPIRED_NOTIFICATION')
       order by coalesce(performed_date, planned_date), id`,
      [debtId],
    )
  ).map((row: { type: string; status: string; day: string }) => `${row.type} ${row.status} ${row.day}`)

export const call = (invoice: BuiltInvoice, path: string, body?: unknown) =>
  server.call(body ? 'POST' : 'GET', `/api/public/invoices/${invoice.reference}/${invoice.zip}${path}`, {
    body,
  })

export const letters = async (invoice: BuiltInvoice): Promise<string[]> =>
  ((await call(invoice, '/documents')).json as { type: string; topic: string }[])
    .filter(({ topic }) => topic === 'REMINDER')
    .map(({ type }) => type)

export async function dispute(invoice: BuiltInvoice): Promise<void> {
  const body = { debtorEmail: 'tvist@example.com', reason: 'Fel belopp.' }
  expect((await call(invoice, '/dispute', body)).status).toBe(201)
}
