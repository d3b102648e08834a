import type { AnswerOf } from '@kvitt/domain/contract.ts'
import { AGE_BUCKETS, type AgeBucket } from '@kvitt/domain/receivables/ageing.ts'
import type { getReceivables, searchReceivables } from '@kvitt/domain/receivables/receivables.contract.ts'
import { staffCall } from '@kvitt/office/calls.ts'
import type { FetchList } from '@kvitt/office/list/export-menu.tsx'
import { pagingOf, type ListQuery } from '@kvitt/office/list/list-query.ts'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api } from '../calls.ts'

export type Receivable = AnswerOf<typeof searchReceivables>[number]
export type OwedSum = AnswerOf<typeof getReceivables>['sums'][number]

const RECEIVABLES = 'receivables'
/** The first is the one that opens. */
export const TABS = ['all', ...AGE_BUCKETS] as const
export type AgeTab = (typeof TABS)[number]

export const tabOf = (text: string): AgeTab => TABS.find((tab) => tab === text) ?? 'all'

const bucketOf = (query: ListQuery): AgeBucket | undefined =>
  AGE_BUCKETS.find((bucket) => bucket === query.tab)

/** What was owed at the end of the day. */
export const receivablesQuery = (query: ListQuery, day: string) =>
  queryOptions({
    queryKey: [RECEIVABLES, 'list', query, day],
    queryFn: ({ signal }) => {
      const bucket = bucketOf(query)
      return api.askList(staffCall('POST', '/client/receivables/search', {}, { ...pagingOf(query), day }), {
        signal,
        body: { query: query.text, ...(bucket ? { filters: { bucket } } : {}) },
      })
    },
    placeholderData: keepPreviousData,
  })

export const sumsQuery = (day: string) =>
  queryOptions({
    queryKey: [RECEIVABLES, 'sums', day],
    queryFn: ({ signal }) => api.ask(staffCall('GET', '/client/receivables', {}, { day }), { signal }),
    placeholderData: keepPreviousData,
  })

/** All of the day, whatever is searched for: a file that leaves some out would not come to the sum of the books. */
export const fetchReceivables =
  (query: ListQuery, day: string): FetchList =>
  (headers) =>
    api.fetchFile(staffCall('POST', '/client/receivables/search', {}, { ...pagingOf(query), day }), {
      headers,
      body: {},
    })
