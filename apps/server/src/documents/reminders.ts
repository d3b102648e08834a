/**
 * Reminder letters. The daily run only charges and plans; a letter is drawn when somebody first opens it, from the books
 * as they stood when it was sent, and kept from then on: a letter does not change with what happens later.
 */
import { date } from '@kvitt/domain/calendar.ts'
import type { Context } from '../context.ts'
import {
  interestLines,
  isLetOff,
  readBucketEvents,
  withoutUnsent,
  type BucketEvent,
} from '../ledger/ledger.ts'
import { newId } from '../platform/identity.ts'
import { readShownDocument, type StoredFile } from './documents.queries.ts'
import { requesterOf, drawLetter } from './drawings.ts'
import type { Letter } from './letter.ts'
import type { Reminder } from './letters.ts'
import { insertReminderLetter, lockReminderStep, type ReminderRow } from './reminders.queries.ts'

type DrawContext = Pick<Context, 'db' | 'clock'>

/** Letters that are being drawn for this process, so that fifty who ask at once wait for one. */
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

/** The letter of a reminder as it is drawn now; not kept. */
export async function drawReminder(
  context: Pick<Context, 'db'>,
  letter: Letter,
  { row, name }: { readonly row: ReminderRow; readonly name: string },
): Promise<StoredFile> {
  const { instance_id: instanceId } = letter.invoice
  const events = await readBucketEvents(context.db, { instanceId, invoiceId: row.invoice_id })
  const by = { kind: 'reminder', requester: requesterOf(letter.invoice) } as const
  const bytes = await drawLetter(by, letter, reminderOf(row, events))
  return { name_raw: name, mime_type: 'application/pdf', content: Buffer.from(bytes) }
}

async function drawOnce(
  context: DrawContext,
  letter: Letter,
  { row, name }: { readonly row: ReminderRow; readonly name: string },
): Promise<StoredFile> {
  const { instance_id: instanceId } = letter.invoice
  const { content } = await drawReminder(context, letter, { row, name })
  return context.db.transaction(async (tx) => {
    // Another process may have drawn it meanwhile: what was kept first is the letter.
    await lockReminderStep(tx, row.id)
    const kept = await readShownDocument(tx, instanceId, row.id)
    if (kept) return kept
    const fileId = newId(context.clock.now())
    const { type, invoice_id: invoiceId } = row
    await insertReminderLetter(tx, instanceId, {
      stepId: row.id,
      fileId,
      invoiceId,
      type,
      name,
      bytes: content,
    })
    return { name_raw: name, mime_type: 'application/pdf', content }
  })
}

/**
 * What stood in the books when the letter was written or, had it waited, when it left; its own fee and interest counted. What a
 * person let the debtor off before it left it tells, too.
 */
function upToStep(row: ReminderRow, booked: readonly BucketEvent[]): BucketEvent[] {
  const events = booked.filter((event) => !isLetOff(event))
  const letOff = booked.filter(
    (event) =>
      isLetOff(event) &&
      (row.left_at === null ? event.booked_on < row.performed_date : event.posted_at < row.left_at),
  )
  return [...upToWriting(row, events), ...letOff]
}

function upToWriting(row: ReminderRow, events: readonly BucketEvent[]): BucketEvent[] {
  const isOwn = ({ cause }: BucketEvent): boolean =>
    cause === `step:${row.id}` || cause === `interest:${row.id}`
  if (row.sent_on > row.performed_date)
    return events.filter((event) => event.booked_on < row.sent_on || isOwn(event))
  const own = events.filter(isOwn)
  const last = own.at(-1)
  if (last) return events.filter(({ posted_at: at }) => at <= last.posted_at)
  return events.filter(
    ({ booked_on: on, kind }) =>
      on < row.performed_date || (on === row.performed_date && kind !== 'PAYMENT' && kind !== 'WRITE_OFF'),
  )
}

function reminderOf(row: ReminderRow, booked: readonly BucketEvent[]): Reminder {
  const events = withoutUnsent(upToStep(row, booked))
  const total = (bucket: 'principal_minor' | 'costs_minor'): number =>
    events.reduce((sum, event) => sum + event[bucket], 0)
  return {
    type: row.type,
    sentOn: date(row.sent_on),
    lastPayDate: row.last_pay_date ? date(row.last_pay_date) : undefined,
    principalMinor: total('principal_minor'),
    costsMinor: total('costs_minor'),
    interest: interestLines(events),
  }
}
