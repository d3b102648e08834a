/** The calls of an invoice, and of lists of invoices, beside the use cases that answer them. */
import * as instance from '@kvitt/domain/instances/instance.contract.ts'
import * as invoice from '@kvitt/domain/invoices/invoice.contract.ts'
import * as list from '@kvitt/domain/invoices/invoice-list.contract.ts'
import { presentInstance } from '../instances/instances.ts'
import type { Binding } from '../platform/http/call.ts'
import { pageOfEvents } from '../platform/http/paging.ts'
import { filterOf } from '../platform/http/search.ts'
import { bind, bindFirstRead } from '../sign-in/bind.ts'
import { getStats, listInvoices } from './invoice-list.ts'
import { searchClients, searchInvoices } from './invoice-search.ts'
import { getClient, getInvoice, listEvents, listFinancialEvents, listLedgerEvents } from './invoices.ts'

export const INVOICE_BINDINGS: readonly Binding[] = [
  bindFirstRead(invoice.getInvoice, ({ context, principal, query }) =>
    getInvoice(context, principal, query.invoiceNumber),
  ),
  bind(invoice.listEvents, async ({ context, principal, query }) =>
    pageOfEvents(await listEvents(context, principal, query.invoiceNumber), query),
  ),
  bind(invoice.listFinancialEvents, async ({ context, principal, query }) =>
    pageOfEvents(await listFinancialEvents(context, principal, query.invoiceNumber), query),
  ),
  bind(invoice.listLedgerEvents, async ({ context, principal, query }) =>
    pageOfEvents(await listLedgerEvents(context, principal, query.invoiceNumber), query),
  ),
  bind(list.getStats, ({ context, principal, query }) => getStats(context, principal, query.invoiceNumber)),
  bind(list.listInvoices, ({ context, principal, query, body }) =>
    listInvoices(context, principal, query, filterOf(body, 'statuses.main')),
  ),
  bind(list.searchInvoices, ({ context, principal, query, body }) =>
    searchInvoices(context, principal, query, body),
  ),
  bind(list.searchClients, ({ context, principal, query, body }) =>
    searchClients(context, principal, query, body),
  ),
  bind(invoice.getClient, ({ context, principal, query }) =>
    getClient(context, principal, query.invoiceNumber),
  ),
  bind(instance.getInvoiceInstance, async ({ context, principal, query }) => {
    await getInvoice(context, principal, query.invoiceNumber)
    return presentInstance(principal.instance)
  }),
]
