import type { AnswerOf } from '@kvitt/domain/contract.ts'
import type { getPayout, searchPayouts } from '@kvitt/domain/payouts/payout.contract.ts'
import { staffCall } from '@kvitt/office/calls.ts'
import { pagingOf, type ListQuery } from '@kvitt/office/list/list-query.ts'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api, queries } from '../calls.ts'

export type PayoutFile = AnswerOf<typeof searchPayouts>[number]
export type PayoutOfFile = AnswerOf<typeof getPayout>['payouts'][number]

const PAYOUTS = 'payouts'

export const payoutsQuery = (query: ListQuery) =>
  queryOptions({
    queryKey: [PAYOUTS, 'list', query],
    queryFn: ({ signal }) =>
      api.askList(staffCall('POST', '/admin/payouts/search', {}, pagingOf(query)), {
        signal,
        body: { query: query.text },
      }),
    placeholderData: keepPreviousData,
  })

export const payoutQuery = (id: string) =>
  queryOptions({
    queryKey: [PAYOUTS, 'one', id],
    queryFn: ({ signal }) => api.ask(staffCall('GET', '/admin/payouts/:id', { id }), { signal }),
  })

/** The file as the bank gets it. */
export const fetchPayout = (id: string) =>
  api.fetchFile(staffCall('GET', '/admin/payouts/:id', { id }), { headers: { Accept: 'application/xml' } })

/** Of all that is approved in a currency and has an account to go to. */
export const proposePayouts = (currency: string) =>
  api.ask(staffCall('POST', '/admin/payouts'), { body: { currency } })

export function sendAnswer(file: File) {
  const body = new FormData()
  body.append('file', file)
  return api.ask(staffCall('PUT', '/admin/payouts/answers'), { body })
}

/** What has moved stands in settlements, proposals and tasks too. */
export const reloadAll = (): void =>
  void queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'me' })
