import type { AnswerOf } from '@kvitt/domain/contract.ts'
import type {
  getOfficeConversation,
  searchOfficeConversations,
} from '@kvitt/domain/conversations/office-conversation.contract.ts'
import { staffCall } from '@kvitt/office/calls.ts'
import { pagingOf, type ListQuery } from '@kvitt/office/list/list-query.ts'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api } from '../calls.ts'

export type Conversation = AnswerOf<typeof searchOfficeConversations>[number]
export type ConversationDetail = AnswerOf<typeof getOfficeConversation>

const CONVERSATIONS = 'conversations'

/** What each tab shows. The first is the one that opens. */
export const TABS = {
  open: { status: 'OPEN' },
  answered: { status: 'ANSWERED' },
  all: {},
} as const
export type ConversationTab = keyof typeof TABS

export function tabOf(text: string): ConversationTab {
  return Object.hasOwn(TABS, text) ? (text as ConversationTab) : 'open'
}

export const conversationsQuery = (query: ListQuery) =>
  queryOptions({
    queryKey: [CONVERSATIONS, 'list', query],
    queryFn: ({ signal }) =>
      api.askList(staffCall('POST', '/client/conversations/search', {}, pagingOf(query)), {
        signal,
        body: { query: query.text, filters: TABS[tabOf(query.tab)] },
      }),
    placeholderData: keepPreviousData,
  })

/** What a plan of the debtor's own comes to today: as it was asked for, or with another amount or first day. */
export const ownPlanQuery = (id: string, sought: { readonly amount?: string; readonly day?: string }) =>
  queryOptions({
    queryKey: [CONVERSATIONS, 'plan', id, sought],
    queryFn: ({ signal }) =>
      api.ask(staffCall('GET', '/client/conversations/:id/plan', { id }, sought), { signal }),
    retry: false,
  })

export const conversationQuery = (id: string) =>
  queryOptions({
    queryKey: [CONVERSATIONS, 'one', id],
    queryFn: ({ signal }) => api.ask(staffCall('GET', '/client/conversations/:id', { id }), { signal }),
  })
