import type { AnswerOf } from '@kvitt/domain/contract.ts'
import type { getDashboard, getWorkNow } from '@kvitt/domain/dashboard/dashboard.contract.ts'
import { staffCall } from '@kvitt/office/calls.ts'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api } from '../calls.ts'
import type { Filters } from './filters.ts'

export type Dashboard = AnswerOf<typeof getDashboard>
export type WorkNow = AnswerOf<typeof getWorkNow>

const EACH_MINUTE_MS = 60_000

export const dashboardQuery = (filters: Filters) =>
  queryOptions({
    queryKey: ['dashboard', filters],
    queryFn: ({ signal }) => api.ask(staffCall('GET', '/admin/dashboard', {}, filters), { signal }),
    placeholderData: keepPreviousData,
    refetchInterval: EACH_MINUTE_MS,
  })

/** @param creditor its id; undefined for all of the instance */
export const workNowQuery = (creditor: string | undefined) =>
  queryOptions({
    queryKey: ['dashboard-now', creditor],
    queryFn: ({ signal }) =>
      api.ask(staffCall('GET', '/admin/dashboard/now', {}, creditor === undefined ? {} : { creditor }), {
        signal,
      }),
    placeholderData: keepPreviousData,
    refetchInterval: EACH_MINUTE_MS,
  })
