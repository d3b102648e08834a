/** Money that was booked did not come after all, or was somebody else's (I25). */
import type { CalendarDate } from '@kvitt/domain/calendar.ts'
import { resumeAfterDispute } from '@kvitt/domain/collection/schedule.ts'
import { bookReversal } from '@kvitt/domain/ledger/correction.ts'
import type { Context } from '../context.ts'
import { lockInvoiceRow, moveInvoice } from '../invoices/invoices.ts'
import { postBookings, readPostedLines } from '../ledger/ledger.ts'
import { newId } from '../platform/identity.ts'
import { setInterestDayRows } from './collection.queries.ts'
import { DecisionRefused } from './decision-refused.ts'
import { findPaymentInvoice } from './decisions.queries.ts'
import { planAnew } from './plan-anew.ts'

/**
 * I25: takes a booked payment back, with the small rest that was written off because of it. An invoice that it had
 * closed is owed again; the time in which it looked paid costs nothing, and the next step comes in ten days at the
 * earliest. Answers false when it has been taken back before. Throws DecisionRefused.
 */
export function reversePayment(
  context: Pick<Context, 'db' | 'clock'>,
  { instanceId, paymentId }: { readonly instanceId: string; readonly paymentId: string },
  on: CalendarDate,
): Promise<boolean> {
  return context.db.transaction(async (tx) => {
    const found = await findPaymentInvoice(tx, instanceId, paymentId)
    if (!found) throw new DecisionRefused('There is no such payment.')
    if (!found.invoice_id) throw new DecisionRefused('The payment was for a claim: this needs a person.')
    const key = { instanceId, invoiceId: found.invoice_id }
    const invoice = await lockInvoiceRow(tx, instanceId, found.invoice_id)
    // Asked again under the lock: another hand may have been faster.
    if ((await findPaymentInvoice(tx, instanceId, paymentId))?.is_reversed) return false
    const { status } = invoice
    if (
      invoice.is_part_payment ||
      invoice.claim_id ||
      status === 'PENDING_AUTHORIZATION' ||
      status === 'ARCHIVED'
    )
      throw new DecisionRefused(
        'The invoice is in a plan or claim, being paid or archived: this needs a person.',
      )
    const causes = [`payment:${paymentId}`, `write-off:payment:${paymentId}`]
    const lines = await readPostedLines(tx, instanceId, causes)
    if (lines.length === 0) throw new DecisionRefused('The payment has not been booked.')
    const booking = {
      id: newId(context.clock.now()),
      kind: 'REVERSAL',
      bookedOn: on,
      cause: `reversal:payment:${paymentId}`,
      invoiceId: invoice.id,
      paymentId,
      lines: bookReversal(lines),
    }
    await postBookings(tx, instanceId, [booking], context.clock)
    const { balance_minor: owed } = await lockInvoiceRow(tx, instanceId, invoice.id)
    const isOwedAgain = status === 'CLOSED' && owed > 0
    await moveInvoice(tx, invoice, { move: 'reverse', to: isOwedAgain ? 'ACTIVATED' : status } as const)
    if (isOwedAgain) {
      await setInterestDayRows(tx, { instanceId, day: on }, [invoice.id])
      await planAnew(context, tx, key, resumeAfterDispute(on))
    }
    return true
  })
}
