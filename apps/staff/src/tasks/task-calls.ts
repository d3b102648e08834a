import type { AnswerOf } from '@kvitt/domain/contract.ts'
import type { searchOfficeTasks } from '@kvitt/domain/tasks/office-task.contract.ts'
import { staffCall } from '@kvitt/office/calls.ts'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../calls.ts'

export type Task = AnswerOf<typeof searchOfficeTasks>[number]

const TASKS = 'tasks'
/** As many as are shown: whoever has more begins at the top. */
const MOST = '100'

const tasksIn = (state: 'OPEN' | 'SNOOZED') =>
  queryOptions({
    queryKey: [TASKS, state],
    queryFn: ({ signal }) =>
      api.askList(
        staffCall('POST', '/client/tasks/search', {}, { limit: MOST, orderBy: 'deadline', order: 'asc' }),
        { signal, body: { filters: { state } } },
      ),
    refetchInterval: 60_000,
  })

/** Everything that is to do now, what is due first in front. */
export const tasksQuery = tasksIn('OPEN')

/** What somebody has put aside. */
export const asideQuery = tasksIn('SNOOZED')

/** How much there is to do now. */
export const openTasksQuery = queryOptions({
  ...tasksQuery,
  select: ({ total }: { readonly total: number }) => total,
})

/** One of them with its notes. */
export const taskQuery = (id: string) =>
  queryOptions({
    queryKey: [TASKS, 'one', id],
    queryFn: ({ signal }) => api.ask(staffCall('GET', '/client/tasks/:id', { id }), { signal }),
  })
