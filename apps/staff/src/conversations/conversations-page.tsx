import type { Column } from '@kvitt/office/list/data-table.tsx'
import { Chip, type ChipTone } from '@kvitt/office/parts/chip.tsx'
import { dayText } from '@kvitt/office/parts/day-words.ts'
import css from '../shell/case.module.css'
import { creditorColumns } from '../debts/columns.tsx'
import { CaseList } from '../shell/cases/case-list.tsx'
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
  return (
    <CaseList
      view="conversations"
      id={id}
      tabs={(Object.keys(TABS) as ConversationTab[]).map((tab) => ({
        id: tab,
        text: t(`disputes.tab.${tab}`),
      }))}
      tabOf={tabOf}
      listQuery={conversationsQuery}
      columnsFor={columnsFor}
      none={t('conversations.none')}
      Case={ConversationCase}
    />
  )
}
