import type { AnswerOf } from '@kvitt/domain/contract.ts'
import type { getInstanceProvider } from '@kvitt/domain/instances/instance-provider.contract.ts'
import { staffCall } from '@kvitt/office/calls.ts'
import { queryOptions } from '@tanstack/react-query'
import { api, queries } from '../calls.ts'
import { bodyOf, type Values } from './provider-form.ts'

export type Provider = AnswerOf<typeof getInstanceProvider>

const queryKey = ['instance-providers']

/** The operator's own provider: there is one, and nobody has to know its id. */
export const providerQuery = queryOptions({
  queryKey,
  queryFn: async ({ signal }): Promise<Provider> => {
    const path = '/admin/instance-providers/search'
    const { items } = await api.askList(staffCall('POST', path, {}, {}), { signal, body: {} })
    return api.ask(staffCall('GET', '/admin/instance-providers/:id', { id: items[0]?.id ?? '' }), { signal })
  },
})

/** Sends what is other than it was, so that what somebody else has set by the command stays. */
export async function saveProvider(provider: Provider, values: Values): Promise<void> {
  const { id, version } = provider
  const body = { version, ...bodyOf(provider, values) }
  const saved = await api.ask(staffCall('PUT', '/admin/instance-providers/:id', { id }), { body })
  queries.setQueryData(queryKey, saved)
}
