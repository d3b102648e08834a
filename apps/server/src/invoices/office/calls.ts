/** The calls about a creditor's invoices, beside the use cases that answer them. */
import * as contract from '@kvitt/domain/invoices/office-invoice.contract.ts'
import type { Binding } from '../../platform/http/call.ts'
import { bind, bindRow } from '../../sign-in/bind.ts'
import { findOfficeInvoice, getOfficeInvoice, searchOfficeInvoices } from './office-invoices.ts'

export const OFFICE_INVOICE_BINDINGS: readonly Binding[] = [
  bind(contract.searchOfficeInvoices, ({ context, principal, query, body }) =>
    searchOfficeInvoices(context, principal, query, body),
  ),
  bindRow(contract.getOfficeInvoice, findOfficeInvoice, ({ context, principal, row }) =>
    getOfficeInvoice(context, principal, row.id),
  ),
]
