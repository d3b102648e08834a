import type { AnswerOf } from '@kvitt/domain/contract.ts'
import type { getOfficeClaim, listOfficeClaimInvoices } from '@kvitt/domain/claims/office-claim.contract.ts'
import { staffCall } from '@kvitt/office/calls.ts'
import type { FetchList } from '@kvitt/office/list/export-menu.tsx'
import { pagingOf, type ListQuery } from '@kvitt/office/list/list-query.ts'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api } from '../calls.ts'

export type Claim = AnswerOf<typeof getOfficeClaim>
export type ClaimInvoice = AnswerOf<typeof listOfficeClaimInvoices>[number]

const CLAIMS = 'claims'

/** What each tab shows. The first is the one that opens. */
export const TABS = {
  open: { status: 'OPEN[OR]RESUME[OR]PAUSED[OR]DISPUTED' },
  disputed: { status: 'DISPUTED' },
  closed: { status: 'CLOSED[OR]STOPPED' },
  all: {},
} as const
export type ClaimTab = keyof typeof TABS

export function tabOf(text: string): ClaimTab {
  return Object.hasOwn(TABS, text) ? (text as ClaimTab) : 'open'
}

/** As the list asks for what it shows. */
export const claimSearch = (query: ListQuery) => ({ query: query.text, filters: TABS[tabOf(query.tab)] })

/** All that is found, as the kind of file that the headers accept. */
export const fetchClaims =
  (query: ListQuery): FetchList =>
  (headers) =>
    api.fetchFile(staffCall('POST', '/client/collection-batches/search', {}, pagingOf(query)), {
      headers,
      body: claimSearch(query),
    })

export const claimsQuery = (query: ListQuery) =>
  queryOptions({
    queryKey: [CLAIMS, 'list', query],
    queryFn: ({ signal }) =>
      api.askList(staffCall('POST', '/client/collection-batches/search', {}, pagingOf(query)), {
        signal,
        body: claimSearch(query),
      }),
    placeholderData: keepPreviousData,
  })

export const claimQuery = (id: string) =>
  queryOptions({
    queryKey: [CLAIMS, 'one', id],
    queryFn: ({ signal }) => api.ask(staffCall('GET', '/client/collection-batches/:id', { id }), { signal }),
  })

export const claimInvoicesQuery = (id: string) =>
  queryOptions({
    queryKey: [CLAIMS, 'invoices', id],
    queryFn: ({ signal }) =>
      api.ask(staffCall('GET', '/client/collection-batches/:id/invoices', { id }), { signal }),
  })

export const claimEventsQuery = (id: string) =>
  queryOptions({
    queryKey: [CLAIMS, 'events', id],
    queryFn: ({ signal }) =>
      api.ask(staffCall('GET', '/client/collection-batches/:id/events', { id }), { signal }),
  })

export const claimDocumentsQuery = (id: string) =>
  queryOptions({
    queryKey: [CLAIMS, 'documents', id],
    queryFn: ({ signal }) =>
      api.ask(staffCall('GET', '/client/collection-batches/:id/documents', { id }), { signal }),
  })

export const claimMessagesQuery = (id: string) =>
  queryOptions({
    queryKey: [CLAIMS, 'messages', id],
    queryFn: ({ signal }) =>
      api.ask(staffCall('GET', '/client/collection-batches/:id/messages', { id }), { signal }),
  })
