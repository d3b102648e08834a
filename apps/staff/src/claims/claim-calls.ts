import type { AnswerOf } from '@kvitt/domain/contract.ts'
import type { getOfficeClaim, listOfficeClaimInvoices } from '@kvitt/domain/claims/office-claim.contract.ts'
import type { CourtDecision } from '@kvitt/domain/court/court.ts'
import type { getClaimCourt } from '@kvitt/domain/court/office-court.contract.ts'
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

export type ClaimCourt = AnswerOf<typeof getClaimCourt>

/** What is recorded of it before an authority, and what an application would cost. */
export const claimCourtQuery = (id: string) =>
  queryOptions({
    queryKey: [CLAIMS, 'court', id],
    queryFn: ({ signal }) =>
      api.ask(staffCall('GET', '/client/collection-batches/:id/court', { id }), { signal }),
  })

type Given = Readonly<Record<string, string>>
const keyed = (key: string) => ({ 'Idempotency-Key': key })

/** What is left empty is left out. */
const noteOf = ({ note = '' }: Given) => (note.trim() === '' ? {} : { note: note.trim() })

export const recordApplication = (id: string, given: Given, key: string) => {
  const { date = '', authority = '', caseNumber = '' } = given
  return api.ask(staffCall('POST', '/admin/collection-batches/:id/record-application', { id }), {
    headers: keyed(key),
    body: { date, authority, caseNumber, ...noteOf(given) },
  })
}

export const recordDecision = (id: string, given: Given, key: string) => {
  const { date = '', caseNumber = '', kind } = given
  return api.ask(staffCall('POST', '/admin/collection-batches/:id/record-decision', { id }), {
    headers: keyed(key),
    body: { date, caseNumber, kind: kind as CourtDecision, ...noteOf(given) },
  })
}

export const returnInstruction = (id: string, { reason = '' }: Given, key: string) =>
  api.ask(staffCall('POST', '/admin/collection-batches/:id/return-instruction', { id }), {
    headers: keyed(key),
    body: { reason: reason.trim() },
  })

export const recordNotApplied = (id: string, { note = '' }: Given, key: string) =>
  api.ask(staffCall('POST', '/admin/collection-batches/:id/record-not-applied', { id }), {
    headers: keyed(key),
    body: { note: note.trim() || null },
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
