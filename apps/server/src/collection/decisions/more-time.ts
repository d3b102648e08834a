/** A debtor who asked for it has more time. */
import { addDays, type CalendarDate } from '@kvitt/domain/calendar.ts'
import { lockClaim, type LockedClaim } from '../../claims/claims.ts'
import type { Context } from '../../context.ts'
import { endPlannedSteps, lockInvoiceRow, type InvoiceRow } from '../../invoices/invoices.ts'
import { isRunningInstalment } from '../../part-payments/part-payments.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { dropLettersOf } from '../../unsent-letters/unsent-letters.ts'
import { reschedule } from '../reschedule.ts'
import { DecisionRefused, refuseInClaim } from './decision-refused.ts'
import { setClaimLastDayRow, setDueDateRow } from './decisions.queries.ts'
import type { LockedDebt } from './let-off.ts'

type MoreTime = { readonly until: CalendarDate; readonly on: CalendarDate }

/**
 * A new last day: no step comes before it, and a letter that has not left does not leave. Nobody is late with an invoice before
 * it; on a claim, interest goes on. Under the lock of the debt. Throws DecisionRefused.
 */
export function giveMoreTimeOnLocked(
  context: Pick<Context, 'clock'>,
  tx: Transaction,
  { invoice, claim }: LockedDebt,
  time: MoreTime,
): Promise<void> {
  return claim ? giveOnClaim(context, tx, claim, time) : giveOnInvoice(context, tx, invoice, time)
}

async function giveOnInvoice(
  context: Pick<Context, 'clock'>,
  tx: Transaction,
  invoice: InvoiceRow,
  { until, on }: MoreTime,
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

async function giveOnClaim(
  context: Pick<Context, 'clock'>,
  tx: Transaction,
  claim: LockedClaim,
  { until, on }: MoreTime,
): Promise<void> {
  const { instance_id: instanceId, id: claimId, claim_number: number } = claim
  const key = { instanceId, claimId }
  if ((claim.status !== 'OPEN' && claim.status !== 'RESUME') || claim.balance_minor <= 0)
    throw new DecisionRefused(`Claim ${number} has nothing to wait for.`)
  if (claim.is_part_payment) throw new DecisionRefused(`What ${number} owes is in a plan.`, 'owed_in_plan')
  await dropLettersOf(context, tx, { instanceId, debt: { claimId }, on, reason: 'due later' })
  const left = await lockClaim(tx, key)
  await endPlannedSteps(tx, key, 'SKIPPED')
  await setClaimLastDayRow(tx, key, until)
  if (left.balance_minor > 0) await reschedule(context, tx, key, addDays(until, 1))
}
