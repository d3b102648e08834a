/** Who may come in with an invoice, and what the session is afterwards. */
import type { InvoiceAnswer } from '@kvitt/domain/invoices/invoice.contract.ts'
import { acceptsLogin, isOpen } from '@kvitt/domain/invoices/invoice.ts'
import { minorOf } from '@kvitt/ui/money-text.ts'
import { invoiceQuery, queries } from '../calls.ts'
import { isIdentified, startClaimSession, startSession, type DebtKey, type InvoiceKey } from '../session.ts'
import { claimHash } from '../views.ts'

/** What the start page is told when a login did not succeed. */
export type LoginState = { readonly loginFailed: true }

/** May this answer be shown (specification section 4, login acceptance)? */
export function isAccepted(invoice: InvoiceAnswer): boolean {
  return acceptsLogin(invoice.statuses.main, minorOf(invoice.totals.totalToPay))
}

/** The open claim that an invoice is part of. */
export function claimOf(invoice: InvoiceAnswer): DebtKey | undefined {
  const { collection_batch_payment_reference: reference, collection_batch_zip: zip } = invoice
  if (!reference || !zip || !isOpen(invoice.statuses.main)) return undefined
  return { reference, zip, claimNumber: invoice.collection_batch_number ?? '' }
}

/** The session becomes the one for this invoice, and its number is pinned: a reference may carry several. */
export function openSession(key: InvoiceKey, invoice: InvoiceAnswer): InvoiceKey {
  const pinned = { ...key, invoiceNumber: key.invoiceNumber ?? invoice.invoiceNumber }
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
