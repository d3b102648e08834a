/** What is overdue and paid late, for tests: nights, transfers, and what of its interest is posted, waits or is billed. */
import { beforeAll } from 'vitest'
import { addDays, date, type CalendarDate } from '@kvitt/domain/calendar.ts'
import { performDailyRun } from '../../collection/daily-run.ts'
import { openLog } from '../../platform/log.ts'
import { recordApplied } from './applied.ts'
import { buildInvoice, type BuiltInvoice, type InvoiceWishes } from '../build.ts'
import { NIGHTS_TO_CLAIM } from '../build-claim.ts'
import { startTestServer, type TestServer } from '../start-test-server.ts'
import { transfer } from './transfer.ts'

export let server: TestServer
export const DUE = date('2026-03-10')
export const REMINDED = addDays(DUE, 7)

/** For the top of a test file. */
export function useOverdue(): void {
  beforeAll(async () => {
    server = await startTestServer()
  })
}

export const context = () => ({ db: server.test.db, clock: server.clock, log: openLog('silent') })
export const sql = async (text: string, values: unknown[]) =>
  (await server.test.owner.query(text, values)).rows

export async function build(wishes: InvoiceWishes = {}): Promise<BuiltInvoice> {
  server.clock.moveTo(date('2026-02-10'))
  return buildInvoice(server.test, server.instanceId, server.clock, { dueDate: DUE, ...wishes })
}

export async function night(day: CalendarDate): Promise<void> {
  server.clock.moveTo(day)
  await performDailyRun(context(), { id: server.instanceId, timeZone: 'Europe/Stockholm' }, day)
}

export async function nights(...after: number[]): Promise<void> {
  for (const days of after) await night(addDays(DUE, days))
}

/** Nights until the invoice is in a claim, which has sent its demand. */
export async function handOver(): Promise<void> {
  await nights(...NIGHTS_TO_CLAIM)
  await server.product.sendMail()
}
/** The claim of the invoice is taken to the authority. */
export async function applyFor(invoiceId: string, on: CalendarDate): Promise<void> {
  const [{ claim_id: claimId }] = await sql('select claim_id from invoice where id = $1', [invoiceId])
  server.clock.moveTo(on)
  await recordApplied(server.product.context, { instanceId: server.instanceId, claimId, on })
}

export const HANDED_OVER = NIGHTS_TO_CLAIM.at(-1) ?? 0

export async function pay(invoice: BuiltInvoice, amountMinor: number, on: CalendarDate): Promise<string> {
  server.clock.moveTo(on)
  await transfer(server, invoice, amountMinor)
  const [line] = await sql(
    `select l.id from bank_line l where l.status = 'BOOKED' order by l.id desc limit 1`,
    [],
  )
  return line.id
}

export const bills = async (invoice: BuiltInvoice) =>
  (
    await sql(
      `select status, total_minor::int as total, balance_minor::int as balance, payment_reference as reference,
         jsonb_array_length(rows) as lines from invoice where type = 'INTEREST_INVOICE' and debtor_id = $1 order by id`,
      [invoice.debtorId],
    )
  ).map(({ reference, ...bill }) => ({ ...bill, isSameReference: reference === invoice.reference }))
export const bill = (total: number, more: object = {}) => ({
  status: 'ACTIVATED',
  total,
  balance: total,
  lines: 1,
  isSameReference: true,
  ...more,
})

export const owed = async ({ id }: BuiltInvoice) =>
  (
    await sql(
      `select status, principal_minor::int as principal, interest_minor::int as interest from invoice where id = $1`,
      [id],
    )
  )[0]
export const posted = async ({ id }: BuiltInvoice): Promise<number> =>
  (
    await sql(
      `select coalesce(sum(p.amount_minor), 0)::int as minor from ledger_transaction t
       join posting p on p.transaction_id = t.id and p.amount_minor > 0 where t.kind = 'INTEREST' and t.invoice_id = $1`,
      [id],
    )
  )[0].minor

export const daysOf = async ({ id }: BuiltInvoice) =>
  (
    await sql(`select status from late_days where debt_id = $1 order by to_day, payment_id, is_back`, [id])
  ).map(({ status }) => status)
