import type { AnswerOf } from '@kvitt/domain/contract.ts'
import type { getClientFunds, getClientFundsItems } from '@kvitt/domain/client-funds/client-funds.contract.ts'
import type { FundsDocument } from '@kvitt/domain/client-funds/proof-item.ts'
import { staffCall } from '@kvitt/office/calls.ts'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api } from '../calls.ts'

export type ClientFunds = AnswerOf<typeof getClientFunds>
export type Proof = ClientFunds['proofs'][number]
export type ProofTerm = Proof['terms'][number]
export type ProofItem = AnswerOf<typeof getClientFundsItems>['items'][number]

const CLIENT_FUNDS = 'client-funds'

/** @param day empty for the last one that a statement tells of */
export const clientFundsQuery = (day: string) =>
  queryOptions({
    queryKey: [CLIENT_FUNDS, 'proof', day],
    queryFn: ({ signal }) =>
      api.ask(staffCall('GET', '/admin/client-funds', {}, day === '' ? {} : { day }), { signal }),
    placeholderData: keepPreviousData,
  })

export type ItemsOf = {
  readonly day: string
  readonly currency: Proof['currency']
  readonly term: ProofTerm['term']
}

export const itemsQuery = (of: ItemsOf) =>
  queryOptions({
    queryKey: [CLIENT_FUNDS, 'items', of],
    queryFn: ({ signal }) => api.ask(staffCall('GET', '/admin/client-funds/items', {}, of), { signal }),
  })

export const fetchDocument = (day: string, document: FundsDocument) =>
  api.fetchFile(staffCall('GET', '/admin/client-funds', {}, { day, document }), {
    headers: { Accept: 'application/pdf' },
  })
