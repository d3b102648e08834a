import type { AnswerOf, BodyOf } from '@kvitt/domain/contract.ts'
import type {
  answerDebtorFlag,
  flagDebtor,
  getDebtorFlag,
} from '@kvitt/domain/people/debtor-flag.contract.ts'
import type { getOfficeDebtor } from '@kvitt/domain/people/office-debtor.contract.ts'
import { staffCall } from '@kvitt/office/calls.ts'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../calls.ts'

export type FlagDetail = AnswerOf<typeof getDebtorFlag>
export type ListedFlag = AnswerOf<typeof getOfficeDebtor>['flags'][number]
export type NewFlag = BodyOf<typeof flagDebtor>
export type FlagAnswered = BodyOf<typeof answerDebtorFlag>

const keyed = (key: string) => ({ 'Idempotency-Key': key })

export const flagQuery = (id: string) =>
  queryOptions({
    queryKey: ['debtor-flags', id],
    queryFn: ({ signal }) => api.ask(staffCall('GET', '/admin/debtor-flags/:id', { id }), { signal }),
  })

export const setFlag = (debtorId: string, body: NewFlag, key: string) =>
  api.ask(staffCall('POST', '/client/debtors/:id/flags', { id: debtorId }), { headers: keyed(key), body })

export const answerFlag = (id: string, body: FlagAnswered, key: string) =>
  api.ask(staffCall('POST', '/admin/debtor-flags/:id/answer', { id }), { headers: keyed(key), body })

export const endFlag = (id: string, reason: string, key: string) =>
  api.ask(staffCall('POST', '/admin/debtor-flags/:id/end', { id }), {
    headers: keyed(key),
    body: { reason },
  })
