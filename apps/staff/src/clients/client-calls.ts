import type { AnswerOf } from '@kvitt/domain/contract.ts'
import type { getClient, searchClients } from '@kvitt/domain/creditors/client.contract.ts'
import { staffCall } from '@kvitt/office/calls.ts'
import { pagingOf, type ListQuery } from '@kvitt/office/list/list-query.ts'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api, queries } from '../calls.ts'

export type Client = AnswerOf<typeof searchClients>[number]
export type ClientDetail = AnswerOf<typeof getClient>
export type Agreement = ClientDetail['agreements'][number]

const CLIENTS = 'clients'

export const clientsQuery = (query: ListQuery) =>
  queryOptions({
    queryKey: [CLIENTS, 'list', query],
    queryFn: ({ signal }) =>
      api.askList(staffCall('POST', '/admin/clients/search', {}, pagingOf(query)), {
        signal,
        body: { query: query.text },
      }),
    placeholderData: keepPreviousData,
  })

export const clientQuery = (id: string) =>
  queryOptions({
    queryKey: [CLIENTS, 'one', id],
    queryFn: ({ signal }) => api.ask(staffCall('GET', '/admin/clients/:id', { id }), { signal }),
  })

type Values = Readonly<Record<string, string>>

/** Proposes what is agreed from a day on; another person decides. */
export async function proposeAgreement(id: string, values: Values): Promise<void> {
  const of = (name: string): string => (values[name] ?? '').trim().replace(',', '.') || '0'
  await api.ask(staffCall('POST', '/admin/clients/:id/agreements', { id }), {
    body: {
      from: values['from'] ?? '',
      invoiceCommissionPercent: of('invoiceCommissionPercent'),
      claimCommissionPercent: of('claimCommissionPercent'),
      currency: (values['currency'] ?? '').trim().toUpperCase(),
      paymentPrice: of('paymentPrice'),
      casePrice: of('casePrice'),
      vatPercent: of('vatPercent'),
      period: values['period'] as Agreement['period'],
      smallestPayout: of('smallestPayout'),
      source: (values['source'] ?? '').trim(),
    },
  })
  void queries.invalidateQueries({ queryKey: [CLIENTS] })
  void queries.invalidateQueries({ queryKey: ['tasks'] })
}
