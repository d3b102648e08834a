/** Letters of nights, for tests: an invoice that nobody pays, what goes out for it, and what the sandbox has taken. */
import { addDays, date, type CalendarDate } from '@kvitt/domain/calendar.ts'
import { performDailyRun } from '../../collection/collection.ts'
import { buildInvoice, type BuiltInvoice } from '../build.ts'
import type { TestServer } from '../start-test-server.ts'

const START = date('2026-03-02')
export const DUE = addDays(START, 30)
/** A Swedish person's reminder is performed seven days after the due date, the demand 22 days after it. */
export const REMINDED = 8
export const DEMANDED = 23

export type Reach = {
  readonly email?: string | null
  readonly phone?: string | null
  readonly address?: string | null
  readonly number?: string | null
}

/** An invoice that falls due on DUE, of a debtor who can be reached so; at an address on paper if nothing else is said. */
export async function buildReached(server: TestServer, reach: Reach): Promise<BuiltInvoice> {
  const { email = null, phone = null, address = 'Storgatan 1', number = null } = reach
  server.clock.moveTo(START)
  const invoice = await buildInvoice(server.test, server.instanceId, server.clock, { dueDate: DUE })
  await server.test.owner.query(
    'update debtor set email = $2, phone = $3, address = $4, identification_number = $5 where id = $1',
    [invoice.debtorId, email, phone, address, number],
  )
  return invoice
}

/** Lives through so many nights. */
export async function liveNights(server: TestServer, from: CalendarDate, days: number): Promise<void> {
  const instance = { id: server.instanceId, timeZone: 'Europe/Stockholm' }
  for (let n = 0; n < days; n++) {
    server.clock.moveTo(addDays(from, n))
    await performDailyRun(server.product.context, instance, addDays(from, n))
  }
}

/** The same, and each letter goes on its day. */
export async function liveDays(server: TestServer, from: CalendarDate, days: number): Promise<void> {
  for (let n = 0; n < days; n++) {
    await liveNights(server, addDays(from, n), 1)
    await server.product.sendMail()
  }
}

/** What waits or has gone out for an invoice and its claim, oldest first. */
export async function outboxOf(server: TestServer, invoice: BuiltInvoice) {
  const found = await server.test.owner.query(
    `select channel, kind, status, last_error, recipient, refusals, tries from mail_outbox m
     where m.invoice_id = $1 or m.claim_id = (select claim_id from invoice where id = $1) order by created_at, kind`,
    [invoice.id],
  )
  return found.rows
}

/** A message as the sandbox shows it. */
export type SentMail = {
  readonly channel: string
  readonly from: string
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly messageId: string
  readonly attachments: readonly { readonly name: string; readonly type: string; readonly href: string }[]
}

export function readSentMail(server: TestServer): Promise<SentMail[]> {
  return server.control('GET', '/control/mail')
}
