import type { AnswerOf } from '@kvitt/domain/contract.ts'
import type {
  getInstanceProvider,
  makeInstanceProvider,
  sendPicture as sendPictureCall,
} from '@kvitt/domain/instances/instance-provider.contract.ts'
import type { Picture } from '@kvitt/domain/instances/pictures.ts'
import { staffCall } from '@kvitt/office/calls.ts'
import { queryOptions } from '@tanstack/react-query'
import { api, queries } from '../calls.ts'
import { bodyOf, newProviderOf, type Values } from './provider-form.ts'

export type Provider = AnswerOf<typeof getInstanceProvider>
export type Made = AnswerOf<typeof makeInstanceProvider>
export type TakenOut = AnswerOf<typeof sendPictureCall>['removed']

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

/** Answers what was taken out of the file. */
export async function sendPicture(provider: Provider, picture: Picture, file: File): Promise<TakenOut> {
  const body = new FormData()
  body.append('picture', picture)
  body.append('version', String(provider.version))
  body.append('file', file)
  const path = staffCall('PUT', '/admin/instance-providers/:id/pictures', { id: provider.id })
  const { provider: saved, removed } = await api.ask(path, { body })
  queries.setQueryData(queryKey, saved)
  return removed
}

export async function removePicture({ id, version }: Provider, picture: Picture): Promise<void> {
  const path = staffCall('POST', '/admin/instance-providers/:id/pictures/remove', { id })
  queries.setQueryData(queryKey, await api.ask(path, { body: { picture, version } }))
}

/** Makes another instance and invites its first manager. */
export function makeProvider(values: Values, key: string): Promise<Made> {
  const headers = { 'Idempotency-Key': key }
  return api.ask(staffCall('POST', '/admin/instance-providers'), { headers, body: newProviderOf(values) })
}
