import type { ReactNode } from 'react'
import css from './facts.module.css'

export type FactRow = { readonly id: string; readonly name: string; readonly value: ReactNode }

/** Names to the left, what is known to the right; what is not known is left out. */
export function Facts({ rows }: { rows: readonly FactRow[] }) {
  return (
    <dl className={css.facts}>
      {rows
        .filter(({ value }) => value !== null && value !== undefined && value !== '' && value !== false)
        .map(({ id, name, value }) => (
          <div key={id}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  )
}
