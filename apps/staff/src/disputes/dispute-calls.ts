import type { AnswerOf } from '@kvitt/domain/contract.ts'
import type {
  getOfficeDispute,
  searchOfficeDisputes,
} from '@kvitt/domain/disputes/office-dispute.contract.ts'
import { staffCall } from '@kvitt/office/calls.ts'
import { pagingOf, type ListQuery } from '@kvitt/office/list/list-query.ts'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api } from '../calls.ts'

export type Dispute = AnswerOf<typeof searchOfficeDisputes>[number]
export type DisputeDetail = AnswerOf<typeof getOfficeDispute>

const DISPUTES = 'disputes'

/** What each tab shows. The first is the one that opens. */
export const TABS = {
  open: { status: 'OPEN' },
  answered: { status: 'UPHELD[OR]UPHELD_PART[OR]REJECTED' },
  all: {},
} as const
export type DisputeTab = keyof typeof TABS

export function tabOf(text: string): DisputeTab {
  return Object.hasOwn(TABS, text) ? (text as DisputeTab) : 'open'
}

export const disputesQuery = (query: ListQuery) =>
  queryOptions({
    queryKey: [DISPUTES, 'list', query],
    queryFn: ({ signal }) =>
      api.askList(staffCall('POST', '/client/disputes/search', {}, pagingOf(query)), {
        signal,
        body: { query: query.text, filters: TABS[tabOf(query.tab)] },
      }),
    placeholderData: keepPreviousData,
  })

export const disputeQuery = (id: string) =>
  queryOptions({
    queryKey: [DISPUTES, 'one', id],
    queryFn: ({ signal }) => api.ask(staffCall('GET', '/client/disputes/:id', { id }), { signal }),
  })
