import type { AnswerOf } from '@kvitt/domain/contract.ts'
import type { getOfficeDebtor, searchOfficeDebtors } from '@kvitt/domain/people/office-debtor.contract.ts'
import { staffCall } from '@kvitt/office/calls.ts'
import { pagingOf, type ListQuery } from '@kvitt/office/list/list-query.ts'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api } from '../calls.ts'

export type ListedDebtor = AnswerOf<typeof searchOfficeDebtors>[number]
export type Debtor = AnswerOf<typeof getOfficeDebtor>

const DEBTORS = 'debtors'

/** What each tab shows. The first is the one that opens. */
export const TABS = { all: {}, owing: { hasOpen: 'true' } } as const
export type DebtorTab = keyof typeof TABS

export function tabOf(text: string): DebtorTab {
  return Object.hasOwn(TABS, text) ? (text as DebtorTab) : 'all'
}

export const debtorsQuery = (query: ListQuery) =>
  queryOptions({
    queryKey: [DEBTORS, 'list', query],
    queryFn: ({ signal }) =>
      api.askList(staffCall('POST', '/client/debtors/search', {}, pagingOf(query)), {
        signal,
        body: { query: query.text, filters: TABS[tabOf(query.tab)] },
      }),
    placeholderData: keepPreviousData,
  })

export const debtorQuery = (id: string) =>
  queryOptions({
    queryKey: [DEBTORS, 'one', id],
    queryFn: ({ signal }) => api.ask(staffCall('GET', '/client/debtors/:id', { id }), { signal }),
  })
