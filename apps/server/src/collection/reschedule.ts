/** The schedule of an invoice or a claim that is owed again after it had stopped. */
import type { CalendarDate } from '@kvitt/domain/calendar.ts'
import { debtId } from '@kvitt/domain/ledger/booking.ts'
import { readNextStep, type ClaimKey } from '../claims/claims.ts'
import type { Context } from '../context.ts'
import type { InvoiceKey } from '../invoices/invoices.ts'
import { readPlanOfDebt } from '../part-payments/part-payments.ts'
import type { Transaction } from '../platform/database/database.ts'
import { newId } from '../platform/identity.ts'
import { insertPlannedRows } from './collection.queries.ts'

/**
 * Plans the step that follows what has been performed, on `notBefore` at the earliest. What belongs to a running
 * plan has no schedule of its own: the plan sends its notices, and ends when they do not help.
 */
export async function reschedule(
  context: Pick<Context, 'clock'>,
  tx: Transaction,
  key: InvoiceKey | ClaimKey,
  notBefore: CalendarDate,
): Promise<void> {
  const { instanceId } = key
  const debt = 'claimId' in key ? { claimId: key.claimId } : { invoiceId: key.invoiceId }
  if ((await readPlanOfDebt(tx, instanceId, debtId(debt)))?.status === 'ACTIVE') return
  const step = await readNextStep(tx, key, notBefore)
  if (!step) return
  await insertPlannedRows(tx, instanceId, [{ id: newId(context.clock.now()), debt, ...step }])
}
