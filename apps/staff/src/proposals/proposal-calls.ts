import type { AnswerOf } from '@kvitt/domain/contract.ts'
import type { getProposal } from '@kvitt/domain/proposals/proposal.contract.ts'
import type { getReceivers } from '@kvitt/domain/refunds/refund.contract.ts'
import { staffCall } from '@kvitt/office/calls.ts'
import { pagingOf, type ListQuery } from '@kvitt/office/list/list-query.ts'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api } from '../calls.ts'

export type Receiver = AnswerOf<typeof getReceivers>['rows'][number]
export type Proposal = AnswerOf<typeof getProposal>

const PROPOSALS = 'proposals'

/** What each tab shows. The first is the one that opens. */
export const TABS = {
  open: { status: 'OPEN' },
  decided: { status: 'APPROVED[OR]REFUSED[OR]WITHDRAWN' },
} as const
export type ProposalTab = keyof typeof TABS

export function tabOf(text: string): ProposalTab {
  return Object.hasOwn(TABS, text) ? (text as ProposalTab) : 'open'
}

export const proposalsQuery = (query: ListQuery) =>
  queryOptions({
    queryKey: [PROPOSALS, 'list', query],
    queryFn: ({ signal }) =>
      api.askList(staffCall('POST', '/admin/proposals/search', {}, pagingOf(query)), {
        signal,
        body: { query: query.text, filters: TABS[tabOf(query.tab)] },
      }),
    placeholderData: keepPreviousData,
  })

export const proposalQuery = (id: string) =>
  queryOptions({
    queryKey: [PROPOSALS, 'one', id],
    queryFn: ({ signal }) => api.ask(staffCall('GET', '/admin/proposals/:id', { id }), { signal }),
  })

/** Whom an open proposal of a file of refunds pays. */
export const receiversQuery = (id: string) =>
  queryOptions({
    queryKey: [PROPOSALS, 'receivers', id],
    queryFn: ({ signal }) => api.ask(staffCall('GET', '/admin/proposals/:id/receivers', { id }), { signal }),
  })

/** `reason` says how one made sure, or why not. */
export function decideProposal(
  { id, version }: Proposal,
  { isApproved, reason, key }: { isApproved: boolean; reason: string; key: string },
): Promise<Proposal> {
  const headers = { 'Idempotency-Key': key }
  return isApproved
    ? api.ask(staffCall('POST', '/admin/proposals/:id/approve', { id }), {
        headers,
        body: { version, reason },
      })
    : api.ask(staffCall('POST', '/admin/proposals/:id/refuse', { id }), {
        headers,
        body: { version, reason },
      })
}
