/** A creditor does not want to wait any longer: what the schedule would do later comes as early as the law allows. */
import { addDays, type CalendarDate } from '@kvitt/domain/calendar.ts'
import type { Context } from '../../context.ts'
import { endPlannedSteps, type InvoiceRow } from '../../invoices/invoices.ts'
import { isResting } from '../../ledger/resting-debts.queries.ts'
import { isRunningInstalment } from '../../part-payments/part-payments.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { reschedule } from '../reschedule.ts'
import { DecisionRefused, refuseInClaim } from './decision-refused.ts'
import { setToCollectionRow } from './decisions.queries.ts'

/**
 * From now on one reminder is enough, and each step comes on the first day that the law allows; the time to pay that a letter
 * gave is kept. Under the lock of the invoice. Throws DecisionRefused.
 */
export async function hastenOnLocked(
  context: Pick<Context, 'clock'>,
  tx: Transaction,
  invoice: InvoiceRow,
  on: CalendarDate,
): Promise<void> {
  refuseInClaim(invoice)
  const key = { instanceId: invoice.instance_id, invoiceId: invoice.id }
  if (invoice.status !== 'ACTIVATED' || invoice.balance_minor <= 0)
    throw new DecisionRefused(`Invoice ${invoice.invoice_number} cannot be handed over.`)
  if (await isResting(tx, key.instanceId, invoice.debtor_id))
    throw new DecisionRefused(`What ${invoice.invoice_number} owes rests with its debtor.`, 'debtor_rests')
  if (invoice.is_part_payment || (await isRunningInstalment(tx, invoice)))
    throw new DecisionRefused(`What ${invoice.invoice_number} owes is in a plan.`, 'owed_in_plan')
  await setToCollectionRow(tx, key, on)
  await endPlannedSteps(tx, key, 'SKIPPED')
  await reschedule(context, tx, key, addDays(on, 1))
}
