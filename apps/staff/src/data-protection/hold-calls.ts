import type { AnswerOf, BodyOf } from '@kvitt/domain/contract.ts'
import type { getLegalHolds, setLegalHold } from '@kvitt/domain/data-protection/legal-hold.contract.ts'
import { staffCall } from '@kvitt/office/calls.ts'
import { queryOptions } from '@tanstack/react-query'
import { api, queries } from '../calls.ts'

export type LegalHold = AnswerOf<typeof getLegalHolds>['holds'][number]

const HOLDS = 'legal-holds'

export const holdsQuery = queryOptions({
  queryKey: [HOLDS],
  queryFn: ({ signal }) => api.ask(staffCall('GET', '/admin/data-protection/holds'), { signal }),
})

/** What a run finds of a person, and what may go of them, is another with a hold. */
function keep(holds: AnswerOf<typeof getLegalHolds>): void {
  queries.setQueryData([HOLDS], holds)
  void queries.invalidateQueries({ queryKey: ['data-protection'] })
}

export async function setHold(body: BodyOf<typeof setLegalHold>, key: string): Promise<void> {
  const headers = { 'Idempotency-Key': key }
  keep(await api.ask(staffCall('POST', '/admin/data-protection/holds'), { body, headers }))
}

export async function liftHold(id: string, reason: string): Promise<void> {
  keep(
    await api.ask(staffCall('POST', '/admin/data-protection/holds/:id/lift', { id }), { body: { reason } }),
  )
}
