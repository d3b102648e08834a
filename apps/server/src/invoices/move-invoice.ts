/** The one way an invoice changes its status, with what that means for its schedule. */
import { canMove, type InvoiceMove, type InvoiceStatus } from '@kvitt/domain/invoices/invoice.ts'
import type { Transaction } from '../platform/database/database.ts'
import { moveInvoiceRow, type InvoiceRow } from './invoices.queries.ts'
import { endPlannedSteps } from './steps.queries.ts'

const OVER: readonly InvoiceStatus[] = ['CLOSED', 'STOPPED', 'ARCHIVED']

/**
 * Moves a locked invoice along the table of moves. A move that the table does not have is a bug, and so is an
 * invoice that changed under its own lock: both throw, and the transaction is lost. When the case is over,
 * nothing planned remains; when it is disputed, nothing planned happens.
 */
export async function moveInvoice(
  tx: Transaction,
  invoice: InvoiceRow,
  {
    move,
    to,
    before = null,
  }: { move: InvoiceMove; to: InvoiceStatus; before?: 'ACTIVATED' | 'PAUSED' | null },
): Promise<void> {
  if (!canMove(move, invoice.status, to)) {
    throw new Error(`an invoice cannot go from ${invoice.status} to ${to} by ${move}`)
  }
  const subject = { instanceId: invoice.instance_id, id: invoice.id }
  const moved = await moveInvoiceRow(tx, subject, { from: invoice.status, to, before })
  if (!moved) throw new Error(`invoice ${invoice.id} was not ${invoice.status} under its own lock`)
  const key = { instanceId: invoice.instance_id, invoiceId: invoice.id }
  if (OVER.includes(to) && to !== invoice.status) await endPlannedSteps(tx, key, 'CANCELLED')
  if (to === 'DISPUTED' && to !== invoice.status) await endPlannedSteps(tx, key, 'SKIPPED')
}
