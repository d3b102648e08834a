import type { AnswerOf } from '@kvitt/domain/contract.ts'
import type { getOfficePlan, searchOfficePlans } from '@kvitt/domain/part-payments/office-plan.contract.ts'
import { staffCall } from '@kvitt/office/calls.ts'
import type { FetchList } from '@kvitt/office/list/export-menu.tsx'
import { pagingOf, type ListQuery } from '@kvitt/office/list/list-query.ts'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api } from '../calls.ts'

export type Plan = AnswerOf<typeof getOfficePlan>
export type ListedPlan = AnswerOf<typeof searchOfficePlans>[number]

const PLANS = 'plans'

/** What each tab shows. The first is the one that opens. */
export const TABS = {
  active: { status: 'ACTIVE' },
  late: { isLate: 'true' },
  ended: { status: 'COMPLETED[OR]DEFAULTED[OR]WITHDRAWN[OR]STOPPED' },
  all: {},
} as const
export type PlanTab = keyof typeof TABS

export function tabOf(text: string): PlanTab {
  return Object.hasOwn(TABS, text) ? (text as PlanTab) : 'active'
}

const asked = (query: ListQuery) => ({ query: query.text, filters: TABS[tabOf(query.tab)] })

/** All that is found, as the kind of file that the headers accept. */
export const fetchPlans =
  (query: ListQuery): FetchList =>
  (headers) =>
    api.fetchFile(staffCall('POST', '/client/plans/search', {}, pagingOf(query)), {
      headers,
      body: asked(query),
    })

export const plansQuery = (query: ListQuery) =>
  queryOptions({
    queryKey: [PLANS, 'list', query],
    queryFn: ({ signal }) =>
      api.askList(staffCall('POST', '/client/plans/search', {}, pagingOf(query)), {
        signal,
        body: asked(query),
      }),
    placeholderData: keepPreviousData,
  })

export const planQuery = (id: string) =>
  queryOptions({
    queryKey: [PLANS, 'one', id],
    queryFn: ({ signal }) => api.ask(staffCall('GET', '/client/plans/:id', { id }), { signal }),
  })
