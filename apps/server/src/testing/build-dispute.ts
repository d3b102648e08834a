/** An open dispute of an invoice, with the task that it makes. */
import type { Clock } from '../platform/clock.ts'
import { newId } from '../platform/identity.ts'
import { insertDisputeRow } from '../disputes/disputes.queries.ts'
import { lockInvoiceRow, moveInvoice } from '../invoices/invoices.ts'
import type { BuiltInvoice } from './build.ts'
import type { TestDatabase } from './test-database.ts'

export type BuiltDispute = { readonly id: string; readonly taskId: string }

/** Disputes an invoice that is in no claim, as its debtor does. */
export async function buildDispute(
  { db, owner }: TestDatabase,
  clock: Clock,
  { instanceId, id: invoiceId }: BuiltInvoice,
): Promise<BuiltDispute> {
  const id = newId(Date.now())
  await db.transaction(async (tx) => {
    const invoice = await lockInvoiceRow(tx, instanceId, invoiceId)
    await moveInvoice(tx, invoice, { move: 'dispute', to: 'DISPUTED' })
    const openedOn = clock.today('Europe/Stockholm')
    const words = { email: 'alva@example.com', reason: 'Trasig vid leverans.' }
    await insertDisputeRow(tx, { instanceId, id, debt: { invoiceId }, openedOn, ...words })
  })
  const { rows } = await owner.query('select id from task where about = $1', [`dispute:${id}`])
  return { id, taskId: rows[0].id }
}
