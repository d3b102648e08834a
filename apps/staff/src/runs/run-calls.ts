import type { AnswerOf } from '@kvitt/domain/contract.ts'
import type { getRun } from '@kvitt/domain/runs/run.contract.ts'
import { staffCall } from '@kvitt/office/calls.ts'
import { pagingOf, type ListQuery } from '@kvitt/office/list/list-query.ts'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api, queries } from '../calls.ts'

export type Run = AnswerOf<typeof getRun>

const RUNS = 'runs'
/** How soon what is under way is looked at again. */
const AGAIN_MS = 1_500

/** What each tab shows. The first is the one that opens. */
export const TABS = {
  all: {},
  failed: { status: 'FAILED[OR]CUT_OFF[OR]WAITS' },
  left: { quarantined: true },
  daily: { work: 'DAILY_RUN' },
  settlements: { work: 'SETTLEMENTS' },
} as const
export type RunTab = keyof typeof TABS

export function tabOf(text: string): RunTab {
  return Object.hasOwn(TABS, text) ? (text as RunTab) : 'all'
}

export const isUnderWay = ({ status }: Run): boolean => status === 'ASKED' || status === 'RUNNING'

export const runsQuery = (query: ListQuery) =>
  queryOptions({
    queryKey: [RUNS, 'list', query],
    queryFn: ({ signal }) =>
      api.askList(staffCall('POST', '/admin/jobs/search', {}, pagingOf(query)), {
        signal,
        body: { query: query.text, filters: TABS[tabOf(query.tab)] },
      }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.items.some(isUnderWay) ? AGAIN_MS : false),
  })

export const runQuery = (id: string) =>
  queryOptions({
    queryKey: [RUNS, 'one', id],
    queryFn: ({ signal }) => api.ask(staffCall('GET', '/admin/jobs/:id', { id }), { signal }),
    refetchInterval: ({ state }) => (state.data && isUnderWay(state.data) ? AGAIN_MS : false),
  })

/** Has it done once more, and shows that it is. */
export async function askForRun(work: Run['work']): Promise<Run> {
  const asked = await api.ask(staffCall('POST', '/admin/jobs/run'), { body: { work } })
  void queries.invalidateQueries({ queryKey: [RUNS] })
  return asked
}
