import type { AnswerOf } from '@kvitt/domain/contract.ts'
import type {
  getOfficeSettlement,
  searchOfficeSettlements,
} from '@kvitt/domain/settlements/office-settlement.contract.ts'
import { staffCall } from '@kvitt/office/calls.ts'
import type { FetchList } from '@kvitt/office/list/export-menu.tsx'
import { pagingOf, type ListQuery } from '@kvitt/office/list/list-query.ts'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api } from '../calls.ts'

export type Settlement = AnswerOf<typeof getOfficeSettlement>
export type ListedSettlement = AnswerOf<typeof searchOfficeSettlements>[number]

const SETTLEMENTS = 'settlements'

/** What each tab shows. The first is the one that opens. */
export const TABS = {
  all: {},
  waiting: { status: 'COUNTING[OR]TO_APPROVE[OR]APPROVED[OR]SENT' },
  paid: { status: 'PAID' },
  unpaid: { status: 'CARRIED[OR]REFUSED' },
} as const
export type SettlementTab = keyof typeof TABS

export function tabOf(text: string): SettlementTab {
  return Object.hasOwn(TABS, text) ? (text as SettlementTab) : 'all'
}

const asked = (query: ListQuery) => ({ query: query.text, filters: TABS[tabOf(query.tab)] })

/** All that is found, as the kind of file that the headers accept. */
export const fetchSettlements =
  (query: ListQuery): FetchList =>
  (headers) =>
    api.fetchFile(staffCall('POST', '/client/settlements/search', {}, pagingOf(query)), {
      headers,
      body: asked(query),
    })

/** One of them, as the kind of file that the headers accept. */
export const fetchSettlement =
  (id: string): FetchList =>
  (headers) =>
    api.fetchFile(staffCall('GET', '/client/settlements/:id', { id }), { headers })

/** The operator's invoice for its fees, as a PDF. */
export const fetchVatInvoice = (id: string) =>
  api.fetchFile(staffCall('GET', '/client/settlements/:id/vat-invoice', { id }), {
    headers: { Accept: 'application/pdf' },
  })

export const settlementsQuery = (query: ListQuery) =>
  queryOptions({
    queryKey: [SETTLEMENTS, 'list', query],
    queryFn: ({ signal }) =>
      api.askList(staffCall('POST', '/client/settlements/search', {}, pagingOf(query)), {
        signal,
        body: asked(query),
      }),
    placeholderData: keepPreviousData,
  })

export const settlementQuery = (id: string) =>
  queryOptions({
    queryKey: [SETTLEMENTS, 'one', id],
    queryFn: ({ signal }) => api.ask(staffCall('GET', '/client/settlements/:id', { id }), { signal }),
  })
