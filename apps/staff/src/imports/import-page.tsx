import { Bar } from '@kvitt/office/frame/bar.tsx'
import { useKeys } from '@kvitt/office/keys/keys.ts'
import { ListWaiting } from '@kvitt/office/list/list-states.tsx'
import { Tabs } from '@kvitt/office/list/tabs.tsx'
import { BlockFailed } from '@kvitt/office/parts/block-failed.tsx'
import { Figure } from '@kvitt/office/parts/figure.tsx'
import { OfficeButton } from '@kvitt/office/parts/office-button.tsx'
import { hashOf, usePlace } from '@kvitt/office/place.ts'
import { formatCount } from '@kvitt/ui/count-text.ts'
import { MessageBox } from '@kvitt/ui/feedback/message-box.tsx'
import { minorOf } from '@kvitt/ui/minor-of.ts'
import { goTo } from '@kvitt/ui/routes.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useRight } from '../shell/me.ts'
import { usePageName } from '../shell/use-page-name.ts'
import { t } from '../text.ts'
import { ImportActs } from './import-acts.tsx'
import {
  importQuery,
  ROW_TABS,
  ROWS_A_PAGE,
  rowsQuery,
  type ImportDetail,
  type RowTab,
} from './import-calls.ts'
import { ImportMapping } from './import-mapping.tsx'
import { ImportRowItem } from './import-row.tsx'
import css from './imports.module.css'

/** One file of invoices: what it would make, what is wrong with it, and what is done about that. */
export default function ImportPage({ id }: { id: string }) {
  usePageName(t('view.imports'))
  const found = useQuery(importQuery(id))
  useKeys({ Escape: () => goTo(hashOf({ view: 'imports' })) })
  const one = found.data
  const crumb = { href: hashOf({ view: 'imports' }), text: t('view.imports') }
  if (!one) {
    return (
      <>
        <Bar title={t('import.file')} crumb={crumb} />
        {found.isError ? (
          <BlockFailed error={found.error} onRetry={() => void found.refetch()} />
        ) : (
          <ListWaiting />
        )}
      </>
    )
  }
  return (
    <>
      <Bar title={one.fileName} crumb={crumb} facts={t('import.row_count', { n: formatCount(one.rows) })} />
      <State one={one} />
      {one.status !== 'REFUSED' && one.status !== 'UNDONE' && <Preview one={one} />}
    </>
  )
}

/** What became of the file, in one sentence. */
function State({ one: { status, progress, refusal, made, credited, notApproved } }: { one: ImportDetail }) {
  if (status === 'REFUSED' && refusal) {
    return (
      <div className={css.part}>
        <MessageBox tone="bad">{refusal.message}</MessageBox>
      </div>
    )
  }
  if (status === 'CHECKING' || progress !== null) {
    const text = t(status === 'CHECKING' ? 'import.checking' : 'import.making')
    return (
      <div className={css.part} role="status">
        <p>{text}</p>
        <progress className={css.bar} value={progress ?? 0} max={100} aria-label={text} />
      </div>
    )
  }
  if (status === 'UNDONE') {
    return (
      <div className={css.part}>
        <MessageBox tone="info">{t('import.is_undone')}</MessageBox>
      </div>
    )
  }
  if (status !== 'CONFIRMED') return null
  return (
    <div className={css.part}>
      <MessageBox tone="ok">
        {(made > 0 || credited === 0) && `${t('import.is_made', { n: made })} `}
        {credited > 0 && `${t('import.is_credited', { n: credited })} `}
        {notApproved > 0 && `${t('import.not_approved', { n: notApproved })} `}
        <a href={hashOf({ view: 'invoices' }, { tab: 'drafts' })}>{t('import.to_drafts')}</a>
      </MessageBox>
    </div>
  )
}

