import type { AnswerOf } from '@kvitt/domain/contract.ts'
import type { getOutboxMessage, searchOutbox } from '@kvitt/domain/messages/outbox.contract.ts'
import { staffCall } from '@kvitt/office/calls.ts'
import { pagingOf, type ListQuery } from '@kvitt/office/list/list-query.ts'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api, queries } from '../calls.ts'

export type OutboxMessage = AnswerOf<typeof searchOutbox>[number]
export type OutboxDetail = AnswerOf<typeof getOutboxMessage>
export type MessageAct = OutboxMessage['acts'][number]

const OUTBOX = 'outbox'

/** What each tab shows. The first is the one that opens. */
export const TABS = {
  failed: { status: 'DEAD' },
  waiting: { status: 'WAITING' },
  letters: { channel: 'LETTER' },
  sent: { status: 'SENT' },
  all: {},
} as const
export type OutboxTab = keyof typeof TABS

export function tabOf(text: string): OutboxTab {
  return Object.hasOwn(TABS, text) ? (text as OutboxTab) : 'failed'
}

export const outboxQuery = (query: ListQuery) =>
  queryOptions({
    queryKey: [OUTBOX, 'list', query],
    queryFn: ({ signal }) =>
      api.askList(staffCall('POST', '/admin/outbox/search', {}, pagingOf(query)), {
        signal,
        body: { query: query.text, filters: TABS[tabOf(query.tab)] },
      }),
    placeholderData: keepPreviousData,
  })

export const messageQuery = (id: string) =>
  queryOptions({
    queryKey: [OUTBOX, 'one', id],
    queryFn: ({ signal }) => api.ask(staffCall('GET', '/admin/outbox/:id', { id }), { signal }),
  })

export const printQueueQuery = queryOptions({
  queryKey: [OUTBOX, 'print-queue'],
  queryFn: ({ signal }) => api.ask(staffCall('GET', '/admin/print-queue'), { signal }),
})

/** What is decided of a message ends its task. */
export const reloadOutbox = (): void => {
  void queries.invalidateQueries({ queryKey: [OUTBOX] })
  void queries.invalidateQueries({ queryKey: ['tasks'] })
}

type Values = Readonly<Record<string, string>>

/** Does it; answers the message, or the one that was made of it. */
export function perform(act: MessageAct, id: string, values: Values, key: string): Promise<OutboxDetail> {
  const headers = { 'Idempotency-Key': key }
  const body = { reason: values['reason'] ?? '' }
  switch (act) {
    case 'resend':
      return api.ask(staffCall('POST', '/admin/outbox/:id/resend', { id }), { headers, body })
    case 'drop':
      return api.ask(staffCall('POST', '/admin/outbox/:id/drop', { id }), { headers, body })
    case 'mended':
      return api.ask(staffCall('POST', '/admin/outbox/:id/mended', { id }), { headers, body })
    case 'send-now':
      return api.ask(staffCall('POST', '/admin/outbox/:id/send-now', { id }), { headers })
    case 'other-way': {
      const channel = values['channel'] as OutboxMessage['channel']
      return api.ask(staffCall('POST', '/admin/outbox/:id/other-way', { id }), { headers, body: { channel } })
    }
  }
}
