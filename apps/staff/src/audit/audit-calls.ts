import type { AnswerOf } from '@kvitt/domain/contract.ts'
import type { searchAudit } from '@kvitt/domain/audit/audit-log.contract.ts'
import { staffCall } from '@kvitt/office/calls.ts'
import type { FetchList } from '@kvitt/office/list/export-menu.tsx'
import { pagingOf, type ListQuery } from '@kvitt/office/list/list-query.ts'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api } from '../calls.ts'

export type AuditEntry = AnswerOf<typeof searchAudit>[number]

const AUDIT = 'audit'

/** What each tab shows. The first is the one that opens. */
export const TABS = { deeds: { log: 'DEEDS' }, access: { log: 'ACCESS' } } as const
export type AuditTab = keyof typeof TABS

export function tabOf(text: string): AuditTab {
  return Object.hasOwn(TABS, text) ? (text as AuditTab) : 'deeds'
}

/** What the address of the view may ask besides. */
export const FILTERS = ['from', 'to', 'kind', 'actor', 'about'] as const

const asked = ({ text, tab, filters }: ListQuery) => {
  const { from = null, to = null, ...exact } = filters
  const days = from === null && to === null ? {} : { at: { from, to } }
  return { query: text, filters: { ...TABS[tabOf(tab)], ...exact, ...days } }
}

/** All that is found, as the kind of file that the headers accept. */
export const fetchAudit =
  (query: ListQuery): FetchList =>
  (headers) =>
    api.fetchFile(staffCall('POST', '/admin/audit/search', {}, pagingOf(query)), {
      headers,
      body: asked(query),
    })

export const auditQuery = (query: ListQuery) =>
  queryOptions({
    queryKey: [AUDIT, 'list', query],
    queryFn: ({ signal }) =>
      api.askList(staffCall('POST', '/admin/audit/search', {}, pagingOf(query)), {
        signal,
        body: asked(query),
      }),
    placeholderData: keepPreviousData,
  })

/** Compares the logs with what was written down outside the database. */
export const compareAudit = () => api.ask(staffCall('POST', '/admin/audit/compare'))

/** Looks at every entry of both logs. */
export const verifyAudit = () => api.ask(staffCall('GET', '/admin/audit/verify'))
