/** The calls of documents and receipts beside the use cases that answer them. */
import * as invoice from '@kvitt/domain/invoices/invoice.contract.ts'
import * as payment from '@kvitt/domain/payments/payment.contract.ts'
import type { Binding } from '../platform/http/call.ts'
import { bind } from '../sign-in/bind.ts'
import { getReceipt, listDocuments } from './documents.ts'

export const DOCUMENT_BINDINGS: readonly Binding[] = [
  bind(invoice.listDocuments, ({ context, principal, query }) =>
    listDocuments(context, principal, query.invoiceNumber),
  ),
  bind(payment.getReceipt, ({ context, principal, query }) =>
    getReceipt(context, principal, query.invoiceNumber),
  ),
]