function Preview({ one }: { one: ImportDetail }) {
  const asked = usePlace().query['tab'] ?? ''
  const first: RowTab = one.wrong > 0 ? 'wrong' : 'all'
  const tab: RowTab = Object.hasOwn(ROW_TABS, asked) ? (asked as RowTab) : first
  const mayWrite = useRight('draft')
  const isOpen = one.status === 'READY' || one.status === 'CONFIRMED'
  return (
    <>
      <Sums one={one} />
      {one.columns.length > 0 && mayWrite && isOpen && (
        <ImportMapping key={one.version} one={one} isMissing={one.missing.length > 0} />
      )}
      {one.status !== 'CHECKING' && <Rows key={tab} one={one} tab={tab} mayMend={mayWrite && isOpen} />}
      {mayWrite && isOpen && <ImportActs one={one} />}
    </>
  )
}

/** A bar of what is ready, here already and wrong, and what the ready rows come to. */
function Sums({ one: { rows, ready, wrong, unchanged, sums, creditNotes } }: { one: ImportDetail }) {
  const parts = [
    { id: 'ready', count: ready },
    { id: 'unchanged', count: unchanged },
    { id: 'wrong', count: wrong },
  ] as const
  return (
    <div className={css.part}>
      <div className={css.shares} aria-hidden="true">
        {rows > 0 &&
          parts.map(({ id, count }) =>
            count > 0 ? <span key={id} data-part={id} style={{ flexGrow: count }} /> : null,
          )}
      </div>
      <ul className={css.counts}>
        {parts.map(({ id, count }) => (
          <li key={id}>
            <span className={css.dot} data-part={id} aria-hidden="true" />
            <strong>{formatCount(count)}</strong> {t(`import.tab.${id}`)}
          </li>
        ))}
        {creditNotes > 0 && <li>{t('import.credit_note_count', { n: creditNotes })}</li>}
        {sums.map(({ currency, ready: sum, invoices }) => (
          <li key={currency} className={css.sum}>
            {t('import.invoice_count', { n: invoices })} <Figure minor={minorOf(sum)} currency={currency} />
          </li>
        ))}
      </ul>
    </div>
  )
}

type RowsProps = { one: ImportDetail; tab: RowTab; mayMend: boolean }

/** The rows of a tab, which begins at its first page. */
function Rows({ one, tab, mayMend }: RowsProps) {
  const [page, setPage] = useState(1)
  const found = useQuery(rowsQuery(one.id, tab, page))
  const counts: Readonly<Record<RowTab, number>> = {
    wrong: one.wrong,
    ready: one.ready,
    unchanged: one.unchanged,
    all: one.rows,
  }
  const pages = Math.max(1, Math.ceil((found.data?.total ?? 0) / ROWS_A_PAGE))
  return (
    <>
      <Tabs
        label={t('list.filters')}
        tabs={(Object.keys(ROW_TABS) as RowTab[]).map((id) => ({
          id,
          text: t(`import.tab.${id}`),
          count: counts[id],
        }))}
        current={tab}
        hrefOf={(next) => hashOf({ view: 'imports', id: one.id }, { tab: next })}
      />
      {found.isError && <BlockFailed error={found.error} onRetry={() => void found.refetch()} />}
      {found.isPending && <ListWaiting rows={4} />}
      {found.data?.items.length === 0 && <p className={css.part}>{t('import.no_rows')}</p>}
      <ul className={css.rows}>
        {found.data?.items.map((row) => (
          <ImportRowItem key={`${row.number}.${row.version}`} id={one.id} row={row} mayMend={mayMend} />
        ))}
      </ul>
      {pages > 1 && (
        <nav className={css.pages} aria-label={t('import.rows')}>
          <OfficeButton disabled={page <= 1} onClick={() => setPage(page - 1)}>
            {t('import.page_before')}
          </OfficeButton>
          <span>{t('import.page_of', { page, pages })}</span>
          <OfficeButton disabled={page >= pages} onClick={() => setPage(page + 1)}>
            {t('import.page_after')}
          </OfficeButton>
        </nav>
      )}
    </>
  )
}
