import { Bar } from '@kvitt/office/frame/bar.tsx'
import { ListWaiting, NothingLeft } from '@kvitt/office/list/list-states.tsx'
import { BlockFailed } from '@kvitt/office/parts/block-failed.tsx'
import { formatDay } from '@kvitt/ui/date-text.ts'
import { useQuery } from '@tanstack/react-query'
import { usePageName } from '../shell/use-page-name.ts'
import { t } from '../text.ts'
import { figuresQuery } from './figure-calls.ts'
import { Shown } from './shown.tsx'

/** What the creditor's books come to. */
export default function FiguresPage() {
  usePageName(t('view.figures'))
  const found = useQuery(figuresQuery)
  const figures = found.data
  return (
    <>
      <Bar title={t('view.figures')} facts={figures && formatDay(figures.today)} />
      {found.isError && <BlockFailed error={found.error} onRetry={() => void found.refetch()} />}
      {found.isPending && <ListWaiting rows={6} />}
      {figures && figures.invoices.length === 0 && <NothingLeft title={t('figures.none')} />}
      {figures && figures.invoices.length > 0 && <Shown figures={figures} />}
    </>
  )
}
