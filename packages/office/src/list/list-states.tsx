import { Skeleton } from '@kvitt/ui/feedback/skeleton.tsx'
import type { ReactNode } from 'react'
import { OfficeButton } from '../parts/office-button.tsx'
import { t } from '../text.ts'
import css from './list-states.module.css'

/** Rows in their final size, while the list is asked for. */
export function ListWaiting({ rows = 8 }: { rows?: number }) {
  return (
    <div className={css.waiting} role="status" aria-label={t('list.loading')}>
      {Array.from({ length: rows }, (_, row) => (
        <div key={row} className={css.waitingRow}>
          <Skeleton height={0.875} />
        </div>
      ))}
    </div>
  )
}

/** Two equal bars: nothing is left. What it means, and what comes next. */
export function NothingLeft({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className={css.empty}>
      <svg width="54" height="26" viewBox="0 0 54 26" aria-hidden="true" className={css.bars}>
        <path d="M2 2h50v8H2zM2 17h50v8H2z" />
      </svg>
      <h2>{title}</h2>
      {children}
    </div>
  )
}

/** A filter that nothing passes, and the way out of it. */
export function NothingFound({ onClear }: { onClear: () => void }) {
  return (
    <div className={css.empty}>
      <h2>{t('list.nothing_found')}</h2>
      <OfficeButton onClick={onClear}>{t('list.clear')}</OfficeButton>
    </div>
  )
}
