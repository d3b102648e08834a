/** What a creditor's staff and programs do with its invoices. Here: what they approved is sent when its day has come (M-04). */
import { date, type CalendarDate } from '@kvitt/domain/calendar.ts'
import { bookCharge } from '@kvitt/domain/ledger/booking.ts'
import { money } from '@kvitt/domain/money.ts'
import { canMove } from '@kvitt/domain/invoices/invoice.ts'
import type { Context } from '../context.ts'
import { firstReminderDay, mostOfReminder, readReminderTerms, type AlreadySent } from '../imports/imports.ts'
import type { Instance } from '../instances/instances.ts'
import { distributeLocked, insertStepRow, lockInvoiceRow, type InvoiceRow } from '../invoices/invoices.ts'
import { postBookings, type Booking } from '../ledger/ledger.ts'
import { queueInvoice } from '../mail/mail.ts'
import type { Transaction } from '../platform/database/database.ts'
import { newId } from '../platform/identity.ts'
import { readAlreadySent, readDebtorKind, readToSend } from './drafts.queries.ts'

export { enterOnLocked } from './direct-payment.ts'
export { asRefusals, dayAhead, stopWithin } from './decide.ts'
export { grantMoreTime } from './more-time.ts'
export { WRITE_OFF_WORK } from './write-off.ts'

type SendContext = Pick<Context, 'db' | 'clock' | 'log'>

/** So many at a time, so that an instance with many does not keep the others waiting. */
const MOST_AT_ONCE = 500

/** Sends all approved invoices whose day has come; one that fails keeps none of the others. Answers how many. */
export async function sendApproved(
  context: SendContext,
  instances: readonly Pick<Instance, 'id' | 'timeZone'>[],
): Promise<number> {
  let sent = 0
  for (const { id: instanceId, timeZone } of instances) {
    const today = context.clock.today(timeZone)
    const waiting = await readToSend(context.db, { instanceId, today, limit: MOST_AT_ONCE })
    for (const invoiceId of waiting) {
      try {
        if (await sendOne(context, { instanceId, invoiceId }, today)) sent += 1
      } catch (error) {
        context.log.error({ err: error, invoiceId }, 'approved invoice not sent')
      }
    }
  }
  return sent
}

function sendOne(
  context: SendContext,
  key: { readonly instanceId: string; readonly invoiceId: string },
  today: CalendarDate,
): Promise<boolean> {
  return context.db.transaction(async (tx) => {
    const invoice = await lockInvoiceRow(tx, key.instanceId, key.invoiceId)
    // Somebody withdrew it, or another process was faster.
    if (!canMove('distribute', invoice.status, 'ACTIVATED')) return false
    const before = await readAlreadySent(tx, key)
    const sentOn = before ? date(before.sentDate) : today
    await distributeLocked(context, tx, invoice, { sentOn, bookedOn: today })
    if (before) await takeOver(context, tx, invoice, { ...before, bookedOn: today })
    else await queueInvoice(tx, key, { debtorId: invoice.debtor_id })
    return true
  })
}

/** What its creditor has done before: the reminder stands as done on its day, with the fee that was asked for. */
async function takeOver(
  { clock }: SendContext,
  tx: Transaction,
  invoice: InvoiceRow,
  { remindedOn, reminderFeeMinor, bookedOn }: AlreadySent & { readonly bookedOn: CalendarDate },
): Promise<void> {
  if (remindedOn === null) return
  const { instance_id: instanceId, id: invoiceId, creditor_id: creditorId, debtor_id: debtorId } = invoice
  // What was agreed may have been entered anew since it was written, and other doors lead here.
  const terms = await readReminderTerms(tx, { instanceId, creditorId })
  const reminded = {
    kind: await readDebtorKind(tx, instanceId, debtorId),
    currency: invoice.currency,
    totalMinor: invoice.total_minor,
    issueDate: invoice.issue_date,
    dueDate: date(invoice.expire_date),
  }
  const on = date(remindedOn)
  if (on < firstReminderDay(terms, reminded)) return
  const stepId = newId(clock.now())
  await insertStepRow(
    tx,
    { instanceId, invoiceId },
    { id: stepId, type: 'REMINDER', plannedDate: null, performedDate: remindedOn, status: 'PERFORMED' },
  )
  const feeMinor = Math.min(reminderFeeMinor, mostOfReminder(terms, reminded, on).minor)
  if (feeMinor === 0) return
  const fee = money(feeMinor, invoice.currency)
  const booking: Booking = {
    id: newId(clock.now()),
    kind: 'REMINDER',
    bookedOn,
    cause: `step:${stepId}`,
    invoiceId,
    paymentId: null,
    // Whatever is agreed of what we send: the creditor has done this work itself.
    owner: 'CREDITOR',
    lines: bookCharge({ invoiceId, creditorId, debtorId }, 'costs', fee),
  }
  await postBookings(tx, instanceId, [booking], clock)
}
