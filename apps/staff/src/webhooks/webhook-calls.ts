import type { AnswerOf } from '@kvitt/domain/contract.ts'
import type { searchWebhookDeliveries, searchWebhooks } from '@kvitt/domain/webhooks/webhook.contract.ts'
import { staffCall } from '@kvitt/office/calls.ts'
import { pagingOf, type ListQuery } from '@kvitt/office/list/list-query.ts'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api } from '../calls.ts'

export type Webhook = AnswerOf<typeof searchWebhooks>[number]
export type Delivery = AnswerOf<typeof searchWebhookDeliveries>[number]

/** A page that shows what is being sent looks again so often. */
const AGAIN_MS = 3_000

export const webhooksQuery = () =>
  queryOptions({
    queryKey: ['webhooks'],
    queryFn: ({ signal }) =>
      api.askList(staffCall('POST', '/client/webhooks/search', {}, { limit: '100', page: '1' }), {
        signal,
        body: {},
      }),
  })

export const webhookQuery = (id: string) =>
  queryOptions({
    queryKey: ['webhooks', id],
    queryFn: ({ signal }) => api.ask(staffCall('GET', '/client/webhooks/:id', { id }), { signal }),
    refetchInterval: ({ state }) => (state.data && state.data.waiting > 0 ? AGAIN_MS : false),
  })

export const DELIVERY_TABS = {
  all: undefined,
  failed: 'FAILED',
  waiting: 'WAITING',
  delivered: 'DELIVERED',
} as const
export type DeliveryTab = keyof typeof DELIVERY_TABS

export const deliveriesQuery = (id: string, query: ListQuery, tab: DeliveryTab) =>
  queryOptions({
    queryKey: ['webhooks', id, 'deliveries', query, tab],
    queryFn: ({ signal }) =>
      api.askList(staffCall('POST', '/client/webhooks/deliveries/search', {}, pagingOf(query)), {
        signal,
        body: { webhookId: id, ...(DELIVERY_TABS[tab] ? { status: DELIVERY_TABS[tab] } : {}) },
      }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) =>
      state.data?.items.some(({ status, tries }) => status === 'WAITING' && tries < 3) ? AGAIN_MS : false,
  })

export const deliveryQuery = (id: string, webhookId: string) =>
  queryOptions({
    queryKey: ['webhooks', webhookId, 'delivery', id],
    queryFn: ({ signal }) => api.ask(staffCall('GET', '/client/webhooks/deliveries/:id', { id }), { signal }),
    refetchInterval: ({ state }) =>
      state.data?.status === 'WAITING' && state.data.tries < 3 ? AGAIN_MS : false,
  })

type Values = Readonly<Record<string, string>>

const eventsOf = ({ events = '' }: Values) => events.split(' ').filter(Boolean) as Webhook['events']

/** Makes one, and answers its secret: it is told this once. */
export async function makeWebhook(
  values: Values,
  key: string,
): Promise<{ readonly id: string; readonly secret: string }> {
  return api.ask(staffCall('POST', '/client/webhooks'), {
    body: { address: (values['address'] ?? '').trim(), events: eventsOf(values) },
    headers: { 'idempotency-key': key },
  })
}

export function changeWebhook({ id, version }: Webhook, values: Values): Promise<unknown> {
  return api.ask(staffCall('PUT', '/client/webhooks/:id', { id }), {
    body: { version, address: (values['address'] ?? '').trim(), events: eventsOf(values) },
  })
}

export function switchWebhook({ id, version }: Webhook, isOn: boolean): Promise<unknown> {
  return api.ask(staffCall('PUT', '/client/webhooks/:id', { id }), { body: { version, isOn } })
}

export function removeWebhook({ id }: Webhook): Promise<unknown> {
  return api.ask(staffCall('DELETE', '/client/webhooks/:id', { id }))
}

/** Answers the new secret, once. */
export async function rotateSecret({ id }: Webhook, key: string): Promise<string> {
  const { secret } = await api.ask(staffCall('POST', '/client/webhooks/:id/rotate-secret', { id }), {
    headers: { 'idempotency-key': key },
  })
  return secret
}

export function sendTest({ id }: Webhook): Promise<unknown> {
  return api.ask(staffCall('POST', '/client/webhooks/:id/test', { id }))
}

/** From the beginning of one day to the end of another, both in the browser's own time. */
export function replaySpan({ id }: Webhook, { from = '', to = '', what = '' }: Values): Promise<unknown> {
  return api.ask(staffCall('POST', '/client/webhooks/:id/replay', { id }), {
    body: {
      from: new Date(`${from}T00:00:00`).toISOString(),
      to: new Date(`${to}T23:59:59.999`).toISOString(),
      ...(what === 'FAILED' ? { only: what } : {}),
    },
  })
}

export function replayDelivery({ id }: Pick<Delivery, 'id'>): Promise<unknown> {
  return api.ask(staffCall('POST', '/client/webhooks/deliveries/:id/replay', { id }))
}
