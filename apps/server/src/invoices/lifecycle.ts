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
  /** The first due date that would do, where that is why. */
  readonly earliest: CalendarDate | undefined

  constructor(message: string, earliest?: CalendarDate) {
    super(message)
    this.earliest = earliest
  }
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

type Approval = {
  readonly sendDate: CalendarDate
  /** The shortest time between sending and the due date; null where somebody else has sent it. */
  readonly termDays: number | null
}

/**
 * M-02: a draft is checked and waits for its send date. Plans the INVOICE step. Throws ApprovalRefused.
 */
export function approveInvoice(
  context: LifecycleContext,
  key: InvoiceKey,
  approval: Approval,
): Promise<void> {
  return inTransaction(context, key, (tx, invoice) => approveLocked(context, tx, invoice, approval))
}

/** As approveInvoice, of one that is locked. */
export async function approveLocked(
  { clock }: Pick<Context, 'clock'>,
  tx: Transaction,
  invoice: InvoiceRow,
  { sendDate, termDays }: Approval,
): Promise<void> {
  const { instance_id: instanceId, id: invoiceId } = invoice
  const creditor = await readCreditor(tx, instanceId, invoice.creditor_id)
  if (!isUsableReference(invoice.payment_reference, creditor.country)) {
    throw new ApprovalRefused(`The payment reference ${invoice.payment_reference} fails its check digits.`)
  }
  const earliest = addDays(sendDate, termDays ?? 0)
  if (termDays !== null && date(invoice.expire_date) < earliest) {
    throw new ApprovalRefused(
      `The due date ${invoice.expire_date} is less than ${termDays} days after the send date ${sendDate}.`,
      earliest,
    )
  }
  await moveInvoice(tx, invoice, { move: 'approve', to: 'PENDING' })
  await insertStepRow(
    tx,
    { instanceId, invoiceId },
    {
      id: newId(clock.now()),
      type: 'INVOICE',
      plannedDate: sendDate,
      performedDate: null,
      status: 'PLANNED',
    },
  )
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
  return inTransaction(context, key, (tx, invoice) =>
    distributeLocked(context, tx, invoice, { sentOn, bookedOn: sentOn }),
  )
}

/** As distributeInvoice, of one that is locked; what its creditor has sent on an earlier day is booked today (D-21). */
export async function distributeLocked(
  { clock }: Pick<Context, 'clock'>,
  tx: Transaction,
  invoice: InvoiceRow,
  { sentOn, bookedOn }: { readonly sentOn: CalendarDate; readonly bookedOn: CalendarDate },
): Promise<void> {
  const { instance_id: instanceId, id: invoiceId, creditor_id: creditorId, debtor_id: debtorId } = invoice
  await moveInvoice(tx, invoice, { move: 'distribute', to: 'ACTIVATED' })
  await markSentRow(tx, { instanceId, invoiceId }, sentOn)
  const total = money(invoice.total_minor, invoice.currency)
  const booking = {
    id: newId(clock.now()),
    kind: invoice.type === 'CREDIT_INVOICE' ? 'CREDIT_INVOICE' : 'INVOICE',
    bookedOn,
    cause: `invoice:${invoiceId}`,
    invoiceId,
    paymentId: null,
    lines: bookInvoice({ invoiceId, creditorId, debtorId }, total),
  }
  await postBookings(tx, instanceId, [booking], clock)
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
