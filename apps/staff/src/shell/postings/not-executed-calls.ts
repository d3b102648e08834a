import { staffCall } from '@kvitt/office/calls.ts'
import { queryOptions } from '@tanstack/react-query'
import { api, queries } from '../../calls.ts'

/** What it would write in the books that these rows were not executed. */
export const notExecutedQuery = (file: string, rows: readonly string[]) =>
  queryOptions({
    queryKey: ['not-executed', file, rows],
    queryFn: ({ signal }) =>
      api.ask(staffCall('POST', '/admin/payouts/:id/preview-not-executed', { id: file }), {
        signal,
        body: { payouts: [...rows] },
      }),
    retry: false,
    meta: { isSilent: true },
  })

export const proposeNotExecuted = (file: string, rows: readonly string[]) =>
  api.ask(staffCall('POST', '/admin/payouts/:id/not-executed', { id: file }), {
    body: { payouts: [...rows] },
  })

/** What has moved stands in files, refunds, proposals and tasks too. */
export const reloadAll = (): void =>
  void queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'me' })
