import { Bar } from '@kvitt/office/frame/bar.tsx'
import { Panels } from '@kvitt/office/frame/panels.tsx'
import { DataTable, type Column } from '@kvitt/office/list/data-table.tsx'
import { ListFoot } from '@kvitt/office/list/list-foot.tsx'
import { ListWaiting, NothingLeft } from '@kvitt/office/list/list-states.tsx'
import { useListState, useRowKeys } from '@kvitt/office/list/use-list.ts'
import { BlockFailed } from '@kvitt/office/parts/block-failed.tsx'
import { Figure } from '@kvitt/office/parts/figure.tsx'
import { hashOf, usePlace } from '@kvitt/office/place.ts'
import { formatDay } from '@kvitt/ui/date-text.ts'
import { minorOf } from '@kvitt/ui/minor-of.ts'
import { goTo } from '@kvitt/ui/routes.ts'
import { useQuery } from '@tanstack/react-query'
import { usePageName } from '../shell/use-page-name.ts'
import { t } from '../text.ts'
import { suspenseQuery, type Suspended } from './bank-calls.ts'
import { SuspenseCase } from './suspense-case.tsx'

const COLUMNS = (): readonly Column<Suspended>[] => [
  {
    id: 'payer',
    head: t('bank.payer'),
    inRow: 'title',
    orderBy: 'payer',
    cell: ({ payer }) => payer ?? t('bank.payer_unnamed'),
  },
  {
    id: 'says',
    head: t('bank.says'),
    inRow: 'below',
    cell: ({ references, message }) => references[0] ?? message ?? '–',
  },
  {
    id: 'day',
    head: t('bank.day'),
    look: 'quiet',
    orderBy: 'bankDate',
    cell: ({ bankDate }) => formatDay(bankDate, 'short'),
  },
  {
    id: 'why',
    head: t('bank.why'),
    inRow: 'below',
    cell: ({ reason }) => (reason ? t(`bank.reason.${reason}`) : '–'),
  },
  {
    id: 'amount',
    head: t('act.amount'),
    align: 'end',
    look: 'strong',
    inRow: 'amount',
    orderBy: 'amount',
    cell: ({ amount, currency }) => <Figure minor={minorOf(amount)} currency={currency} />,
  },
]

/** Money that nobody could place; the open case stands beside the list. */
export default function SuspensePage({ id }: { id: string }) {
  usePageName(t('view.suspense'))
  const { query, change, sort } = useListState()
  const place = usePlace()
  const found = useQuery(suspenseQuery(query))
  const rows = found.data?.items ?? []
  const hrefOf = (line: string) => hashOf({ view: 'suspense', id: line }, place.query)
  const currentId = useRowKeys({ ids: rows.map((row) => row.id), hrefOf, openId: id })
  const close = () => goTo(hashOf({ view: 'suspense' }, place.query))
  const at = rows.findIndex((row) => row.id === id)
  const next = rows[at + 1] ?? rows[at - 1]
  const done = () => goTo(next ? hrefOf(next.id) : hashOf({ view: 'suspense' }, place.query))
  return (
    <>
      <Bar title={t('view.suspense')} />
      {found.isError && <BlockFailed error={found.error} onRetry={() => void found.refetch()} />}
      {found.isPending && <ListWaiting />}
      {found.data && rows.length === 0 && id === '' && <NothingLeft title={t('bank.suspense_none')} />}
      {(rows.length > 0 || id !== '') && (
        <Panels panel={id !== '' && <SuspenseCase key={id} id={id} onClose={close} onDone={done} />}>
          <DataTable
            label={t('view.suspense')}
            columns={COLUMNS()}
            rows={rows}
            idOf={(row) => row.id}
            hrefOf={(row) => hrefOf(row.id)}
            nameOf={({ payer }) => payer ?? t('bank.payer_unnamed')}
            query={query}
            onSort={sort}
            currentId={currentId}
          />
        </Panels>
      )}
      {found.data && id === '' && (
        <ListFoot query={query} total={found.data.total} label={t('view.suspense')} onChange={change} />
      )}
    </>
  )
}
