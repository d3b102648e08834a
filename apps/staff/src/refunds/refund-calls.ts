import type { AnswerOf } from '@kvitt/domain/contract.ts'
import type { getGathered, getRefund, searchRefunds } from '@kvitt/domain/refunds/refund.contract.ts'
import type { Currency } from '@kvitt/domain/money.ts'
import { staffCall } from '@kvitt/office/calls.ts'
import { pagingOf, type ListQuery } from '@kvitt/office/list/list-query.ts'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api, queries } from '../calls.ts'

export type RefundRow = AnswerOf<typeof searchRefunds>[number]
export type RefundCase = AnswerOf<typeof getRefund>

export type Gathered = AnswerOf<typeof getGathered>['rows'][number]

const REFUNDS = 'refunds'

/** All that is not ended, unless what has ended is asked for too. */
export const refundsQuery = (query: ListQuery, isAll: boolean) =>
  queryOptions({
    queryKey: [REFUNDS, 'list', query, isAll],
    queryFn: ({ signal }) =>
      api.askList(staffCall('POST', '/admin/refunds/search', {}, pagingOf(query)), {
        signal,
        body: { query: query.text, filters: isAll ? {} : { status: 'OWED[OR]UNDER_WAY' } },
      }),
    placeholderData: keepPreviousData,
  })

export const refundQuery = (id: string) =>
  queryOptions({
    queryKey: [REFUNDS, 'one', id],
    queryFn: ({ signal }) => api.ask(staffCall('GET', '/admin/refunds/:id', { id }), { signal }),
  })

/** What a file would have in it now, and what it would not. */
export const gatheredQuery = (currency: Currency) =>
  queryOptions({
    queryKey: [REFUNDS, 'gathered', currency],
    queryFn: ({ signal }) =>
      api.ask(staffCall('GET', '/admin/refunds/gathered', {}, { currency }), { signal }),
  })

const under = (key: string) => ({ headers: { 'Idempotency-Key': key } })

/** The same rows again under the same key are the same file. */
export const proposeRefundFile = (currency: Currency, refunds: readonly string[], key: string) =>
  api.ask(staffCall('POST', '/admin/refunds/files'), {
    ...under(`${key} ${refunds.length} ${refunds.join(' ')}`.slice(0, 200)),
    body: { currency, refunds: [...refunds] },
  })

export const sendRefund = (id: string, key: string, payment: string) =>
  api.ask(staffCall('POST', '/admin/refunds/:id/send', { id }), { ...under(key), body: { payment } })

export const recordRefund = (id: string, key: string) =>
  api.ask(staffCall('POST', '/admin/refunds/:id/record', { id }), under(key))

export const confirmRefund = (id: string, key: string) =>
  api.ask(staffCall('POST', '/admin/refunds/:id/confirm', { id }), under(key))

export const refundNotOrdered = (id: string, key: string) =>
  api.ask(staffCall('POST', '/admin/refunds/:id/not-ordered', { id }), under(key))

/** What it would write in the books that it was not ordered. */
export const notOrderedQuery = (id: string) =>
  queryOptions({
    queryKey: [REFUNDS, 'not-ordered', id],
    queryFn: ({ signal }) =>
      api.ask(staffCall('POST', '/admin/refunds/:id/preview-not-ordered', { id }), { signal }),
    retry: false,
    meta: { isSilent: true },
  })

/** What has moved stands in tasks, payments, debts and proposals too. */
export const reloadAll = (): void =>
  void queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'me' })
