/** The first half of an invoice's life: from a registered draft to something a debtor owes, and the last step. */
import { addDays, date, type CalendarDate } from '@kvitt/domain/calendar.ts'
import { bookInvoice } from '@kvitt/domain/ledger/booking.ts'
import { money } from '@kvitt/domain/money.ts'
import { isUsableReference } from '@kvitt/domain/references.ts'
import type { Context } from '../context.ts'
import { readCreditor } from '../creditors/creditors.ts'
import { postBookings } from '../ledger/ledger.ts'
import type { Transaction } from '../platform/database/database.ts'
import { newId } from '../platform/identity.ts'
import { lockInvoiceRow, type InvoiceRow } from './invoices.queries.ts'
import { moveInvoice } from './move-invoice.ts'
import { insertStepRow, markSentRow } from './steps.queries.ts'

export type InvoiceKey = { readonly instanceId: string; readonly invoiceId: string }

/** Why a draft cannot be approved (M-02), for a person to read. */
export class ApprovalRefused extends Error {
  override name = 'ApprovalRefused'
}

type LifecycleContext = Pick<Context, 'db' | 'clock'>

function inTransaction(
  context: LifecycleContext,
  key: InvoiceKey,
  work: (tx: Transaction, invoice: InvoiceRow) => Promise<void>,
): Promise<void> {
  return context.db.transaction(async (tx) =>
    work(tx, await lockInvoiceRow(tx, key.instanceId, key.invoiceId)),
  )
}

/**
 * M-02: a draft is checked and waits for its send date. `termDays` is the shortest time between sending and the
 * due date. Plans the INVOICE step. Throws ApprovalRefused.
 */
export function approveInvoice(
  context: LifecycleContext,
  key: InvoiceKey,
  { sendDate, termDays }: { sendDate: CalendarDate; termDays: number },
): Promise<void> {
  return inTransaction(context, key, async (tx, invoice) => {
    const creditor = await readCreditor(tx, key.instanceId, invoice.creditor_id)
    if (!isUsableReference(invoice.payment_reference, creditor.country)) {
      throw new ApprovalRefused(`The payment reference ${invoice.payment_reference} fails its check digits.`)
    }
    if (date(invoice.expire_date) < addDays(sendDate, termDays)) {
      throw new ApprovalRefused(
        `The due date ${invoice.expire_date} is less than ${termDays} days after the send date ${sendDate}.`,
      )
    }
    await moveInvoice(tx, invoice, { move: 'approve', to: 'PENDING' })
    await insertStepRow(tx, key, {
      id: newId(context.clock.now()),
      type: 'INVOICE',
      plannedDate: sendDate,
      performedDate: null,
      status: 'PLANNED',
    })
  })
}

/**
 * M-04: the invoice has been sent. From now on the debtor sees it and owes it: the INVOICE step is performed and
 * the amount is posted as principal.
 */
export function distributeInvoice(
  context: LifecycleContext,
  key: InvoiceKey,
  sentOn: CalendarDate,
): Promise<void> {
  return inTransaction(context, key, async (tx, invoice) => {
    await moveInvoice(tx, invoice, { move: 'distribute', to: 'ACTIVATED' })
    await markSentRow(tx, key, sentOn)
    const parties = { invoiceId: invoice.id, creditorId: invoice.creditor_id, debtorId: invoice.debtor_id }
    await postBookings(
      tx,
      key.instanceId,
      [
        {
          id: newId(context.clock.now()),
          kind: invoice.type === 'CREDIT_INVOICE' ? 'CREDIT_INVOICE' : 'INVOICE',
          bookedOn: sentOn,
          cause: `invoice:${invoice.id}`,
          invoiceId: invoice.id,
          paymentId: null,
          lines: bookInvoice(parties, money(invoice.total_minor, invoice.currency)),
        },
      ],
      context.clock,
    )
  })
}

/** M-26: out of the portal, after its time there. */
export function archiveInvoice(context: LifecycleContext, key: InvoiceKey): Promise<void> {
  return inTransaction(context, key, (tx, invoice) =>
    moveInvoice(tx, invoice, { move: 'archive', to: 'ARCHIVED' }),
  )
}

/** M-03: a draft that is withdrawn before anyone has seen it. */
export function cancelInvoice(context: LifecycleContext, key: InvoiceKey): Promise<void> {
  return inTransaction(context, key, (tx, invoice) =>
    moveInvoice(tx, invoice, { move: 'cancel', to: 'ARCHIVED' }),
  )
}
