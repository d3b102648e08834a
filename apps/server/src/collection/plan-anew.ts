/** The schedule of an invoice that is owed again after it had stopped. */
import type { CalendarDate } from '@kvitt/domain/calendar.ts'
import { nextStep } from '@kvitt/domain/collection/schedule.ts'
import type { Context } from '../context.ts'
import type { InvoiceKey } from '../invoices/invoices.ts'
import type { Transaction } from '../platform/database.ts'
import { newId } from '../platform/identity.ts'
import { insertPlannedRows } from './collection.queries.ts'
import { performedOf, termsOf } from './decide-step.ts'
import { readScheduleFacts } from './decisions.queries.ts'

/** Plans the step that follows what has been performed, on `notBefore` at the earliest. */
export async function planAnew(
  context: Pick<Context, 'clock'>,
  tx: Transaction,
  key: InvoiceKey,
  notBefore: CalendarDate,
): Promise<void> {
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
