import type { AnswerOf } from '@kvitt/domain/contract.ts'
import type { searchUsers } from '@kvitt/domain/staff/user.contract.ts'
import { staffCall } from '@kvitt/office/calls.ts'
import { pagingOf, type ListQuery } from '@kvitt/office/list/list-query.ts'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api } from '../calls.ts'

export type User = AnswerOf<typeof searchUsers>[number]

export const usersQuery = (query: ListQuery) =>
  queryOptions({
    queryKey: ['users', query],
    queryFn: ({ signal }) =>
      api.askList(staffCall('POST', '/client/users/search', {}, pagingOf(query)), {
        signal,
        body: { query: query.text },
      }),
    placeholderData: keepPreviousData,
  })
