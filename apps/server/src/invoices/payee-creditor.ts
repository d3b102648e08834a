/** Whose agreed account an invoice is paid to. */
import { IN_PLANS } from '@kvitt/domain/invoices/acts.ts'
import type { InvoiceType } from '@kvitt/domain/invoices/invoice.ts'
import type { InvoiceRow } from './invoices.queries.ts'

/** Where one of these names no account it may be of a claim, and a claim is paid to the provider (D-27). */
const OF_OTHER_DEBTS: readonly InvoiceType[] = [...IN_PLANS, 'INTEREST_INVOICE']

/** The creditor whose agreed account goes before what is printed; null: the provider's own. */
export function payeeCreditorOf({
  type,
  payment_account_id: printed,
  creditor_id: creditorId,
}: Pick<InvoiceRow, 'type' | 'payment_account_id' | 'creditor_id'>): string | null {
  return printed === null && OF_OTHER_DEBTS.includes(type) ? null : creditorId
}

/** The same of invoice `i`, in SQL. */
export const PAYEE_CREDITOR = `case when i.payment_account_id is not null or i.type not in (${OF_OTHER_DEBTS.map((type) => `'${type}'`).join(', ')})
  then i.creditor_id end`
