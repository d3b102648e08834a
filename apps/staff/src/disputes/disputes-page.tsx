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
import { Figure } from '@kvitt/office/parts/figure.tsx'
import { hashOf, usePlace } from '@kvitt/office/place.ts'
import { minorOf } from '@kvitt/ui/minor-of.ts'
import { goTo } from '@kvitt/ui/routes.ts'
import { useQuery } from '@tanstack/react-query'
import { creditorColumns } from '../debts/columns.tsx'
import { todayQuery } from '../shell/today.ts'
import { usePageName } from '../shell/use-page-name.ts'
import { t } from '../text.ts'
import { DisputeCase } from './dispute-case.tsx'
import { disputesQuery, tabOf, TABS, type Dispute, type DisputeTab } from './dispute-calls.ts'

const TONES: Readonly<Record<Dispute['status'], ChipTone>> = {
  OPEN: 'info',
  UPHELD: 'accent',
  UPHELD_PART: 'accent',
  REJECTED: 'neutral',
  PAID: 'ok',
  STOPPED: 'neutral',
}

function columnsFor(today: string): readonly Column<Dispute>[] {
  return [
    {
      id: 'subject',
      head: t('dispute.subject'),
      inRow: 'title',
      cell: ({ subject: { type, number } }) =>
        t(type === 'invoices' ? 'dispute.of_invoice' : 'dispute.of_claim', { number }),
    },
    { id: 'debtor', head: t('invoice.debtor'), inRow: 'below', cell: ({ debtor }) => debtor.name },
    ...creditorColumns(),
    {
      id: 'opened',
      head: t('dispute.opened'),
      orderBy: 'openedOn',
      look: 'quiet',
      cell: ({ openedOn }) => dayText(openedOn, today),
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
      cell: ({ status }) => <Chip tone={TONES[status]}>{t(`dispute.status.${status}`)}</Chip>,
    },
    {
      id: 'balance',
      head: t('invoice.balance'),
      align: 'end',
      look: 'strong',
      inRow: 'amount',
      cell: ({ balances, currency }) => <Figure minor={minorOf(balances.total)} currency={currency} />,
    },
  ]
}

/** All disputes; the open one stands beside the list. */
export default function DisputesPage({ id }: { id: string }) {
  usePageName(t('view.disputes'))
  const { query, change, sort, hrefOfTab } = useListState()
  const place = usePlace()
  const found = useQuery(disputesQuery(query))
  const today = useQuery(todayQuery).data ?? ''
  const rows = found.data?.items ?? []
  const hrefOf = (dispute: string) => hashOf({ view: 'disputes', id: dispute }, place.query)
  const currentId = useRowKeys({ ids: rows.map((row) => row.id), hrefOf, openId: id })
  const close = () => goTo(hashOf({ view: 'disputes' }, place.query))
  const names = Object.keys(TABS) as DisputeTab[]
  return (
    <>
      <Bar title={t('view.disputes')} />
      <Tabs
        label={t('list.filters')}
        tabs={names.map((tab) => ({ id: tab, text: t(`disputes.tab.${tab}`) }))}
        current={tabOf(query.tab)}
        hrefOf={hrefOfTab}
      />
      {found.isError && <BlockFailed error={found.error} onRetry={() => void found.refetch()} />}
      {found.isPending && <ListWaiting />}
      {found.data && rows.length === 0 && id === '' && <NothingLeft title={t('disputes.none')} />}
      {(rows.length > 0 || id !== '') && (
        <Panels
          panel={id !== '' && <DisputeCase key={id} id={id} today={today} onClose={close} onDone={close} />}
        >
          <DataTable
            label={t('view.disputes')}
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
        <ListFoot query={query} total={found.data.total} label={t('view.disputes')} onChange={change} />
      )}
    </>
  )
}
