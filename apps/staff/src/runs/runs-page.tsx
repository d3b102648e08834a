import { Bar } from '@kvitt/office/frame/bar.tsx'
import { Panels } from '@kvitt/office/frame/panels.tsx'
import { ActDialog } from '@kvitt/office/form/act-dialog.tsx'
import { DataTable, type Column } from '@kvitt/office/list/data-table.tsx'
import { ListFoot } from '@kvitt/office/list/list-foot.tsx'
import { ListWaiting, NothingLeft } from '@kvitt/office/list/list-states.tsx'
import { Tabs } from '@kvitt/office/list/tabs.tsx'
import { useListState, useRowKeys } from '@kvitt/office/list/use-list.ts'
import { BlockFailed } from '@kvitt/office/parts/block-failed.tsx'
import { dayText } from '@kvitt/office/parts/day-words.ts'
import { momentText } from '@kvitt/office/parts/moment-text.ts'
import { OfficeButton } from '@kvitt/office/parts/office-button.tsx'
import { hashOf, usePlace } from '@kvitt/office/place.ts'
import { goTo } from '@kvitt/ui/routes.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useRight } from '../shell/me.ts'
import { todayQuery } from '../shell/today.ts'
import { usePageName } from '../shell/use-page-name.ts'
import { t } from '../text.ts'
import { askForRun, runsQuery, tabOf, TABS, type Run, type RunTab } from './run-calls.ts'
import { runForm } from './run-form.ts'
import { RunPanel } from './run-panel.tsx'
import { doneText, RunChip, tookText } from './run-words.tsx'

const columnsFor = (today: string, isNarrow: boolean): readonly Column<Run>[] => [
  { id: 'work', head: t('run.work'), inRow: 'title', cell: ({ work }) => t(`run.work.${work}`) },
  {
    id: 'day',
    head: t('run.day'),
    orderBy: 'day',
    inRow: 'below',
    cell: ({ day }) => dayText(day, today),
  },
  {
    id: 'status',
    head: t('invoice.status'),
    inRow: 'amount',
    cell: ({ status }) => <RunChip status={status} />,
  },
  ...(isNarrow
    ? []
    : [{ id: 'done', head: t('run.done'), inRow: 'below', cell: doneText } satisfies Column<Run>]),
  {
    id: 'left',
    head: t('run.left'),
    align: 'end',
    cell: ({ quarantined }) => (quarantined.length > 0 ? String(quarantined.length) : '–'),
  },
  {
    id: 'started',
    head: t('run.started'),
    orderBy: 'startedAt',
    look: 'quiet',
    cell: ({ startedAt }) => (startedAt === null ? '–' : momentText(startedAt)),
  },
  {
    id: 'took',
    head: t('run.took'),
    orderBy: 'tookMs',
    align: 'end',
    look: 'quiet',
    cell: ({ tookMs }) => tookText(tookMs),
  },
]

const NAMES = Object.keys(TABS) as RunTab[]

/** What ran by itself, the newest first; the open one stands beside the list. */
export default function RunsPage({ id }: { id: string }) {
  usePageName(t('view.jobs'))
  const { query, change, sort, hrefOfTab } = useListState()
  const place = usePlace()
  const found = useQuery(runsQuery(query))
  const today = useQuery(todayQuery).data ?? ''
  const [asking, setAsking] = useState<Run['work']>()
  const may = useRight('run_jobs')
  const rows = found.data?.items ?? []
  const hrefOf = (run: string) => hashOf({ view: 'jobs', id: run }, place.query)
  const close = () => goTo(hashOf({ view: 'jobs' }, place.query))
  const currentId = useRowKeys({ ids: rows.map((row) => row.id), hrefOf, openId: id })
  const tab = tabOf(query.tab)
  return (
    <>
      <Bar
        title={t('view.jobs')}
        actions={may && <OfficeButton onClick={() => setAsking('DAILY_RUN')}>{t('run.again')}</OfficeButton>}
      />
      <Tabs
        label={t('list.filters')}
        tabs={NAMES.map((name) => ({ id: name, text: t(`run.tab.${name}`) }))}
        current={tab}
        hrefOf={hrefOfTab}
      />
      {found.isError && <BlockFailed error={found.error} onRetry={() => void found.refetch()} />}
      {found.isPending && <ListWaiting />}
      {found.data && rows.length === 0 && id === '' && (
        <NothingLeft title={t(tab === 'all' ? 'run.none' : 'run.none_here')} />
      )}
      {(rows.length > 0 || id !== '') && (
        <Panels
          panel={
            id !== '' && (
              <RunPanel
                key={id}
                id={id}
                today={today}
                onClose={close}
                onAgain={may ? setAsking : undefined}
              />
            )
          }
        >
          {rows.length > 0 && (
            <DataTable
              label={t('view.jobs')}
              columns={columnsFor(today, id !== '')}
              rows={rows}
              idOf={(row) => row.id}
              hrefOf={(row) => hrefOf(row.id)}
              nameOf={({ work, day }) => `${t(`run.work.${work}`)} ${day}`}
              query={query}
              onSort={sort}
              currentId={currentId}
            />
          )}
        </Panels>
      )}
      {found.data && (
        <ListFoot query={query} total={found.data.total} label={t('view.jobs')} onChange={change} />
      )}
      {asking && (
        <ActDialog
          form={runForm(asking)}
          onCommit={async ({ work }) => {
            const asked = await askForRun(work as Run['work'])
            goTo(hrefOf(asked.id))
          }}
          onClose={() => setAsking(undefined)}
          onDone={() => setAsking(undefined)}
        />
      )}
    </>
  )
}
