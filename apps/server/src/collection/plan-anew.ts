/** The schedule of an invoice or a claim that is owed again after it had stopped. */
import type { CalendarDate } from '@kvitt/domain/calendar.ts'
import { nextClaimStep, nextStep } from '@kvitt/domain/collection/schedule.ts'
import type { ClaimKey } from '../claims/claims.ts'
import type { Context } from '../context.ts'
import type { InvoiceKey } from '../invoices/invoices.ts'
import { readPlanOfDebt } from '../part-payments/part-payments.ts'
import type { Transaction } from '../platform/database.ts'
import { newId } from '../platform/identity.ts'
import { readClaimSchedule } from './claim-steps.queries.ts'
import { insertPlannedRows } from './collection.queries.ts'
import { claimTermsOf, performedOf, termsOf } from './decide-step.ts'
import { readScheduleFacts } from './decisions.queries.ts'

/**
 * Plans the step that follows what has been performed, on `notBefore` at the earliest. What belongs to a running
 * plan has no schedule of its own: the plan sends its notices, and ends when they do not help.
 */
export async function planAnew(
  context: Pick<Context, 'clock'>,
  tx: Transaction,
  key: InvoiceKey,
  notBefore: CalendarDate,
): Promise<void> {
  if (await isInRunningPlan(tx, key.instanceId, key.invoiceId)) return
  const facts = await readScheduleFacts(tx, key)
  const step = nextStep({ ...termsOf(facts), notBefore }, performedOf(facts))
  if (!step) return
  const row = {
    id: newId(context.clock.now()),
    debt: { invoiceId: key.invoiceId },
    type: step.type,
    number: step.number,
    plannedDate: step.plannedDate,
  }
  await insertPlannedRows(tx, key.instanceId, [row])
}

/** The same for a claim. */
export async function planClaimAnew(
  context: Pick<Context, 'clock'>,
  tx: Transaction,
  { instanceId, claimId }: ClaimKey,
  notBefore: CalendarDate,
): Promise<void> {
  if (await isInRunningPlan(tx, instanceId, claimId)) return
  const schedule = await readClaimSchedule(tx, instanceId, claimId)
  const step = nextClaimStep({ ...claimTermsOf(schedule), notBefore }, performedOf(schedule))
  if (!step) return
  await insertPlannedRows(tx, instanceId, [{ id: newId(context.clock.now()), debt: { claimId }, ...step }])
}

async function isInRunningPlan(tx: Transaction, instanceId: string, debtId: string): Promise<boolean> {
  return (await readPlanOfDebt(tx, instanceId, debtId))?.status === 'ACTIVE'
}
