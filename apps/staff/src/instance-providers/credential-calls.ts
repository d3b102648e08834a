import type { AnswerOf } from '@kvitt/domain/contract.ts'
import type { CredentialKind, TriedKind } from '@kvitt/domain/instances/credential.ts'
import type { listCredentials, tryCredential } from '@kvitt/domain/instances/credential.contract.ts'
import { staffCall } from '@kvitt/office/calls.ts'
import { queryOptions } from '@tanstack/react-query'
import { api, queries } from '../calls.ts'

export type Credentials = AnswerOf<typeof listCredentials>['credentials']
export type Shown = Credentials[number]
export type Tried = AnswerOf<typeof tryCredential>

const PATH = '/admin/instance-providers/:id/credentials'
const keyOf = (id: string) => ['instance-providers', id, 'credentials']

export const credentialsQuery = (id: string) =>
  queryOptions({
    queryKey: keyOf(id),
    queryFn: async ({ signal }): Promise<Credentials> =>
      (await api.ask(staffCall('GET', PATH, { id }), { signal })).credentials,
  })

function keep(id: string, credentials: Credentials): void {
  queries.setQueryData(keyOf(id), credentials)
}

export async function enterCredential(
  id: string,
  kind: CredentialKind,
  { number, certificate, key }: Readonly<Record<string, string>>,
): Promise<void> {
  const body = { kind, ...(number && { number }), ...(certificate && { certificate }), ...(key && { key }) }
  keep(id, (await api.ask(staffCall('PUT', PATH, { id }), { body })).credentials)
}

export async function removeCredential(id: string, kind: CredentialKind, number?: string): Promise<void> {
  const body = { kind, ...(number === undefined ? {} : { number }) }
  const answer = await api.ask(
    staffCall('POST', '/admin/instance-providers/:id/credentials/remove', { id }),
    { body },
  )
  keep(id, answer.credentials)
}

export const tryCredentialOf = (id: string, kind: TriedKind): Promise<Tried> =>
  api.ask(staffCall('POST', '/admin/instance-providers/:id/credentials/try', { id }), { body: { kind } })
