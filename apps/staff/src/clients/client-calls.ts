import type { AnswerOf, BodyOf } from '@kvitt/domain/contract.ts'
import type {
  getClient,
  proposeChargeOwner as chargeOwnerCall,
  proposeReminderFee as reminderFeeCall,
  searchClients,
} from '@kvitt/domain/creditors/client.contract.ts'
import { staffCall } from '@kvitt/office/calls.ts'
import { pagingOf, type ListQuery } from '@kvitt/office/list/list-query.ts'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api } from '../calls.ts'
import { contactOf, newClientOf, type Values } from './client-forms.ts'

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
}

/** Answers the new creditor. */
export function makeClient(values: Values, key: string): Promise<ClientDetail> {
  const headers = { 'Idempotency-Key': key }
  return api.ask(staffCall('POST', '/admin/clients'), { headers, body: newClientOf(values) })
}

export function changeContact(client: ClientDetail, values: Values): Promise<unknown> {
  return api.ask(staffCall('PUT', '/admin/clients/:id', { id: client.id }), {
    body: contactOf(client, values),
  })
}

/** Proposes who can invite the others of a creditor; another person decides. */
export function proposeFirstUser(id: string, { email = '', name = '' }: Values): Promise<unknown> {
  const body = { email: email.trim(), name: name.trim() }
  return api.ask(staffCall('POST', '/admin/clients/:id/manager', { id }), { body })
}

/** Proposes since when a reminder fee is agreed, or that none is. */
export function proposeReminderFee(id: string, body: BodyOf<typeof reminderFeeCall>): Promise<unknown> {
  return api.ask(staffCall('POST', '/admin/clients/:id/reminder-fee', { id }), { body })
}

/** Proposes who owns the fees and the interest that are charged from a day on. */
export function proposeChargeOwner(id: string, body: BodyOf<typeof chargeOwnerCall>): Promise<unknown> {
  return api.ask(staffCall('POST', '/admin/clients/:id/charge-owners', { id }), { body })
}
