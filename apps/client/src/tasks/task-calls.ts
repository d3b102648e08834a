import type { AnswerOf } from '@kvitt/domain/contract.ts'
import type { searchOfficeTasks } from '@kvitt/domain/tasks/office-task.contract.ts'
import { staffCall } from '@kvitt/office/calls.ts'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../calls.ts'

export type Task = AnswerOf<typeof searchOfficeTasks>[number]

const TASKS = 'tasks'
/** As many as are shown: whoever has more begins at the top. */
const MOST = '100'

/** Everything that is to do now, what is due first in front. */
export const tasksQuery = queryOptions({
  queryKey: [TASKS, 'open'],
  queryFn: ({ signal }) =>
    api.askList(
      staffCall('POST', '/client/tasks/search', {}, { limit: MOST, orderBy: 'deadline', order: 'asc' }),
      { signal, body: { filters: { state: 'OPEN' } } },
    ),
  refetchInterval: 60_000,
})

/** How much that is. */
export const openTasksQuery = queryOptions({
  ...tasksQuery,
  select: ({ total }: { readonly total: number }) => total,
})
