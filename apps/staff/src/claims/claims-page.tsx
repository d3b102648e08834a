import type { Column } from '@kvitt/office/list/data-table.tsx'
import { ListView } from '@kvitt/office/list/list-view.tsx'
import { useListState } from '@kvitt/office/list/use-list.ts'
import { dayText } from '@kvitt/office/parts/day-words.ts'
import { hashOf } from '@kvitt/office/place.ts'
import { useQuery } from '@tanstack/react-query'
import { balanceColumn, dueColumn, creditorColumns } from '../debts/columns.tsx'
import { stepText } from '../shell/steps.ts'
import { usePageName } from '../shell/use-page-name.ts'
import { t } from '../text.ts'
import { fetchClaims, claimsQuery, tabOf, TABS, type Claim, type ClaimTab } from './claim-calls.ts'
import { ClaimChip } from './claim-chip.tsx'

const COLUMNS = (): readonly Column<Claim>[] => [
  {
    id: 'number',
    head: t('claim.claim'),
    orderBy: 'collectionBatchNumber',
    inRow: 'title',
    cell: ({ collectionBatchNumber }) => collectionBatchNumber,
  },
  {
    id: 'debtor',
    head: t('invoice.debtor'),
    orderBy: 'debtor.name',
    inRow: 'below',
    cell: ({ debtor }) => debtor.name,
  },
  ...creditorColumns(),
  {
    id: 'opened',
    head: t('claim.opened'),
    orderBy: 'dates.openedOn',
    look: 'quiet',
    cell: ({ dates }) => dayText(dates.openedOn, dates.today),
  },
  dueColumn({
    head: t('claim.last_day'),
    orderBy: 'dates.expireDate',
    dayOf: ({ dates }) => dates.expireDate,
    todayOf: ({ dates }) => dates.today,
  }),
  {
    id: 'next',
    head: t('invoice.next'),
    look: 'quiet',
    cell: ({ nextStep, dates }) =>
      nextStep ? `${stepText(nextStep.type)}, ${dayText(nextStep.plannedDate, dates.today)}` : '–',
  },
  {
    id: 'status',
    head: t('invoice.status'),
    inRow: 'below',
    cell: ({ status }) => <ClaimChip status={status} />,
  },
  balanceColumn(({ balances, currency }) => ({ balance: balances.total, currency }), 'balances.total'),
]

/** All claims of the creditor. */
export default function ClaimsPage() {
  usePageName(t('view.claims'))
  const state = useListState()
  const found = useQuery(claimsQuery(state.query))
  return (
    <ListView
      title={t('view.claims')}
      none={t('claims.none')}
      placeholder={t('invoices.search')}
      tabs={(Object.keys(TABS) as ClaimTab[]).map((id) => ({ id, text: t(`claims.tab.${id}`) }))}
      tab={tabOf(state.query.tab)}
      state={state}
      found={found}
      fetchList={fetchClaims(state.query)}
      columns={COLUMNS()}
      idOf={({ id }) => id}
      hrefOf={({ id }) => hashOf({ view: 'claims', id })}
      nameOf={({ collectionBatchNumber }) => collectionBatchNumber}
    />
  )
}
