import type { Column } from '@kvitt/office/list/data-table.tsx'
import { ListView } from '@kvitt/office/list/list-view.tsx'
import { useListState, useSelection } from '@kvitt/office/list/use-list.ts'
import { dayText } from '@kvitt/office/parts/day-words.ts'
import { hashOf } from '@kvitt/office/place.ts'
import { useQuery } from '@tanstack/react-query'
import { balanceColumn, dueColumn, creditorColumns } from '../debts/columns.tsx'
import { BulkActs } from '../acts/bulk-acts.tsx'
import type { BulkAct } from '../acts/bulk-calls.ts'
import { isAdmin } from '../shell/portal.ts'
import { stepText } from '../shell/steps.ts'
import { usePageName } from '../shell/use-page-name.ts'
import { t } from '../text.ts'
import {
  claimSearch,
  fetchClaims,
  claimsQuery,
  tabOf,
  TABS,
  type Claim,
  type ClaimTab,
} from './claim-calls.ts'
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

/** What makes sense with some of these: each row is asked by itself when it is done. */
function actsFor(chosen: readonly Claim[]): BulkAct[] {
  const some = (...status: string[]) => chosen.some((one) => status.includes(one.status))
  const runs = some('OPEN', 'RESUME', 'PAUSED', 'DISPUTED')
  return [
    ...(some('OPEN', 'RESUME') ? (['pause'] as const) : []),
    ...(some('PAUSED') ? (['resume'] as const) : []),
    ...(runs ? (['stop', 'write-off'] as const) : []),
  ]
}

/** All claims of the creditor. */
export default function ClaimsPage() {
  usePageName(t('view.claims'))
  const state = useListState()
  const { query } = state
  const found = useQuery(claimsQuery(query))
  const rows = found.data?.items ?? []
  const selection = useSelection(
    rows.map(({ id }) => id),
    JSON.stringify(query),
  )
  const chosen = rows.filter(({ id }) => selection.selected.has(id))
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
      {...(isAdmin ? {} : { selection })}
      bulk={
        !isAdmin &&
        rows[0] && (
          <BulkActs
            key={JSON.stringify(query)}
            resource="collection-batches"
            acts={actsFor(chosen)}
            ids={chosen.map(({ id }) => id)}
            total={found.data?.total ?? 0}
            search={claimSearch(query)}
            today={rows[0].dates.today}
            onLeave={selection.leave}
          />
        )
      }
    />
  )
}
