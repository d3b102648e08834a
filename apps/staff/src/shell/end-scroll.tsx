import type { ReactNode } from 'react'
import { t } from '../text.ts'
import css from './end-scroll.module.css'

/** A chart that may be wider than its place. Its end is what one looks at first; the keys reach the rest. */
export function EndScroll({ children }: { children: ReactNode }) {
  return (
    <div
      className={css.scroll}
      ref={(box) => {
        if (box) box.scrollLeft = box.scrollWidth
      }}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls is reached by the keys
      tabIndex={0}
      role="group"
      aria-label={t('figures.chart')}
    >
      {children}
    </div>
  )
}
