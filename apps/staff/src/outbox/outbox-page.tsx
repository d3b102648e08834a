import { Bar } from '@kvitt/office/frame/bar.tsx'
import { Panels } from '@kvitt/office/frame/panels.tsx'
import { DataTable, type Column } from '@kvitt/office/list/data-table.tsx'
import { ListFoot } from '@kvitt/office/list/list-foot.tsx'
import { ListWaiting, NothingFound, NothingLeft } from '@kvitt/office/list/list-states.tsx'
import { ListTools } from '@kvitt/office/list/list-tools.tsx'
import { Tabs } from '@kvitt/office/list/tabs.tsx'
import { useListState, useRowKeys } from '@kvitt/office/list/use-list.ts'
import { BlockFailed } from '@kvitt/office/parts/block-failed.tsx'
import { momentText } from '@kvitt/office/parts/moment-text.ts'
import { hashOf, usePlace } from '@kvitt/office/place.ts'
import { formatCount } from '@kvitt/ui/count-text.ts'
import { goTo } from '@kvitt/ui/routes.ts'
import { useQuery } from '@tanstack/react-query'
import { usePageName } from '../shell/use-page-name.ts'
import { t } from '../text.ts'
import { MessageChip, MessagePanel, wayText } from './message-panel.tsx'
import {
  outboxQuery,
  printQueueQuery,
  tabOf,
  TABS,
  type OutboxMessage,
  type OutboxTab,
} from './outbox-calls.ts'
import css from './outbox.module.css'

const columnsFor = (isNarrow: boolean): readonly Column<OutboxMessage>[] => [
  {
    id: 'subject',
    head: t('outbox.message'),
    orderBy: 'kind',
    inRow: 'title',
    cell: ({ subject }) => subject,
  },
  {
    id: 'who',
    head: t('outbox.to'),
    orderBy: 'debtor.name',
    inRow: 'below',
    cell: ({ debtor, recipient }) => debtor?.name ?? recipient ?? '–',
  },
  {
    id: 'status',
    head: t('invoice.status'),
    inRow: 'amount',
    cell: ({ status }) => <MessageChip status={status} />,
  },
  {
    id: 'way',
    head: t('outbox.way'),
    inRow: 'below',
    cell: ({ channel, error, status }) =>
      status !== 'SENT' && error ? `${wayText(channel)}: ${error}` : wayText(channel),
  },
  ...(isNarrow
    ? []
    : ([
        {
          id: 'tries',
          head: t('outbox.tried'),
          align: 'end',
          look: 'quiet',
          cell: ({ tries }) => formatCount(tries),
        },
        {
          id: 'number',
          head: t('todo.number'),
          look: 'quiet',
          cell: ({ debt }) => debt?.number ?? '–',
        },
      ] satisfies readonly Column<OutboxMessage>[])),
  {
    id: 'written',
    head: t('outbox.written'),
    orderBy: 'createdAt',
    look: 'quiet',
    cell: ({ createdAt }) => momentText(createdAt),
  },
]

const NAMES = Object.keys(TABS) as OutboxTab[]

/** Every message and how it got there; the open one stands beside the list. */
export default function OutboxPage({ id }: { id: string }) {
  usePageName(t('view.outbox'))
  const { query, change, sort, hrefOfTab } = useListState()
  const place = usePlace()
  const found = useQuery(outboxQuery(query))
  const rows = found.data?.items ?? []
  const hrefOf = (message: string) => hashOf({ view: 'outbox', id: message }, place.query)
  const close = () => goTo(hashOf({ view: 'outbox' }, place.query))
  const currentId = useRowKeys({ ids: rows.map((row) => row.id), hrefOf, openId: id })
  const tab = tabOf(query.tab)
  return (
    <>
      <Bar title={t('view.outbox')} facts={found.data && formatCount(found.data.total)} />
      <Tabs
        label={t('list.filters')}
        tabs={NAMES.map((name) => ({ id: name, text: t(`outbox.tab.${name}`) }))}
        current={tab}
        hrefOf={hrefOfTab}
      />
      {tab === 'letters' && <PrintQueue />}
      <ListTools
        text={query.text}
        placeholder={t('outbox.search')}
        onText={(text) => text !== query.text && change({ text })}
      />
      {found.isError && <BlockFailed error={found.error} onRetry={() => void found.refetch()} />}
      {found.isPending && <ListWaiting />}
      {(rows.length > 0 || id !== '') && (
        <Panels
          panel={
            id !== '' && (
              <MessagePanel key={id} id={id} onClose={close} onMade={(made) => goTo(hrefOf(made))} />
            )
          }
        >
          {rows.length > 0 && (
            <DataTable
              label={t('view.outbox')}
              columns={columnsFor(id !== '')}
              rows={rows}
              idOf={(row) => row.id}
              hrefOf={(row) => hrefOf(row.id)}
              nameOf={({ subject, debtor }) => [subject, debtor?.name].filter(Boolean).join(', ')}
              query={query}
              onSort={sort}
              currentId={currentId}
            />
          )}
        </Panels>
      )}
      {found.data && rows.length === 0 && query.text !== '' && (
        <NothingFound onClear={() => change({ text: '' })} />
      )}
      {found.data && rows.length === 0 && query.text === '' && id === '' && (
        <NothingLeft title={t(tab === 'failed' ? 'outbox.none_failed' : 'outbox.none')} />
      )}
      {found.data && (
        <ListFoot query={query} total={found.data.total} label={t('view.outbox')} onChange={change} />
      )}
    </>
  )
}

/** What lies in the folder that the printer empties. */
function PrintQueue() {
  const queue = useQuery(printQueueQuery).data
  if (!queue) return null
  const { isConfigured, letters, oldestAt } = queue
  return (
    <p className={css.queue}>
      {!isConfigured
        ? t('outbox.no_printer')
        : letters === 0
          ? t('outbox.print_queue_empty')
          : t('outbox.print_queue', {
              n: formatCount(letters),
              since: oldestAt ? momentText(oldestAt) : '–',
            })}
    </p>
  )
}
