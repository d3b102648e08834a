import type { ReactNode } from 'react'
import css from './dashboard-page.module.css'

type BarsProps = {
  rows: readonly { readonly name: string; readonly value: number; readonly text: ReactNode }[]
}

const LEAST = 0.5

/** One bar a row, as long as its value is of the largest. The bar says nothing that the figure beside it does not. */
export function Bars({ rows }: BarsProps) {
  const most = Math.max(...rows.map(({ value }) => value), 1)
  return (
    <dl className={css.bars}>
      {rows.map(({ name, value, text }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd aria-hidden="true" className={css.track}>
            <svg viewBox="0 0 100 10" preserveAspectRatio="none" className={css.bar}>
              <rect width={value > 0 ? Math.max((value / most) * 100, LEAST) : 0} height="10" />
            </svg>
          </dd>
          <dd>{text}</dd>
        </div>
      ))}
    </dl>
  )
}
