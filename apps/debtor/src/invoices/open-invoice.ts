import type { InvoiceAnswer } from '@kvitt/domain/invoices/invoice.contract.ts'
import type { InvoiceKey } from '../session.ts'
import { invoiceHash } from '../views.ts'

export function keyOf({ paymentReference, zipCode, invoiceNumber }: InvoiceAnswer): InvoiceKey {
  return { reference: paymentReference, zip: zipCode, invoiceNumber }
}

/** The page of an invoice of the list. */
export const hashOf = (invoice: InvoiceAnswer): string => invoiceHash(keyOf(invoice))
