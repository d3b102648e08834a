import { Icon } from '@kvitt/ui/components/icon.tsx'
import type { ReactNode } from 'react'
import { t } from '../text.ts'
import css from './bulk-bar.module.css'

/** What is selected, what it comes to, and what can be done with it. */
export function BulkBar(props: { count: number; sum: ReactNode; children?: ReactNode; onLeave: () => void }) {
  const { count, sum, children, onLeave } = props
  return (
    <div className={css.bar} role="region" aria-label={t('list.selected', { n: count })}>
      <span role="status" className={css.count}>
        {t('list.selected', { n: count })} <span className={css.sum}>{sum}</span>
      </span>
      {children}
      <button type="button" className={css.leave} aria-label={t('list.leave')} onClick={onLeave}>
        <Icon name="close" size={16} />
      </button>
    </div>
  )
}
