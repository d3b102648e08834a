/** The calls about a creditor's invoices, beside the use cases that answer them. */
import * as contract from '@kvitt/domain/invoices/office-invoice.contract.ts'
import type { Binding } from '../../platform/http/call.ts'
import { listOrFile, type OfficeTable } from '../../staff/office-export.ts'
import { bind, bindRow } from '../../sign-in/bind.ts'
import { findOfficeInvoice, getOfficeInvoice, searchOfficeInvoices } from './office-invoices.ts'

/** What a file of the list has. */
const TABLE: OfficeTable = {
  title: 'export.invoices',
  columns: [
    { label: 'document.invoice_number', path: 'invoiceNumber', share: 9 },
    { label: 'document.reference', path: 'paymentReference', share: 12 },
    { label: 'export.debtor', path: 'debtor.name', share: 16 },
    { label: 'export.customer_number', path: 'customerNumber', share: 8 },
    { label: 'document.status', path: 'statuses.main', texts: 'office_status.', share: 9 },
    { label: 'document.invoice_date', path: 'dates.invoiceDate', share: 9 },
    { label: 'document.due_date', path: 'dates.expireDate', share: 9 },
    { label: 'document.currency', path: 'currency.invoiceCurrency', share: 5 },
    {
      label: 'document.invoice_amount',
      path: 'totals.totalToPay',
      currency: 'currency.invoiceCurrency',
      share: 8,
    },
    {
      label: 'document.principal',
      path: 'balances.principal',
      currency: 'currency.invoiceCurrency',
      share: 8,
    },
    { label: 'document.costs', path: 'balances.costs', currency: 'currency.invoiceCurrency', share: 8 },
    { label: 'document.interest', path: 'balances.interest', currency: 'currency.invoiceCurrency', share: 8 },
    { label: 'document.balance', path: 'balances.total', currency: 'currency.invoiceCurrency', share: 9 },
  ],
}

export const OFFICE_INVOICE_BINDINGS: readonly Binding[] = [
  bind(contract.searchOfficeInvoices, (call) => listOrFile(call, searchOfficeInvoices, TABLE)),
  bindRow(contract.getOfficeInvoice, findOfficeInvoice, ({ context, principal, row }) =>
    getOfficeInvoice(context, principal, row.id),
  ),
]
