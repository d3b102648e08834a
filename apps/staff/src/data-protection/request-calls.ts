import type { AnswerOf, BodyOf } from '@kvitt/domain/contract.ts'
import type {
  answerDataRequest,
  enterDataRequest,
  extendDataRequest,
  getDataRequest,
} from '@kvitt/domain/data-protection/data-request.contract.ts'
import { staffCall } from '@kvitt/office/calls.ts'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../calls.ts'

export type DataRequest = AnswerOf<typeof getDataRequest>
export type NewRequest = BodyOf<typeof enterDataRequest>
export type RequestAnswered = BodyOf<typeof answerDataRequest>

const REQUESTS = 'data-requests'
const keyed = (key: string) => ({ 'Idempotency-Key': key })

export const requestsOfQuery = (debtorId: string) =>
  queryOptions({
    queryKey: [REQUESTS, 'debtor', debtorId],
    queryFn: async ({ signal }) => {
      const call = staffCall('GET', '/admin/debtors/:id/data-requests', { id: debtorId })
      return (await api.ask(call, { signal })).requests
    },
  })

export const requestQuery = (id: string) =>
  queryOptions({
    queryKey: [REQUESTS, id],
    queryFn: ({ signal }) => api.ask(staffCall('GET', '/admin/data-requests/:id', { id }), { signal }),
  })

export const enterRequest = (debtorId: string, body: NewRequest, key: string) =>
  api.ask(staffCall('POST', '/admin/debtors/:id/data-requests', { id: debtorId }), {
    headers: keyed(key),
    body,
  })

export const extendRequest = (id: string, body: BodyOf<typeof extendDataRequest>, key: string) =>
  api.ask(staffCall('POST', '/admin/data-requests/:id/extend', { id }), { headers: keyed(key), body })

export const answerRequest = (id: string, body: RequestAnswered, key: string) =>
  api.ask(staffCall('POST', '/admin/data-requests/:id/answer', { id }), { headers: keyed(key), body })
