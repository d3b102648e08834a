import { formatCount } from '@kvitt/ui/count-text.ts'
import type { ReactNode } from 'react'
import { Bar } from '../frame/bar.tsx'
import { BlockFailed } from '../parts/block-failed.tsx'
import { t } from '../text.ts'
import { DataTable, type Column, type Selection } from './data-table.tsx'
import { ExportMenu, type FetchList } from './export-menu.tsx'
import { ListFoot } from './list-foot.tsx'
import { ListWaiting, NothingFound, NothingLeft } from './list-states.tsx'
import { ListTools } from './list-tools.tsx'
import { Tabs } from './tabs.tsx'
import { useRowKeys, type ListState } from './use-list.ts'

/** As much of a query as a list looks at. */
type Found<Row> = {
  readonly data: { readonly items: readonly Row[]; readonly total: number } | undefined
  readonly isPending: boolean
  readonly error: Error | null
  readonly refetch: () => Promise<unknown>
}

type ListViewProps<Row> = {
  title: string
  /** Said when there is nothing, and nobody has searched. */
  none: string
  placeholder: string
  tabs: readonly { readonly id: string; readonly text: string }[]
  tab: string
  state: ListState
  found: Found<Row>
  columns: readonly Column<Row>[]
  idOf: (row: Row) => string
  hrefOf: (row: Row) => string
  nameOf: (row: Row) => string
  actions?: ReactNode
  /** What all of it comes to, above the rows. */
  lead?: ReactNode
  selection?: Selection
  /** What can be done with what is selected. */
  bulk?: ReactNode
  /** Fetches all that is found as a file. */
  fetchList?: FetchList
}

/** A whole view of rows of one kind: filtered, searched, ordered and paged by the server. */
export function ListView<Row>(props: ListViewProps<Row>) {
  const { title, none, placeholder, tabs, tab, found, columns, idOf, hrefOf, nameOf, actions } = props
  const { query, change, sort, hrefOfTab } = props.state
  const rows = found.data?.items ?? []
  const hrefs = new Map(rows.map((row) => [idOf(row), hrefOf(row)]))
  const currentId = useRowKeys({
    ids: [...hrefs.keys()],
    hrefOf: (id) => hrefs.get(id) ?? '',
    selection: props.selection,
  })
  return (
    <>
      <Bar title={title} facts={found.data && formatCount(found.data.total)} actions={actions} />
      {props.lead}
      <Tabs label={t('list.filters')} tabs={tabs} current={tab} hrefOf={hrefOfTab} />
      <ListTools
        text={query.text}
        placeholder={placeholder}
        onText={(text) => text !== query.text && change({ text })}
        more={props.fetchList && <ExportMenu fetchList={props.fetchList} name={title} />}
      />
      {found.error && <BlockFailed error={found.error} onRetry={() => void found.refetch()} />}
      {found.isPending && <ListWaiting />}
      {rows.length > 0 && (
        <DataTable
          label={title}
          columns={columns}
          rows={rows}
          idOf={idOf}
          hrefOf={hrefOf}
          nameOf={nameOf}
          query={query}
          onSort={sort}
          selection={props.selection}
          currentId={currentId}
        />
      )}
      {found.data && rows.length === 0 && query.text !== '' && (
        <NothingFound onClear={() => change({ text: '' })} />
      )}
      {found.data && rows.length === 0 && query.text === '' && <NothingLeft title={none} />}
      {props.bulk}
      {found.data && <ListFoot query={query} total={found.data.total} label={title} onChange={change} />}
    </>
  )
}
