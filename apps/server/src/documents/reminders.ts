/**
 * Reminder letters. The night only charges and plans; a letter is drawn when somebody first opens it, from the books
 * as they stood when it was sent, and kept from then on: a letter does not change with what happens later.
 */
import { addDays, date } from '@kvitt/domain/calendar.ts'
import { interestOn, type OwedDays } from '@kvitt/domain/collection/interest-posting.ts'
import type { Context } from '../context.ts'
import type { InvoiceRow } from '../invoices/invoices.ts'
import { readBucketEvents, readPostedDays, type BucketEvent } from '../ledger/ledger.ts'
import { newId } from '../platform/identity.ts'
import { readShownDocument, type StoredFile } from './documents.queries.ts'
import { drawReminder, type Letter, type Reminder } from './letters.ts'
import { insertReminderLetter, lockReminderStep, type ReminderRow } from './reminders.queries.ts'

type DrawContext = Pick<Context, 'db' | 'clock'>

/** Letters that are being drawn in this process, so that fifty who ask at once wait for one. */
const drawing = new Map<string, Promise<StoredFile>>()

/** The letter of a reminder that nobody has opened yet. `name` is what it is saved as. */
export function openReminder(
  context: DrawContext,
  letter: Letter,
  { row, name }: { readonly row: ReminderRow; readonly name: string },
): Promise<StoredFile> {
  const running = drawing.get(row.id)
  if (running) return running
  const started = drawOnce(context, letter, { row, name }).finally(() => drawing.delete(row.id))
  drawing.set(row.id, started)
  return started
}

async function drawOnce(
  context: DrawContext,
  letter: Letter,
  { row, name }: { readonly row: ReminderRow; readonly name: string },
): Promise<StoredFile> {
  const { instance_id: instanceId } = letter.invoice
  const events = await readBucketEvents(context.db, { instanceId, invoiceId: row.invoice_id })
  const lateDays = await readPostedDays(context.db, instanceId, [row.invoice_id])
  const bytes = await drawReminder(letter, reminderOf(row, letter.invoice, { events, lateDays }))
  return context.db.transaction(async (tx) => {
    // Another process may have drawn it meanwhile: what was kept first is the letter.
    await lockReminderStep(tx, row.id)
    const kept = await readShownDocument(tx, instanceId, row.id)
    if (kept) return kept
    const fileId = newId(context.clock.now())
    const { type, invoice_id: invoiceId } = row
    await insertReminderLetter(tx, instanceId, { stepId: row.id, fileId, invoiceId, type, name, bytes })
    return { name_raw: name, mime_type: 'application/pdf', content: Buffer.from(bytes) }
  })
}

/** What stood in the books when the step was performed, its own fee and interest counted. */
function upToStep(row: ReminderRow, events: readonly BucketEvent[]): BucketEvent[] {
  const own = events.filter(({ cause }) => cause === `step:${row.id}` || cause === `interest:${row.id}`)
  const last = own.at(-1)
  if (last) return events.filter(({ posted_at: at }) => at <= last.posted_at)
  return events.filter(
    ({ booked_on: on, kind }) =>
      on < row.performed_date || (on === row.performed_date && kind !== 'PAYMENT' && kind !== 'WRITE_OFF'),
  )
}

/** Without what another letter charged and gave back before it was sent: it never was. */
function withoutUnsent(events: readonly BucketEvent[]): BucketEvent[] {
  const gone = new Set<BucketEvent>()
  for (const back of events.filter(({ cause }) => cause.startsWith('unsent:'))) {
    const stepId = back.cause.slice('unsent:'.length)
    const charged = events.filter(({ cause }) => cause === `step:${stepId}` || cause === `interest:${stepId}`)
    const sum = (bucket: 'costs_minor' | 'interest_minor'): number =>
      [...charged, back].reduce((total, event) => total + event[bucket], 0)
    // Part of it was paid meanwhile: then the letter tells the whole story.
    if (sum('costs_minor') !== 0 || sum('interest_minor') !== 0) continue
    for (const event of [...charged, back]) gone.add(event)
  }
  return events.filter((event) => !gone.has(event))
}

type Booked = {
  readonly events: readonly BucketEvent[]
  /** By step, what its interest was posted on besides what was owed then. */
  readonly lateDays: ReadonlyMap<string, readonly OwedDays[]>
}

function reminderOf(row: ReminderRow, invoice: InvoiceRow, booked: Booked): Reminder {
  const events = withoutUnsent(upToStep(row, booked.events))
  const total = (bucket: 'principal_minor' | 'costs_minor'): number =>
    events.reduce((sum, event) => sum + event[bucket], 0)
  return {
    type: row.type,
    sentOn: date(row.performed_date),
    lastPayDate: row.last_pay_date ? date(row.last_pay_date) : undefined,
    principalMinor: total('principal_minor'),
    costsMinor: total('costs_minor'),
    interest: interestLines(row, invoice, { ...booked, events }),
  }
}

/** Each posting of interest with its rates and days; what was paid or taken back of it has a line of its own. */
function interestLines(
  row: ReminderRow,
  invoice: InvoiceRow,
  { events, lateDays }: Booked,
): Reminder['interest'] {
  const lines: Reminder['interest'][number][] = []
  let principalMinor = 0
  let from = addDays(date(invoice.expire_date), 1)
  for (const { kind, cause, ...event } of events) {
    if (kind === 'INTEREST') {
      const to = date(event.booked_on)
      const late = lateDays.get(cause.slice('interest:'.length)) ?? []
      const segments = segmentsOf(row, [{ principalMinor, from, to }, ...late])
      lines.push({ amountMinor: event.interest_minor, segments })
      from = addDays(to, 1)
    } else if (event.interest_minor !== 0) {
      lines.push({ amountMinor: event.interest_minor, segments: [] })
    }
    principalMinor += event.principal_minor
  }
  return lines
}

function segmentsOf(row: ReminderRow, owed: readonly OwedDays[]) {
  const debtorKind = row.kind === 'COMPANY' ? 'business' : 'consumer'
  const segments = interestOn({ owed, country: row.country, debtorKind })?.segments ?? []
  return segments.map((segment) => ({ ...segment, percent: segment.percent.replace('.', ',') }))
}
