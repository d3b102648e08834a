/** A list of cases by tabs, and the open one beside it: what disputes and conversations have in common. */
import { Bar } from '@kvitt/office/frame/bar.tsx'
import { Panels } from '@kvitt/office/frame/panels.tsx'
import { DataTable, type Column } from '@kvitt/office/list/data-table.tsx'
import { ListFoot } from '@kvitt/office/list/list-foot.tsx'
import type { ListQuery } from '@kvitt/office/list/list-query.ts'
import { ListWaiting, NothingLeft } from '@kvitt/office/list/list-states.tsx'
import { Tabs } from '@kvitt/office/list/tabs.tsx'
import { useListState, useRowKeys } from '@kvitt/office/list/use-list.ts'
import { BlockFailed } from '@kvitt/office/parts/block-failed.tsx'
import { hashOf, usePlace } from '@kvitt/office/place.ts'
import { goTo } from '@kvitt/ui/routes.ts'
import { useQuery, type UseQueryOptions } from '@tanstack/react-query'
import type { ComponentType } from 'react'
import { t } from '../../text.ts'
import { todayQuery } from '../today.ts'
import { usePageName } from '../use-page-name.ts'

type Row = { readonly id: string; readonly subject: { readonly number: string } }

/** What a case needs to show itself. */
type OpenCase = {
  readonly id: string
  readonly today: string
  readonly onClose: () => void
  readonly onDone: () => void
}

type CaseListProps<
  One extends Row,
  Found extends { readonly items: readonly One[]; readonly total: number },
> = {
  view: 'conversations' | 'disputes'
  /** Of the case that is open; empty when none is. */
  id: string
  tabs: readonly { readonly id: string; readonly text: string }[]
  tabOf: (asked: string) => string
  // oxlint-disable-next-line typescript/no-explicit-any -- a key of a query is of any kind
  listQuery: (query: ListQuery) => UseQueryOptions<Found, Error, Found, any>
  columnsFor: (today: string) => readonly Column<One>[]
  /** What is said when the list is empty. */
  none: string
  Case: ComponentType<OpenCase>
}

export function CaseList<
  One extends Row,
  Found extends { readonly items: readonly One[]; readonly total: number },
>({ view, id, tabs, tabOf, listQuery, columnsFor, none, Case }: CaseListProps<One, Found>) {
  const title = t(`view.${view}`)
  usePageName(title)
  const { query, change, sort, hrefOfTab } = useListState()
  const place = usePlace()
  const found = useQuery(listQuery(query))
  const today = useQuery(todayQuery).data ?? ''
  const rows = found.data?.items ?? []
  const hrefOf = (one: string) => hashOf({ view, id: one }, place.query)
  const currentId = useRowKeys({ ids: rows.map((row) => row.id), hrefOf, openId: id })
  const close = () => goTo(hashOf({ view }, place.query))
  return (
    <>
      <Bar title={title} />
      <Tabs label={t('list.filters')} tabs={tabs} current={tabOf(query.tab)} hrefOf={hrefOfTab} />
      {found.isError && <BlockFailed error={found.error} onRetry={() => void found.refetch()} />}
      {found.isPending && <ListWaiting />}
      {found.data && rows.length === 0 && id === '' && <NothingLeft title={none} />}
      {(rows.length > 0 || id !== '') && (
        <Panels panel={id !== '' && <Case key={id} id={id} today={today} onClose={close} onDone={close} />}>
          <DataTable
            label={title}
            columns={columnsFor(today)}
            rows={rows}
            idOf={(row) => row.id}
            hrefOf={(row) => hrefOf(row.id)}
            nameOf={({ subject }) => subject.number}
            query={query}
            onSort={sort}
            currentId={currentId}
          />
        </Panels>
      )}
      {found.data && id === '' && (
        <ListFoot query={query} total={found.data.total} label={title} onChange={change} />
      )}
    </>
  )
}
