import type { Column } from '@kvitt/office/list/data-table.tsx'
import { ListView } from '@kvitt/office/list/list-view.tsx'
import { useListState } from '@kvitt/office/list/use-list.ts'
import { hashOf } from '@kvitt/office/place.ts'
import { useQuery } from '@tanstack/react-query'
import { usePageName } from '../shell/use-page-name.ts'
import { t } from '../text.ts'
import { debtorsQuery, tabOf, TABS, type DebtorTab, type ListedDebtor } from './debtor-calls.ts'
import { Owed } from './owed.tsx'

const columns = (): readonly Column<ListedDebtor>[] => [
  { id: 'name', head: t('debtor.name'), orderBy: 'name', inRow: 'title', cell: ({ name }) => name },
  {
    id: 'number',
    head: t('debtor.identification_number'),
    look: 'quiet',
    inRow: 'below',
    cell: ({ identificationNumber }) => identificationNumber ?? '–',
  },
  {
    id: 'city',
    head: t('debtor.city'),
    look: 'quiet',
    inRow: 'below',
    cell: ({ invoiceAddress }) => invoiceAddress.city ?? '',
  },
  { id: 'invoices', head: t('view.invoices'), align: 'end', cell: ({ invoiceCount }) => invoiceCount },
  {
    id: 'open',
    head: t('debtor.open'),
    orderBy: 'openCount',
    align: 'end',
    cell: ({ openCount }) => openCount,
  },
  {
    id: 'balance',
    head: t('invoice.balance'),
    orderBy: 'balances.total',
    align: 'end',
    look: 'strong',
    inRow: 'amount',
    cell: ({ balances }) => <Owed balances={balances} />,
  },
]

/** Everybody who owes this creditor something, or has. */
export default function DebtorsPage() {
  usePageName(t('view.debtors'))
  const state = useListState()
  const found = useQuery(debtorsQuery(state.query))
  return (
    <ListView
      title={t('view.debtors')}
      none={t('debtors.none')}
      placeholder={t('debtors.search')}
      tabs={(Object.keys(TABS) as DebtorTab[]).map((id) => ({ id, text: t(`debtors.tab.${id}`) }))}
      tab={tabOf(state.query.tab)}
      state={state}
      found={found}
      columns={columns()}
      idOf={({ id }) => id}
      hrefOf={({ id }) => hashOf({ view: 'debtors', id })}
      nameOf={({ name }) => name}
    />
  )
}
