import { Bar } from '@kvitt/office/frame/bar.tsx'
import { useKeys } from '@kvitt/office/keys/keys.ts'
import { DataTable, type Column } from '@kvitt/office/list/data-table.tsx'
import { ListWaiting, NothingLeft } from '@kvitt/office/list/list-states.tsx'
import { Tabs } from '@kvitt/office/list/tabs.tsx'
import { useRowKeys } from '@kvitt/office/list/use-list.ts'
import { BlockFailed } from '@kvitt/office/parts/block-failed.tsx'
import { dayText } from '@kvitt/office/parts/day-words.ts'
import { Figure } from '@kvitt/office/parts/figure.tsx'
import { OfficeLink } from '@kvitt/office/parts/office-button.tsx'
import { Panels } from '@kvitt/office/frame/panels.tsx'
import { hashOf, usePlace } from '@kvitt/office/place.ts'
import { formatDay } from '@kvitt/ui/date-text.ts'
import { minorOf } from '@kvitt/ui/minor-of.ts'
import { goTo } from '@kvitt/ui/routes.ts'
import { useQuery } from '@tanstack/react-query'
import { creditorColumns } from '../debts/columns.tsx'
import { useMayDraft } from '../shell/me.ts'
import { useWaiting } from '../shell/later.ts'
import { TASKS_VIEW } from '../shell/portal.ts'
import { todayQuery } from '../shell/today.ts'
import { usePageName } from '../shell/use-page-name.ts'
import { t } from '../text.ts'
import { deedOf, groupOf } from './task-groups.ts'
import { asideQuery, taskQuery, tasksQuery, type Task } from './task-calls.ts'
import { TaskPanel } from './task-panel-page.tsx'

/** The tab of what is put aside; no kind is called that. */
const ASIDE = 'aside'

const NEW = hashOf({ view: 'invoices', id: 'new' })

function columnsFor(today: string): readonly Column<Task>[] {
  return [
    { id: 'what', head: t('todo.what'), look: 'text', inRow: 'title', cell: ({ kind }) => t(deedOf(kind)) },
    { id: 'who', head: t('todo.who'), inRow: 'below', cell: ({ debtor }) => debtor?.name ?? '–' },
    ...creditorColumns(),
    {
      id: 'reference',
      head: t('todo.number'),
      look: 'quiet',
      inRow: 'below',
      cell: ({ subject }) => subject.number ?? '',
    },
    {
      id: 'amount',
      head: t('act.amount'),
      align: 'end',
      inRow: 'amount',
      cell: ({ amount, currency }) =>
        amount === null || currency === null ? '–' : <Figure minor={minorOf(amount)} currency={currency} />,
    },
    {
      id: 'deadline',
      head: t('todo.deadline'),
      inRow: 'below',
      cell: ({ deadline }) => (deadline === null ? '–' : dayText(deadline, today)),
    },
    {
      id: 'assignee',
      head: t('todo.assignee'),
      look: 'quiet',
      inRow: 'below',
      cell: ({ assigneeName }) => assigneeName ?? '',
    },
  ]
}

/** What waits for somebody, by when; the open one stands beside the list. */
export default function ToDoPage({ id }: { id: string }) {
  usePageName(t('view.todo'))
  const found = useQuery(tasksQuery)
  const day = useQuery(todayQuery)
  const { query } = usePlace()
  const mayWrite = useMayDraft()
  useKeys({ n: mayWrite ? () => goTo(NEW) : undefined })
  // What is answered in a moment asks for nothing.
  const waiting = useWaiting()
  const tasks = (found.data?.items ?? []).filter(({ subject }) => !waiting.has(subject.id))
  const aside = useQuery(asideQuery).data?.items ?? []
  const today = day.data ?? ''
  const tab = query['tab'] ?? ''
  const rows = tab === ASIDE ? aside : tasks.filter(({ kind }) => tab === '' || kind === tab)
  const hrefOf = (task: string) => hashOf({ view: TASKS_VIEW, id: task }, { tab })
  const close = () => goTo(hashOf({ view: TASKS_VIEW }, { tab }))
  const at = rows.findIndex((task) => task.id === id)
  const resting = useResting(id, found.data !== undefined && at < 0)
  const open = rows[at] ?? resting
  const next = rows[at + 1] ?? rows[at - 1]
  return (
    <>
      <Bar
        title={t('view.todo')}
        facts={today && formatDay(today, 'weekday')}
        actions={
          mayWrite && (
            <OfficeLink href={NEW} look="primary" icon="plus" cap="N">
              {t('draft.title')}
            </OfficeLink>
          )
        }
      />
      <KindTabs tasks={tasks} aside={aside.length} current={tab} />
      {found.isError && <BlockFailed error={found.error} onRetry={() => void found.refetch()} />}
      {found.isPending && <ListWaiting />}
      {found.data && rows.length === 0 && !open && (
        <NothingLeft title={t('todo.all_done')}>
          <p>{t('todo.all_done_text')}</p>
          <OfficeLink href={hashOf({ view: 'invoices' })}>{t('view.invoices')}</OfficeLink>
        </NothingLeft>
      )}
      {(rows.length > 0 || open) && (
        <Panels
          panel={
            open && (
              <TaskPanel
                key={open.id}
                task={open}
                today={today}
                {...(at < 0 ? {} : { place: t('todo.place', { n: at + 1, all: rows.length }) })}
                onClose={close}
                onDone={() => (next ? goTo(hrefOf(next.id)) : close())}
              />
            )
          }
        >
          <TaskTable rows={rows} today={today} openId={id} hrefOf={hrefOf} />
        </Panels>
      )}
    </>
  )
}

/** What rests stands in no list: whoever has its address reads why. */
function useResting(id: string, isElsewhere: boolean): Task | undefined {
  const { data } = useQuery({ ...taskQuery(id), enabled: id !== '' && isElsewhere })
  return isElsewhere && data?.state === 'RESTING' ? data : undefined
}

type TaskTableProps = {
  rows: readonly Task[]
  today: string
  openId: string
  hrefOf: (id: string) => string
}

function TaskTable({ rows, today, openId, hrefOf }: TaskTableProps) {
  const ids = rows.map(({ id }) => id)
  const current = useRowKeys({ ids, hrefOf, openId })
  return (
    <DataTable
      label={t('view.todo')}
      columns={columnsFor(today)}
      rows={rows}
      idOf={({ id }) => id}
      hrefOf={({ id }) => hrefOf(id)}
      nameOf={({ kind }) => t(deedOf(kind))}
      groupOf={({ deadline }) => t(groupOf(deadline, today))}
      currentId={current ?? openId}
    />
  )
}

type KindTabsProps = { tasks: readonly Task[]; aside: number; current: string }

function KindTabs({ tasks, aside, current }: KindTabsProps) {
  const kinds = [...new Set(tasks.map(({ kind }) => kind as string))]
  const tabs = [
    { id: '', text: t('list.all'), count: tasks.length },
    ...kinds.map((kind) => ({
      id: kind,
      text: t(deedOf(kind)),
      count: tasks.filter((task) => task.kind === kind).length,
    })),
    ...(aside > 0 || current === ASIDE ? [{ id: ASIDE, text: t('todo.aside'), count: aside }] : []),
  ]
  return (
    <Tabs
      label={t('list.filters')}
      tabs={tabs}
      current={current}
      hrefOf={(tab) => hashOf({ view: TASKS_VIEW }, { tab })}
    />
  )
}
