import type { Column } from '@kvitt/office/list/data-table.tsx'
import { Chip, type ChipTone } from '@kvitt/office/parts/chip.tsx'
import { dayText } from '@kvitt/office/parts/day-words.ts'
import { Figure } from '@kvitt/office/parts/figure.tsx'
import { minorOf } from '@kvitt/ui/minor-of.ts'
import { creditorColumns } from '../debts/columns.tsx'
import { CaseList } from '../shell/cases/case-list.tsx'
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
  return (
    <CaseList
      view="disputes"
      id={id}
      tabs={(Object.keys(TABS) as DisputeTab[]).map((tab) => ({ id: tab, text: t(`disputes.tab.${tab}`) }))}
      tabOf={tabOf}
      listQuery={disputesQuery}
      columnsFor={columnsFor}
      none={t('disputes.none')}
      Case={DisputeCase}
    />
  )
}
