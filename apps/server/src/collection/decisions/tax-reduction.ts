/** The tax authority has denied the tax reduction that an invoice counted on: the debtor owes that part too (M-23). */
import { addDays, type CalendarDate } from '@kvitt/domain/calendar.ts'
import { bookCharge } from '@kvitt/domain/ledger/booking.ts'
import { amountText, money } from '@kvitt/domain/money.ts'
import type { Context } from '../../context.ts'
import {
  endPlannedSteps,
  insertStepRow,
  lockInvoiceRow,
  moveInvoice,
  type InvoiceKey,
  type InvoiceRow,
} from '../../invoices/invoices.ts'
import { postBookings } from '../../ledger/ledger.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { newId } from '../../platform/identity.ts'
import { dropLettersOf } from '../../unsent-letters/unsent-letters.ts'
import { DecisionRefused, refuseAmount } from './decision-refused.ts'
import { readDenials, setDueDateRow } from './decisions.queries.ts'
import { reschedule } from '../reschedule.ts'

/** The debtor has this long to pay what nobody asked for before. */
const TERM_DAYS = 30

export type Denial = {
  readonly on: CalendarDate
  /** What the authority calls its decision; the same one counts once. */
  readonly decision: string
  /** In minor units of the invoice's currency. */
  readonly amountMinor: number
}

/** A number as people mean it, whether or not they wrote its case, blanks and hyphens alike. */
const folded = (decision: string): string => decision.toLowerCase().replace(/[\s\p{Pd}]/gu, '')

/**
 * M-23: the denied part is added to the principal, with thirty days to pay. Answers false when this decision has
 * been taken in before. Throws DecisionRefused for more than the invoice with all that was denied before, while a payment is being settled, and in states where nothing can be
 * added.
 */
export function denyTaxReduction(
  context: Pick<Context, 'db' | 'clock'>,
  key: InvoiceKey,
  denial: Denial,
): Promise<boolean> {
  return context.db.transaction(async (tx) =>
    denyOnLocked(context, tx, await lockInvoiceRow(tx, key.instanceId, key.invoiceId), denial),
  )
}

/** As denyTaxReduction, of an invoice that is locked. */
export async function denyOnLocked(
  context: Pick<Context, 'clock'>,
  tx: Transaction,
  invoice: InvoiceRow,
  { on, decision, amountMinor }: Denial,
): Promise<boolean> {
  if (!Number.isSafeInteger(amountMinor) || amountMinor <= 0)
    throw new DecisionRefused('The denied amount has to be more than nothing.')
  const key = { instanceId: invoice.instance_id, invoiceId: invoice.id }
  const prefix = `tax-reduction:${invoice.id}:`
  const entries = await readDenials(tx, key)
  const same = entries.find(({ cause }) => folded(cause.slice(prefix.length)) === folded(decision))
  if (same) {
    const { minor: entered } = same
    if (entered === amountMinor) return false
    throw new DecisionRefused(
      `The decision ${decision} was entered with ${amountText(entered)} ${invoice.currency}: another sum needs a decision of its own.`,
      'denial_entered',
    )
  }
  const { status } = invoice
  if (invoice.claim_id || invoice.is_part_payment)
    throw new DecisionRefused(
      'What the invoice owed is in a claim or a plan: this needs a person.',
      invoice.claim_id ? 'in_claim' : 'owed_in_plan',
      invoice.claim_id ? { claimId: invoice.claim_id } : {},
    )
  if (status === 'PENDING_AUTHORIZATION')
    throw new DecisionRefused(
      'A payment is being settled. Enter the decision when it is done.',
      'payment_signed',
    )
  if (status !== 'ACTIVATED' && status !== 'PAUSED' && status !== 'DISPUTED' && status !== 'CLOSED')
    throw new DecisionRefused(`Nothing can be added to an invoice that is ${status.toLowerCase()}.`)
  const most = invoice.total_minor - entries.reduce((sum, { minor }) => sum + minor, 0)
  if (amountMinor > most)
    throw refuseAmount(
      `Of the invoice's ${amountText(invoice.total_minor)} ${invoice.currency} no more than ${amountText(most)} can be denied still.`,
      money(most, invoice.currency),
    )
  const parties = { invoiceId: invoice.id, creditorId: invoice.creditor_id, debtorId: invoice.debtor_id }
  const booking = {
    id: newId(context.clock.now()),
    kind: 'DENIED_TAX_REDUCTION_NOTIFICATION',
    bookedOn: on,
    cause: `${prefix}${decision}`,
    invoiceId: invoice.id,
    paymentId: null,
    lines: bookCharge(parties, 'principal', money(amountMinor, invoice.currency)),
  }
  await postBookings(tx, key.instanceId, [booking], context.clock)
  // A reminder that still waits speaks of another sum and another day.
  const debt = { invoiceId: invoice.id }
  await dropLettersOf(context, tx, { instanceId: key.instanceId, debt, on, reason: 'due later' })
  await insertStepRow(tx, key, {
    id: newId(context.clock.now()),
    type: 'DENIED_TAX_REDUCTION_NOTIFICATION',
    plannedDate: null,
    performedDate: on,
    status: 'PERFORMED',
  })
  await moveInvoice(tx, invoice, {
    move: 'denyTaxReduction',
    to: status === 'CLOSED' ? 'ACTIVATED' : status,
  })
  const dueDate = addDays(on, TERM_DAYS)
  await setDueDateRow(tx, key, dueDate)
  if (status === 'ACTIVATED') await endPlannedSteps(tx, key, 'CANCELLED')
  if (status === 'ACTIVATED' || status === 'CLOSED') await reschedule(context, tx, key, addDays(dueDate, 1))
  return true
}
