import { Bar } from '@kvitt/office/frame/bar.tsx'
import type { Column } from '@kvitt/office/list/data-table.tsx'
import { DataTable } from '@kvitt/office/list/data-table.tsx'
import { ListFoot } from '@kvitt/office/list/list-foot.tsx'
import { ListWaiting, NothingLeft } from '@kvitt/office/list/list-states.tsx'
import { useListState, useRowKeys } from '@kvitt/office/list/use-list.ts'
import { BlockFailed } from '@kvitt/office/parts/block-failed.tsx'
import { Chip, type ChipTone } from '@kvitt/office/parts/chip.tsx'
import { hashOf } from '@kvitt/office/place.ts'
import { formatCount } from '@kvitt/ui/count-text.ts'
import { formatDay } from '@kvitt/ui/date-text.ts'
import { useQuery } from '@tanstack/react-query'
import { useRight } from '../shell/me.ts'
import { usePageName } from '../shell/use-page-name.ts'
import { t } from '../text.ts'
import { importsQuery, type Import } from './import-calls.ts'
import { Upload } from './upload.tsx'

const TONES: Readonly<Record<Import['status'], ChipTone>> = {
  CHECKING: 'info',
  READY: 'accent',
  CONFIRMED: 'ok',
  UNDONE: 'neutral',
  REFUSED: 'bad',
}

const COLUMNS = (): readonly Column<Import>[] => [
  { id: 'file', head: t('import.file'), inRow: 'title', cell: ({ fileName }) => fileName },
  {
    id: 'status',
    head: t('invoice.status'),
    inRow: 'amount',
    cell: ({ status }) => <Chip tone={TONES[status]}>{t(`import.status.${status}`)}</Chip>,
  },
  { id: 'rows', head: t('import.rows'), align: 'end', cell: ({ rows }) => formatCount(rows) },
  {
    id: 'wrong',
    head: t('import.tab.wrong'),
    align: 'end',
    inRow: 'below',
    cell: ({ wrong }) => (wrong > 0 ? t('import.wrong_count', { n: formatCount(wrong) }) : '–'),
  },
  {
    id: 'made',
    head: t('import.made'),
    align: 'end',
    cell: ({ made, status }) => (status === 'UNDONE' ? '–' : formatCount(made)),
  },
  {
    id: 'day',
    head: t('import.day'),
    look: 'quiet',
    inRow: 'below',
    cell: ({ createdAt, createdBy }) =>
      [formatDay(createdAt.slice(0, 10), 'short'), createdBy].filter(Boolean).join(', '),
  },
]

/** Files of invoices: one is chosen and looked at before anything of it is made. */
export default function ImportsPage() {
  usePageName(t('view.imports'))
  const { query, change, sort } = useListState()
  const found = useQuery(importsQuery(query))
  const mayWrite = useRight('draft')
  const rows = found.data?.items ?? []
  const hrefOf = (id: string): string => hashOf({ view: 'imports', id })
  const currentId = useRowKeys({ ids: rows.map(({ id }) => id), hrefOf })
  return (
    <>
      <Bar title={t('view.imports')} />
      {mayWrite && <Upload />}
      {found.isError && <BlockFailed error={found.error} onRetry={() => void found.refetch()} />}
      {found.isPending && <ListWaiting rows={3} />}
      {found.data && rows.length === 0 && <NothingLeft title={t('import.none')} />}
      {rows.length > 0 && (
        <DataTable
          label={t('view.imports')}
          columns={COLUMNS()}
          rows={rows}
          idOf={({ id }) => id}
          hrefOf={({ id }) => hrefOf(id)}
          nameOf={({ fileName }) => fileName}
          query={query}
          onSort={sort}
          currentId={currentId}
        />
      )}
      {found.data && (
        <ListFoot query={query} total={found.data.total} label={t('view.imports')} onChange={change} />
      )}
    </>
  )
}
