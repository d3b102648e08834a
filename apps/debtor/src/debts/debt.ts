/** What the payment section needs to know of an invoice or a claim. */
import type { InvoiceAnswer } from '@kvitt/domain/invoices/invoice.contract.ts'
import type { ClaimAnswer } from '@kvitt/domain/claims/claim.contract.ts'
import { minorOf } from '@kvitt/ui/minor-of.ts'
import type { DebtKey, InvoiceKey } from '../session.ts'

export type Debt = {
  readonly key: DebtKey
  /** Of the invoice or claim itself, not of its number. */
  readonly id: string
  readonly balanceMinor: number
  readonly currency: string
  /** Calendar days; `today` is the provider's. */
  readonly expireDate: string
  readonly today: string
}

export function debtOfInvoice(key: InvoiceKey, invoice: InvoiceAnswer): Debt {
  return {
    key: { ...key, reference: invoice.paymentReference },
    id: invoice.id,
    balanceMinor: minorOf(invoice.balances.total),
    currency: invoice.currency.invoiceCurrency,
    expireDate: invoice.dates.expireDate,
    today: invoice.dates.today,
  }
}

export function debtOfClaim(key: DebtKey, claim: ClaimAnswer): Debt {
  return {
    key: { ...key, reference: claim.paymentReference, claimNumber: claim.collectionBatchNumber },
    id: claim.id,
    balanceMinor: minorOf(claim.balanceTotal),
    currency: claim.currency,
    expireDate: claim.expireDate,
    today: claim.today,
  }
}
