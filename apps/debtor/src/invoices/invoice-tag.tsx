import type { InvoiceAnswer } from '@kvitt/domain/invoices/invoice.contract.ts'
import { isClosed } from '@kvitt/domain/invoices/invoice.ts'
import { DueTag } from '../debts/due-tag.tsx'
import { PlanTag } from '../debts/plan-tag.tsx'
import { StateTag } from '../debts/state-tag.tsx'
import { endOf, HELD, isSettled } from './invoice-tags.tsx'

/** The one tag of a list's row: how it has ended, what holds it, else how it stands with its due date. */
export function InvoiceTag({ invoice }: { invoice: InvoiceAnswer }) {
  const status = invoice.statuses.main
  const isOver = isClosed(status) || (isSettled(invoice) && !HELD[status])
  const look = isOver ? endOf(invoice) : HELD[status]
  if (look) return <StateTag look={look} />
  if (invoice.isPartPayment && invoice.partPaymentVariant) {
    return <PlanTag variant={invoice.partPaymentVariant} />
  }
  return <DueTag expireDate={invoice.dates.expireDate} today={invoice.dates.today} />
}
