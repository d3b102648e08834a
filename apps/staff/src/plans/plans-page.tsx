import type { Column } from '@kvitt/office/list/data-table.tsx'
import { ListView } from '@kvitt/office/list/list-view.tsx'
import { useListState } from '@kvitt/office/list/use-list.ts'
import { dayText } from '@kvitt/office/parts/day-words.ts'
import { Figure } from '@kvitt/office/parts/figure.tsx'
import { hashOf } from '@kvitt/office/place.ts'
import { minorOf } from '@kvitt/ui/minor-of.ts'
import { useQuery } from '@tanstack/react-query'
import { todayQuery } from '../shell/today.ts'
import { usePageName } from '../shell/use-page-name.ts'
import { t } from '../text.ts'
import { fetchPlans, plansQuery, tabOf, TABS, type ListedPlan, type PlanTab } from './plan-calls.ts'
import { PlanChip } from './plan-chips.tsx'

const columnsFor = (today: string): readonly Column<ListedPlan>[] => [
  {
    id: 'debtor',
    head: t('invoice.debtor'),
    orderBy: 'debtor.name',
    inRow: 'title',
    cell: ({ debtor }) => debtor.name,
  },
  { id: 'number', head: t('plan.number'), look: 'quiet', inRow: 'below', cell: ({ number }) => number },
  {
    id: 'status',
    head: t('invoice.status'),
    inRow: 'below',
    cell: ({ status }) => <PlanChip status={status} />,
  },
  {
    id: 'next_due',
    head: t('plan.next_due'),
    orderBy: 'nextDue',
    inRow: 'below',
    cell: ({ nextDue }) => (nextDue ? dayText(nextDue, today) : '–'),
  },
  {
    id: 'late',
    head: t('plan.late'),
    orderBy: 'late',
    align: 'end',
    cell: ({ late, currency }) =>
      minorOf(late) === 0 ? '–' : <Figure minor={minorOf(late)} currency={currency} />,
  },
  {
    id: 'left',
    head: t('plan.left'),
    orderBy: 'left',
    align: 'end',
    look: 'strong',
    inRow: 'amount',
    cell: ({ left, currency }) => <Figure minor={minorOf(left)} currency={currency} />,
  },
]

/** The part payment plans of this creditor's debtors. */
export default function PlansPage() {
  usePageName(t('view.plans'))
  const state = useListState()
  const found = useQuery(plansQuery(state.query))
  const today = useQuery(todayQuery).data ?? ''
  return (
    <ListView
      title={t('view.plans')}
      none={t('plans.none')}
      placeholder={t('invoices.search')}
      tabs={(Object.keys(TABS) as PlanTab[]).map((id) => ({ id, text: t(`plans.tab.${id}`) }))}
      tab={tabOf(state.query.tab)}
      state={state}
      found={found}
      fetchList={fetchPlans(state.query)}
      columns={columnsFor(today)}
      idOf={({ id }) => id}
      hrefOf={({ id }) => hashOf({ view: 'plans', id })}
      nameOf={({ debtor, number }) => `${debtor.name} ${number}`}
    />
  )
}
