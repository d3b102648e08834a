import { Bar } from '@kvitt/office/frame/bar.tsx'
import { Panels } from '@kvitt/office/frame/panels.tsx'
import { DataTable, type Column } from '@kvitt/office/list/data-table.tsx'
import { ListFoot } from '@kvitt/office/list/list-foot.tsx'
import { ListWaiting, NothingLeft } from '@kvitt/office/list/list-states.tsx'
import { useListState, useRowKeys } from '@kvitt/office/list/use-list.ts'
import { BlockFailed } from '@kvitt/office/parts/block-failed.tsx'
import { Figure } from '@kvitt/office/parts/figure.tsx'
import { OfficeButton } from '@kvitt/office/parts/office-button.tsx'
import { hashOf, usePlace } from '@kvitt/office/place.ts'
import { formatDay } from '@kvitt/ui/date-text.ts'
import { minorOf } from '@kvitt/ui/minor-of.ts'
import { goTo } from '@kvitt/ui/routes.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useRight } from '../shell/me.ts'
import { usePageName } from '../shell/use-page-name.ts'
import { t } from '../text.ts'
import { GatherPanel } from './gather-panel.tsx'
import { refundsQuery, type RefundRow } from './refund-calls.ts'
import { RefundCase } from './refund-case.tsx'
import { RefundChip } from './refund-chip.tsx'

/** The place of what is put in a file, beside the list. */
const FILE = 'file'

const nameOf = ({ debtor }: RefundRow): string => debtor?.name ?? t('bank.payer_unnamed')

const COLUMNS = (): readonly Column<RefundRow>[] => [
  { id: 'debtor', head: t('invoice.debtor'), inRow: 'title', orderBy: 'debtor.name', cell: nameOf },
  { id: 'why', head: t('bank.why'), inRow: 'below', cell: ({ kind }) => t(`refund.kind.${kind}`) },
  { id: 'debt', head: t('todo.number'), look: 'quiet', cell: ({ debt }) => debt?.number ?? '–' },
  {
    id: 'since',
    head: t('refund.since'),
    look: 'quiet',
    inRow: 'below',
    orderBy: 'since',
    cell: ({ since }) => formatDay(since, 'short'),
  },
  { id: 'status', head: t('invoice.status'), inRow: 'below', cell: (row) => <RefundChip {...row} /> },
  {
    id: 'amount',
    head: t('act.amount'),
    align: 'end',
    look: 'strong',
    inRow: 'amount',
    orderBy: 'amount',
    cell: ({ amount, left, status, currency }) => (
      <Figure minor={minorOf(status === 'OWED' ? left : amount)} currency={currency} />
    ),
  },
]

/** What is owed back to those who paid; the open case stands beside the list. */
export default function RefundsPage({ id }: { id: string }) {
  usePageName(t('view.refunds'))
  const { query, change, sort } = useListState()
  const [isAll, setAll] = useState(false)
  const place = usePlace()
  const may = useRight('payouts')
  const found = useQuery(refundsQuery(query, isAll))
  const rows = found.data?.items ?? []
  // Where more is on other pages, it may be there.
  const isMore = (found.data?.total ?? 0) > rows.length
  const canBeInFile =
    isMore || rows.some(({ kind, status }) => kind !== 'creditor_refund' && status === 'OWED')
  const hrefOf = (row: string) => hashOf({ view: 'refunds', id: row }, place.query)
  const currentId = useRowKeys({ ids: rows.map((row) => row.id), hrefOf, openId: id })
  const close = () => goTo(hashOf({ view: 'refunds' }, place.query))
  return (
    <>
      <Bar
        title={t('view.refunds')}
        actions={
          <>
            {may && canBeInFile && (
              <OfficeButton look="primary" onClick={() => goTo(hrefOf(FILE))}>
                {t('refund.file')}
              </OfficeButton>
            )}
            <OfficeButton aria-pressed={isAll} onClick={() => setAll(!isAll)}>
              {t('refund.all')}
            </OfficeButton>
          </>
        }
      />
      {found.isError && <BlockFailed error={found.error} onRetry={() => void found.refetch()} />}
      {found.isPending && <ListWaiting />}
      {found.data && rows.length === 0 && id === '' && <NothingLeft title={t('refund.none')} />}
      {(rows.length > 0 || id !== '') && (
        <Panels
          panel={
            id === FILE ? (
              <GatherPanel onClose={close} />
            ) : (
              id !== '' && <RefundCase key={id} id={id} onClose={close} />
            )
          }
        >
          <DataTable
            label={t('view.refunds')}
            columns={COLUMNS()}
            rows={rows}
            idOf={(row) => row.id}
            hrefOf={(row) => hrefOf(row.id)}
            nameOf={nameOf}
            query={query}
            onSort={sort}
            currentId={currentId}
          />
        </Panels>
      )}
      {found.data && id === '' && (
        <ListFoot query={query} total={found.data.total} label={t('view.refunds')} onChange={change} />
      )}
    </>
  )
}
