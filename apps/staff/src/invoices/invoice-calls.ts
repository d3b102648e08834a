import type { getOfficeInvoice } from '@kvitt/domain/invoices/office-invoice.contract.ts'
import type { AnswerOf } from '@kvitt/domain/contract.ts'
import { staffCall } from '@kvitt/office/calls.ts'
import type { FetchList } from '@kvitt/office/list/export-menu.tsx'
import { pagingOf, type ListQuery } from '@kvitt/office/list/list-query.ts'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api, queries } from '../calls.ts'

export type Invoice = AnswerOf<typeof getOfficeInvoice>

const INVOICES = 'invoices'
/** The specification's own way to say "one of these". */
const OPEN = ['ACTIVATED', 'PAUSED', 'DISPUTED', 'PENDING_AUTHORIZATION'].join('[OR]')

type Filters = Readonly<Record<string, string>>

/** What is owed by itself: what a claim has taken over is owed there, and the invoice has nothing left. */
const OWED = { 'statuses.main': OPEN, isInCollectionBatch: 'false' }

/** What each tab shows. The first is the one that opens. */
export const TABS = {
  open: OWED,
  late: { ...OWED, isExpired: 'true' },
  disputed: { 'statuses.main': 'DISPUTED' },
  plan: { ...OWED, isPartPayment: 'true' },
  claim: { isInCollectionBatch: 'true' },
  drafts: { 'statuses.main': 'CREATED[OR]PENDING' },
  closed: { 'statuses.main': 'CLOSED[OR]STOPPED' },
  all: {},
} as const satisfies Readonly<Record<string, Filters>>

export type InvoiceTab = keyof typeof TABS

export function tabOf(text: string): InvoiceTab {
  return Object.hasOwn(TABS, text) ? (text as InvoiceTab) : 'open'
}

/** As the list asks for what it shows. */
export const invoiceSearch = (query: ListQuery) => ({ query: query.text, filters: TABS[tabOf(query.tab)] })

/** All that is found, as the kind of file that the headers accept. */
export const fetchInvoices =
  (query: ListQuery): FetchList =>
  (headers) =>
    api.fetchFile(staffCall('POST', '/client/invoices/search', {}, pagingOf(query)), {
      headers,
      body: invoiceSearch(query),
    })

export const invoicesQuery = (query: ListQuery) =>
  queryOptions({
    queryKey: [INVOICES, 'list', query],
    queryFn: ({ signal }) =>
      api.askList(staffCall('POST', '/client/invoices/search', {}, pagingOf(query)), {
        signal,
        body: invoiceSearch(query),
      }),
    // The old page stays until the next has come.
    placeholderData: keepPreviousData,
  })

/** How many a tab has. */
export const countQuery = (tab: InvoiceTab) =>
  queryOptions({
    queryKey: [INVOICES, 'count', tab],
    queryFn: async ({ signal }) =>
      (
        await api.askList(staffCall('POST', '/client/invoices/search', {}, { limit: '1' }), {
          signal,
          body: { filters: TABS[tab] },
        })
      ).total,
    staleTime: 60_000,
  })

export const invoiceQuery = (id: string) =>
  queryOptions({
    queryKey: [INVOICES, 'one', id],
    queryFn: ({ signal }) => api.ask(staffCall('GET', '/client/invoices/:id', { id }), { signal }),
  })

/** After an act: everything about invoices may have changed, and with it what is to do. */
export function reloadInvoices(): Promise<void> {
  return queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'me' })
}
