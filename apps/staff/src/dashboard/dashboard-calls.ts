import type { AnswerOf } from '@kvitt/domain/contract.ts'
import type { getDashboard } from '@kvitt/domain/creditors/office-creditor.contract.ts'
import { staffCall } from '@kvitt/office/calls.ts'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api } from '../calls.ts'

export type Dashboard = AnswerOf<typeof getDashboard>

/** @param creditor its id; empty for all of the instance */
export const dashboardQuery = (creditor: string) =>
  queryOptions({
    queryKey: ['dashboard', creditor],
    queryFn: ({ signal }) =>
      api.ask(staffCall('GET', '/admin/dashboard', {}, creditor === '' ? {} : { creditor }), { signal }),
    placeholderData: keepPreviousData,
    refetchInterval: 60_000,
  })
