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
import { fetchPayments, paymentsQuery, tabOf, TABS, type Payment, type PaymentTab } from './payment-calls.ts'
import { PaymentChip } from './payment-chip.tsx'

const columnsFor = (today: string): readonly Column<Payment>[] => [
  {
    id: 'subject',
    head: t('payment.for'),
    inRow: 'title',
    cell: ({ subject: { type, number } }) =>
      t(type === 'invoices' ? 'dispute.of_invoice' : 'dispute.of_claim', { number }),
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
    id: 'way',
    head: t('payment.way'),
    look: 'quiet',
    inRow: 'below',
    cell: ({ way }) => t(`payment.way.${way}`),
  },
  {
    id: 'value',
    head: t('payment.value_on'),
    look: 'quiet',
    cell: ({ valueOn }) => (valueOn ? dayText(valueOn, today) : '–'),
  },
  {
    id: 'booked',
    head: t('payment.booked_on'),
    orderBy: 'bookedOn',
    inRow: 'below',
    cell: ({ bookedOn }) => (bookedOn ? dayText(bookedOn, today) : '–'),
  },
  {
    id: 'status',
    head: t('invoice.status'),
    inRow: 'below',
    cell: ({ status }) => <PaymentChip status={status} />,
  },
  {
    id: 'amount',
    head: t('act.amount'),
    orderBy: 'amount',
    align: 'end',
    look: 'strong',
    inRow: 'amount',
    cell: ({ amount, currency }) => <Figure minor={minorOf(amount)} currency={currency} />,
  },
]

/** What was paid to this creditor's debts. */
export default function PaymentsPage() {
  usePageName(t('view.payments'))
  const state = useListState()
  const found = useQuery(paymentsQuery(state.query))
  const today = useQuery(todayQuery).data ?? ''
  return (
    <ListView
      title={t('view.payments')}
      none={t('payments.none')}
      placeholder={t('invoices.search')}
      tabs={(Object.keys(TABS) as PaymentTab[]).map((id) => ({ id, text: t(`payments.tab.${id}`) }))}
      tab={tabOf(state.query.tab)}
      state={state}
      found={found}
      fetchList={fetchPayments(state.query)}
      columns={columnsFor(today)}
      idOf={({ id }) => id}
      hrefOf={({ id }) => hashOf({ view: 'payments', id })}
      nameOf={({ subject }) => subject.number}
    />
  )
}
