/** Respite and the end of it, and the end of a case without payment: what staff decide about one invoice. */
import { date, type CalendarDate } from '@kvitt/domain/calendar.ts'
import { shiftAfterPause } from '@kvitt/domain/collection/schedule.ts'
import type { Context } from '../../context.ts'
import { readCreditor } from '../../creditors/creditors.ts'
import {
  endOpenDispute,
  holdSteps,
  lockInvoiceRow,
  moveInvoice,
  readHeldSteps,
  releaseStep,
  setPause,
  setResumed,
  setStopReason,
  type InvoiceKey,
  type InvoiceRow,
} from '../../invoices/invoices.ts'
import { completePlanOf } from '../../part-payments/part-payments.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { reschedule } from '../reschedule.ts'
import { refuseInClaim } from './decision-refused.ts'

type PauseContext = Pick<Context, 'db'>
type ResumeContext = Pick<Context, 'db' | 'clock'>

export type Pause = {
  readonly on: CalendarDate
  readonly reason: string
  /** The day on which it goes on by itself; null until staff say so. */
  readonly resumeDate: CalendarDate | null
}

/** M-09: everything planned is held. Throws DecisionRefused for an invoice in a claim. */
export function pauseInvoice(context: PauseContext, key: InvoiceKey, pause: Pause): Promise<void> {
  return context.db.transaction(async (tx) => pauseLockedInvoice(tx, await lockOwn(tx, key), pause))
}

/** As pauseInvoice, of an invoice that is locked and in no claim. */
export async function pauseLockedInvoice(tx: Transaction, invoice: InvoiceRow, pause: Pause): Promise<void> {
  const key = keyOf(invoice)
  await setPause(tx, key, pause)
  await moveInvoice(tx, invoice, { move: 'pause', to: 'PAUSED' })
  await holdSteps(tx, key)
}

/** M-10: what was held goes on, later by the length of the pause and never sooner than in three bank days. */
export function resumeInvoice(context: ResumeContext, key: InvoiceKey, today: CalendarDate): Promise<void> {
  return context.db.transaction(async (tx) => {
    const invoice = await lockInvoiceRow(tx, key.instanceId, key.invoiceId)
    // Somebody else resumed it, or it was paid, while we waited for the lock.
    if (invoice.status === 'PAUSED') await resumeLockedInvoice(context, tx, invoice, today)
  })
}

/** As resumeInvoice, of one that is locked and paused. */
export async function resumeLockedInvoice(
  context: Pick<Context, 'clock'>,
  tx: Transaction,
  invoice: InvoiceRow,
  today: CalendarDate,
): Promise<void> {
  const key = keyOf(invoice)
  const { country } = await readCreditor(tx, key.instanceId, invoice.creditor_id)
  const pausedOn = date(invoice.paused_on ?? today)
  const held = await readHeldSteps(tx, key)
  for (const step of held) {
    const plannedDate = shiftAfterPause(date(step.planned_date ?? today), { country, pausedOn, today })
    await releaseStep(tx, { instanceId: key.instanceId, stepId: step.id }, plannedDate)
  }
  await setResumed(tx, key, today)
  await moveInvoice(tx, invoice, { move: 'resume', to: 'ACTIVATED' })
  // It fell due while it was paused, or is about to: its schedule begins no sooner either.
  if (held.length === 0 && invoice.balance_minor > 0)
    await reschedule(context, tx, key, shiftAfterPause(today, { country, pausedOn: today, today }))
}

/** The end of a case without payment. */
export type Stop = { readonly on: CalendarDate; readonly reason: string }

/**
 * M-24: the case ends without payment. What is left stays in the books, with the reason; when it is the last that was open of
 * an instalment's plan, the plan ends with it. As pauseInvoice.
 */
export function stopInvoice(context: PauseContext, key: InvoiceKey, stop: Stop): Promise<void> {
  return context.db.transaction(async (tx) => stopLockedInvoice(tx, await lockOwn(tx, key), stop))
}

/** As stopInvoice, of an invoice that is locked and in no claim. */
export async function stopLockedInvoice(
  tx: Transaction,
  invoice: InvoiceRow,
  { on, reason }: Stop,
): Promise<void> {
  const key = keyOf(invoice)
  await setStopReason(tx, key, reason)
  await endOpenDispute(tx, key, { status: 'UPHELD', on, decision: reason })
  await moveInvoice(tx, invoice, { move: 'stop', to: 'STOPPED' })
  await completePlanOf(tx, invoice, on)
}

const keyOf = ({ instance_id: instanceId, id: invoiceId }: InvoiceRow): InvoiceKey => ({
  instanceId,
  invoiceId,
})

async function lockOwn(tx: Transaction, { instanceId, invoiceId }: InvoiceKey): Promise<InvoiceRow> {
  const invoice = await lockInvoiceRow(tx, instanceId, invoiceId)
  refuseInClaim(invoice)
  return invoice
}
