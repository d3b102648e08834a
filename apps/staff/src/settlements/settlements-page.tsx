import type { Column } from '@kvitt/office/list/data-table.tsx'
import { ListView } from '@kvitt/office/list/list-view.tsx'
import { useListState } from '@kvitt/office/list/use-list.ts'
import { dayText } from '@kvitt/office/parts/day-words.ts'
import { Figure } from '@kvitt/office/parts/figure.tsx'
import { hashOf } from '@kvitt/office/place.ts'
import { minorOf } from '@kvitt/ui/minor-of.ts'
import { useQuery } from '@tanstack/react-query'
import { creditorColumns } from '../debts/columns.tsx'
import { todayQuery } from '../shell/today.ts'
import { usePageName } from '../shell/use-page-name.ts'
import { t } from '../text.ts'
import {
  fetchSettlements,
  settlementsQuery,
  tabOf,
  TABS,
  type ListedSettlement,
  type SettlementTab,
} from './settlement-calls.ts'
import { SettlementChip } from './settlement-chip.tsx'

/** Nothing is known of what is still being counted. */
const counted = ({ status, currency }: ListedSettlement, amount: number) =>
  status === 'COUNTING' ? '–' : <Figure minor={minorOf(amount)} currency={currency} />

const columnsFor = (today: string): readonly Column<ListedSettlement>[] => [
  {
    id: 'number',
    head: t('settlement.number'),
    inRow: 'title',
    cell: ({ number }) => t('settlement.of_number', { number }),
  },
  ...creditorColumns(),
  {
    id: 'period',
    head: t('settlement.period'),
    orderBy: 'period.to',
    inRow: 'below',
    cell: ({ period: { from, to } }) => `${dayText(from, today)} – ${dayText(to, today)}`,
  },
  {
    id: 'status',
    head: t('invoice.status'),
    inRow: 'below',
    cell: ({ status }) => <SettlementChip status={status} />,
  },
  {
    id: 'collected',
    head: t('settlement.collected'),
    align: 'end',
    look: 'quiet',
    cell: (settlement) => counted(settlement, settlement.collected),
  },
  {
    id: 'paid_out',
    head: t('settlement.payout'),
    orderBy: 'paidOut',
    align: 'end',
    look: 'strong',
    inRow: 'amount',
    cell: (settlement) => counted(settlement, settlement.paidOut),
  },
]

/** What this creditor is paid out, period by period. */
export default function SettlementsPage() {
  usePageName(t('view.settlements'))
  const state = useListState()
  const found = useQuery(settlementsQuery(state.query))
  const today = useQuery(todayQuery).data ?? ''
  return (
    <ListView
      title={t('view.settlements')}
      none={t('settlements.none')}
      placeholder={t('settlement.number')}
      tabs={(Object.keys(TABS) as SettlementTab[]).map((id) => ({ id, text: t(`settlements.tab.${id}`) }))}
      tab={tabOf(state.query.tab)}
      state={state}
      found={found}
      fetchList={fetchSettlements(state.query)}
      columns={columnsFor(today)}
      idOf={({ id }) => id}
      hrefOf={({ id }) => hashOf({ view: 'settlements', id })}
      nameOf={({ number }) => t('settlement.of_number', { number })}
    />
  )
}
