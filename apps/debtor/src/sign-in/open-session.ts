/** Who may come in with an invoice, and what the session is afterwards. */
import type { InvoiceAnswer } from '@kvitt/domain/invoices/invoice.contract.ts'
import { acceptsLogin, isOpen } from '@kvitt/domain/invoices/invoice.ts'
import { minorOf } from '@kvitt/ui/minor-of.ts'
import { invoiceQuery, queries } from '../calls.ts'
import { isIdentified, startClaimSession, startSession, type DebtKey, type InvoiceKey } from '../session.ts'
import { claimHash } from '../views.ts'

/** May this answer be shown (specification section 4, login acceptance)? */
export function isAccepted(invoice: InvoiceAnswer): boolean {
  return acceptsLogin(invoice.statuses.main, minorOf(invoice.totals.totalToPay))
}

/** The open claim that an invoice is part of; one that has ended only for its own pair, which opens no invoice. */
export function claimOf(invoice: InvoiceAnswer, pair: InvoiceKey): DebtKey | undefined {
  const { collection_batch_payment_reference: reference, collection_batch_zip: zip } = invoice
  if (!reference || !zip) return undefined
  if (!isOpen(invoice.statuses.main) && reference !== pair.reference) return undefined
  return { reference, zip, claimNumber: invoice.collection_batch_number ?? '' }
}

/** The key with what the answer tells: its number, as a reference may carry several, and the zip where none was needed. */
export function pinnedKey({ reference, zip, invoiceNumber }: InvoiceKey, invoice: InvoiceAnswer): InvoiceKey {
  return { reference, zip: zip || invoice.zipCode, invoiceNumber: invoiceNumber ?? invoice.invoiceNumber }
}

/** The session becomes the one for this invoice. */
export function openSession(key: InvoiceKey, invoice: InvoiceAnswer): InvoiceKey {
  const pinned = pinnedKey(key, invoice)
  startSession(pinned)
  queries.setQueryData(invoiceQuery(pinned).queryKey, invoice)
  return pinned
}

/** An invoice inside an open claim is paid there: the session goes on at the claim. */
export function openClaimSession(address: InvoiceKey, claim: DebtKey): string {
  // The pair of the claim itself opens no invoice.
  if (!isIdentified() && address.reference !== claim.reference) startSession(address)
  startClaimSession(claim)
  return claimHash(claim)
}
