import { Icon } from '@kvitt/ui/components/icon.tsx'
import { formatCount } from '@kvitt/ui/count-text.ts'
import type { ReactNode } from 'react'
import { OfficeButton } from '../parts/office-button.tsx'
import { t } from '../text.ts'
import css from './bulk-bar.module.css'

/** What is selected, what it comes to, and what can be done with it. */
export function BulkBar(props: {
  count: number
  sum: ReactNode
  /** All that the search finds, where that is more than what is selected. */
  found?: { readonly count: number; readonly onSelect: () => void } | undefined
  children?: ReactNode
  onLeave: () => void
}) {
  const { count, sum, found, children, onLeave } = props
  return (
    <div className={css.bar} role="region" aria-label={t('list.selected', { n: count })}>
      <span role="status" className={css.count}>
        {t('list.selected', { n: count })} <span className={css.sum}>{sum}</span>
      </span>
      {children}
      {found && (
        <OfficeButton look="quiet" onClick={found.onSelect}>
          {t('list.select_found', { n: formatCount(found.count) })}
        </OfficeButton>
      )}
      <button type="button" className={css.leave} aria-label={t('list.leave')} onClick={onLeave}>
        <Icon name="close" size={16} />
      </button>
    </div>
  )
}
