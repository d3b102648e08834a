import type { Column } from '@kvitt/office/list/data-table.tsx'
import { ListView } from '@kvitt/office/list/list-view.tsx'
import { useListState } from '@kvitt/office/list/use-list.ts'
import { Chip } from '@kvitt/office/parts/chip.tsx'
import { dayText } from '@kvitt/office/parts/day-words.ts'
import { hashOf } from '@kvitt/office/place.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { usePageName } from '../shell/use-page-name.ts'
import { t } from '../text.ts'
import { proposalsQuery, TABS, tabOf, type Proposal, type ProposalTab } from './proposal-calls.ts'
import { TONES } from './proposal-tones.ts'

const COLUMNS = (today: string): readonly Column<Proposal>[] => [
  { id: 'kind', head: t('proposal.what'), inRow: 'title', cell: ({ kind }) => t(`proposal.kind.${kind}`) },
  {
    id: 'creditor',
    head: t('column.creditor'),
    look: 'quiet',
    inRow: 'below',
    cell: ({ creditor }) => creditor?.name ?? '–',
  },
  { id: 'by', head: t('proposal.by'), inRow: 'below', cell: ({ proposedBy }) => proposedBy.name },
  {
    id: 'day',
    head: t('proposal.day'),
    orderBy: 'proposedAt',
    look: 'quiet',
    inRow: 'below',
    cell: ({ proposedAt }) => dayText(proposedAt.slice(0, 10), today),
  },
  {
    id: 'status',
    head: t('invoice.status'),
    inRow: 'amount',
    cell: ({ status }) => <Chip tone={TONES[status]}>{t(`proposal.status.${status}`)}</Chip>,
  },
]

/** What somebody has proposed and somebody else decides. */
export default function ProposalsPage() {
  usePageName(t('view.proposals'))
  const state = useListState()
  const found = useQuery(proposalsQuery(state.query))
  const [today] = useState(() => new Date().toISOString().slice(0, 10))
  return (
    <ListView
      title={t('view.proposals')}
      none={t('proposals.none')}
      placeholder={t('column.creditor')}
      tabs={(Object.keys(TABS) as ProposalTab[]).map((id) => ({ id, text: t(`proposals.tab.${id}`) }))}
      tab={tabOf(state.query.tab)}
      state={state}
      found={found}
      columns={COLUMNS(today)}
      idOf={({ id }) => id}
      hrefOf={({ id }) => hashOf({ view: 'proposals', id })}
      nameOf={({ kind }) => t(`proposal.kind.${kind}`)}
    />
  )
}
