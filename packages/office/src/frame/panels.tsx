import type { ReactNode } from 'react'
import css from './panels.module.css'

/** A list and, at its right, the panel of the row that is open. Where there is no room for both, the panel is the page. */
export function Panels({ children, panel }: { children: ReactNode; panel?: ReactNode }) {
  return (
    <div className={css.panels} data-open={panel ? true : undefined}>
      <div className={css.list}>{children}</div>
      {panel && <div className={css.panel}>{panel}</div>}
    </div>
  )
}
