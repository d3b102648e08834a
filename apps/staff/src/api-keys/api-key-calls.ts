import type { AnswerOf } from '@kvitt/domain/contract.ts'
import type { searchApiKeys } from '@kvitt/domain/staff/api-key.contract.ts'
import { staffCall } from '@kvitt/office/calls.ts'
import { pagingOf, type ListQuery } from '@kvitt/office/list/list-query.ts'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api } from '../calls.ts'

export type ApiKey = AnswerOf<typeof searchApiKeys>[number]

export const apiKeysQuery = (query: ListQuery) =>
  queryOptions({
    queryKey: ['api-keys', query],
    queryFn: ({ signal }) =>
      api.askList(staffCall('POST', '/client/api-keys/search', {}, pagingOf(query)), {
        signal,
        body: { query: query.text },
      }),
    placeholderData: keepPreviousData,
  })

/** Makes one, and answers it: it is told this once. */
export async function makeApiKey(values: Readonly<Record<string, string>>): Promise<string> {
  const { name = '', scopes = '', expires = '' } = values
  const { key } = await api.ask(staffCall('POST', '/client/api-keys'), {
    body: {
      name: name.trim(),
      scopes: scopes.split(' ').filter(Boolean) as ApiKey['scopes'],
      // Good until the end of the day that was chosen.
      expiresAt: expires === '' ? null : new Date(`${expires}T23:59:59`).toISOString(),
    },
  })
  return key
}

export function revokeApiKey(id: string): Promise<unknown> {
  return api.ask(staffCall('DELETE', '/client/api-keys/:id', { id }))
}
