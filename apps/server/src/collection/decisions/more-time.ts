/** A debtor who asked for it has more time. */
import { addDays, type CalendarDate } from '@kvitt/domain/calendar.ts'
import type { Context } from '../../context.ts'
import { endPlannedSteps, lockInvoiceRow, type InvoiceRow } from '../../invoices/invoices.ts'
import { isRunningInstalment } from '../../part-payments/part-payments.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { dropLettersOf } from '../../unsent-letters/unsent-letters.ts'
import { reschedule } from '../reschedule.ts'
import { DecisionRefused, refuseInClaim } from './decision-refused.ts'
import { setDueDateRow } from './decisions.queries.ts'

/**
 * A new last day: nobody is late before it, no step comes before it, and a letter that has not left does not leave. Under the
 * lock of the invoice. Throws DecisionRefused.
 */
export async function giveMoreTimeOnLocked(
  context: Pick<Context, 'clock'>,
  tx: Transaction,
  invoice: InvoiceRow,
  { until, on }: { readonly until: CalendarDate; readonly on: CalendarDate },
): Promise<void> {
  refuseInClaim(invoice)
  const key = { instanceId: invoice.instance_id, invoiceId: invoice.id }
  if (invoice.status !== 'ACTIVATED' || invoice.balance_minor <= 0)
    throw new DecisionRefused(`Invoice ${invoice.invoice_number} has nothing to wait for.`)
  if (invoice.is_part_payment || (await isRunningInstalment(tx, invoice)))
    throw new DecisionRefused(`What ${invoice.invoice_number} owes is in a plan.`, 'owed_in_plan')
  const debt = { invoiceId: invoice.id }
  await dropLettersOf(context, tx, { instanceId: key.instanceId, debt, on, reason: 'due later' })
  const left = await lockInvoiceRow(tx, key.instanceId, key.invoiceId)
  await endPlannedSteps(tx, key, 'SKIPPED')
  await setDueDateRow(tx, key, until)
  if (left.balance_minor > 0) await reschedule(context, tx, key, addDays(until, 1))
}
