import { Bar } from '@kvitt/office/frame/bar.tsx'
import { Panels } from '@kvitt/office/frame/panels.tsx'
import { DataTable, type Column } from '@kvitt/office/list/data-table.tsx'
import { ListFoot } from '@kvitt/office/list/list-foot.tsx'
import { ListWaiting, NothingLeft } from '@kvitt/office/list/list-states.tsx'
import { Tabs } from '@kvitt/office/list/tabs.tsx'
import { useListState, useRowKeys } from '@kvitt/office/list/use-list.ts'
import { BlockFailed } from '@kvitt/office/parts/block-failed.tsx'
import { Chip, type ChipTone } from '@kvitt/office/parts/chip.tsx'
import { dayText } from '@kvitt/office/parts/day-words.ts'
import { hashOf, usePlace } from '@kvitt/office/place.ts'
import { goTo } from '@kvitt/ui/routes.ts'
import { useQuery } from '@tanstack/react-query'
import css from '../shell/case.module.css'
import { creditorColumns } from '../debts/columns.tsx'
import { todayQuery } from '../shell/today.ts'
import { usePageName } from '../shell/use-page-name.ts'
import { t } from '../text.ts'
import { ConversationCase } from './conversation-case.tsx'
import { wishText } from './request-texts.ts'
import {
  conversationsQuery,
  tabOf,
  TABS,
  type Conversation,
  type ConversationTab,
} from './conversation-calls.ts'

const TONES: Readonly<Record<Conversation['status'], ChipTone>> = {
  OPEN: 'info',
  COUNTERED: 'neutral',
  ANSWERED: 'ok',
  ENDED: 'neutral',
}

function columnsFor(today: string): readonly Column<Conversation>[] {
  return [
    {
      id: 'what',
      head: t('todo.what'),
      inRow: 'title',
      cell: ({ kind }) => t(`conversation.kind.${kind}`),
    },
    { id: 'debtor', head: t('invoice.debtor'), inRow: 'below', cell: ({ debtor }) => debtor.name },
    ...creditorColumns(),
    {
      id: 'last',
      head: t('conversation.last'),
      look: 'quiet',
      inRow: 'below',
      // A request needs no words beside what it asks for.
      cell: (row) => <span className={css.line}>{row.last.text || wishText(row)}</span>,
    },
    {
      id: 'subject',
      head: t('conversation.about'),
      cell: ({ subject: { type, number } }) =>
        t(type === 'invoices' ? 'dispute.of_invoice' : 'dispute.of_claim', { number }),
    },
    {
      id: 'asked',
      head: t('dispute.opened'),
      orderBy: 'askedOn',
      look: 'quiet',
      cell: ({ askedOn }) => dayText(askedOn, today),
    },
    {
      id: 'deadline',
      head: t('todo.deadline'),
      inRow: 'below',
      cell: ({ deadline }) => (deadline ? dayText(deadline, today) : '–'),
    },
    {
      id: 'status',
      head: t('invoice.status'),
      inRow: 'below',
      cell: ({ status }) => <Chip tone={TONES[status]}>{t(`conversation.status.${status}`)}</Chip>,
    },
  ]
}

/** All that debtors ask; the open one stands beside the list. */
export default function ConversationsPage({ id }: { id: string }) {
  usePageName(t('view.conversations'))
  const { query, change, sort, hrefOfTab } = useListState()
  const place = usePlace()
  const found = useQuery(conversationsQuery(query))
  const today = useQuery(todayQuery).data ?? ''
  const rows = found.data?.items ?? []
  const hrefOf = (conversation: string) => hashOf({ view: 'conversations', id: conversation }, place.query)
  const currentId = useRowKeys({ ids: rows.map((row) => row.id), hrefOf, openId: id })
  const close = () => goTo(hashOf({ view: 'conversations' }, place.query))
  const names = Object.keys(TABS) as ConversationTab[]
  return (
    <>
      <Bar title={t('view.conversations')} />
      <Tabs
        label={t('list.filters')}
        tabs={names.map((tab) => ({ id: tab, text: t(`disputes.tab.${tab}`) }))}
        current={tabOf(query.tab)}
        hrefOf={hrefOfTab}
      />
      {found.isError && <BlockFailed error={found.error} onRetry={() => void found.refetch()} />}
      {found.isPending && <ListWaiting />}
      {found.data && rows.length === 0 && id === '' && <NothingLeft title={t('conversations.none')} />}
      {(rows.length > 0 || id !== '') && (
        <Panels
          panel={
            id !== '' && <ConversationCase key={id} id={id} today={today} onClose={close} onDone={close} />
          }
        >
          <DataTable
            label={t('view.conversations')}
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
        <ListFoot query={query} total={found.data.total} label={t('view.conversations')} onChange={change} />
      )}
    </>
  )
}
