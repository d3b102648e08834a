import type { AnswerOf, SentBody } from '@kvitt/domain/contract.ts'
import type {
  getSignInIssuer,
  proposeSignInIssuer,
  trySignInIssuer,
} from '@kvitt/domain/staff/issuer.contract.ts'
import { staffCall } from '@kvitt/office/calls.ts'
import { queryOptions } from '@tanstack/react-query'
import { api, queries } from '../calls.ts'

export type OwnIssuer = AnswerOf<typeof getSignInIssuer>
export type Tried = AnswerOf<typeof trySignInIssuer>

const PATH = '/admin/instance-providers/:id/sign-in-issuer'
const keyOf = (id: string) => ['instance-providers', id, 'sign-in-issuer']

export const issuerQuery = (id: string) =>
  queryOptions({
    queryKey: keyOf(id),
    queryFn: ({ signal }): Promise<OwnIssuer> => api.ask(staffCall('GET', PATH, { id }), { signal }),
  })

export async function proposeIssuer(
  id: string,
  body: SentBody<typeof proposeSignInIssuer>,
  key: string,
): Promise<void> {
  await api.ask(staffCall('PUT', PATH, { id }), { body, headers: { 'Idempotency-Key': key } })
  await queries.invalidateQueries({ queryKey: keyOf(id) })
}

export const tryIssuer = (id: string, body: SentBody<typeof trySignInIssuer>): Promise<Tried> =>
  api.ask(staffCall('POST', '/admin/instance-providers/:id/sign-in-issuer/try', { id }), { body })
