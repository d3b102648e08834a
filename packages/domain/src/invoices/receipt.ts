/** Apart from invoice.ts, which every visitor of the portal loads. */
import type { InvoiceStatus, InvoiceType } from './invoice.ts'

/**
 * Receipt: balance 0, type INVOICE, and not PENDING_AUTHORIZATION (section 5). An invoice that is paid by a plan or
 * on a claim has it when that is paid: a balance of 0 before says only that it is owed elsewhere. One that was stopped
 * ended without full payment, whatever is left on it.
 */
export function canHaveReceipt(invoice: {
  status: InvoiceStatus
  type: InvoiceType
  balanceMinor: number
  isPartPayment?: boolean
  inClaim?: boolean
}): boolean {
  const { status, type, balanceMinor } = invoice
  if (balanceMinor !== 0 || type !== 'INVOICE') return false
  if (status === 'PENDING_AUTHORIZATION' || status === 'STOPPED') return false
  const isOwedElsewhere = invoice.isPartPayment === true || invoice.inClaim === true
  return !isOwedElsewhere || status === 'CLOSED'
}
