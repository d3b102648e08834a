import { Bar } from '@kvitt/office/frame/bar.tsx'
import { DataTable, type Column } from '@kvitt/office/list/data-table.tsx'
import { ListFoot } from '@kvitt/office/list/list-foot.tsx'
import { ListWaiting, NothingLeft } from '@kvitt/office/list/list-states.tsx'
import { useListState, useRowKeys } from '@kvitt/office/list/use-list.ts'
import { BlockFailed } from '@kvitt/office/parts/block-failed.tsx'
import { Figure } from '@kvitt/office/parts/figure.tsx'
import { OfficeLink } from '@kvitt/office/parts/office-button.tsx'
import { hashOf } from '@kvitt/office/place.ts'
import { formatCount } from '@kvitt/ui/count-text.ts'
import { formatDay } from '@kvitt/ui/date-text.ts'
import { minorOf } from '@kvitt/ui/minor-of.ts'
import { useQuery } from '@tanstack/react-query'
import { useRight } from '../shell/me.ts'
import { usePageName } from '../shell/use-page-name.ts'
import { t } from '../text.ts'
import { batchesQuery, type Batch } from './bank-calls.ts'
import { BankUpload } from './bank-upload.tsx'

const figureOf = (amount: number, currency: string | null) =>
  currency === null ? '–' : <Figure minor={minorOf(amount)} currency={currency} />

const COLUMNS = (): readonly Column<Batch>[] => [
  { id: 'name', head: t('import.file'), inRow: 'title', cell: ({ name }) => name },
  {
    id: 'day',
    head: t('import.day'),
    look: 'quiet',
    inRow: 'below',
    cell: ({ receivedAt, createdBy }) =>
      [formatDay(receivedAt.slice(0, 10), 'short'), createdBy].filter(Boolean).join(', '),
  },
  { id: 'payments', head: t('bank.payments'), align: 'end', cell: ({ payments }) => formatCount(payments) },
  {
    id: 'waiting',
    head: t('bank.in_suspense'),
    align: 'end',
    inRow: 'below',
    cell: ({ counts }) => (counts.suspense > 0 ? t('bank.waiting_count', { n: counts.suspense }) : '–'),
  },
  {
    id: 'amount',
    head: t('bank.in_file'),
    align: 'end',
    look: 'strong',
    inRow: 'amount',
    cell: ({ amount, currency }) => figureOf(amount, currency),
  },
]

/** Files of payments from banks, the newest first. */
export default function BatchesPage() {
  usePageName(t('view.payment-batches'))
  const { query, change, sort } = useListState()
  const found = useQuery(batchesQuery(query))
  const may = useRight('bank_files')
  const rows = found.data?.items ?? []
  const hrefOf = (id: string): string => hashOf({ view: 'payment-batches', id })
  const currentId = useRowKeys({ ids: rows.map(({ id }) => id), hrefOf })
  return (
    <>
      <Bar
        title={t('view.payment-batches')}
        actions={
          <OfficeLink href={hashOf({ view: 'payment-batches', id: 'accounts' })}>
            {t('bank.accounts')}
          </OfficeLink>
        }
      />
      {may && <BankUpload />}
      {found.isError && <BlockFailed error={found.error} onRetry={() => void found.refetch()} />}
      {found.isPending && <ListWaiting rows={3} />}
      {found.data && rows.length === 0 && <NothingLeft title={t('bank.none')} />}
      {rows.length > 0 && (
        <DataTable
          label={t('view.payment-batches')}
          columns={COLUMNS()}
          rows={rows}
          idOf={({ id }) => id}
          hrefOf={({ id }) => hrefOf(id)}
          nameOf={({ name }) => name}
          query={query}
          onSort={sort}
          currentId={currentId}
        />
      )}
      {found.data && (
        <ListFoot
          query={query}
          total={found.data.total}
          label={t('view.payment-batches')}
          onChange={change}
        />
      )}
    </>
  )
}
