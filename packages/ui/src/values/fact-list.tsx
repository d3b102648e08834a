import type { ReactNode } from 'react'
import css from './fact-list.module.css'

export type Fact = {
  readonly id: string
  readonly name: string
  readonly value: ReactNode
  /** What the value was counted with. */
  readonly note?: string
  /** A part of the value above it, which comes to the sum already. */
  readonly isPart?: boolean
  /** The last row of a calculation: a stronger line above it and the double rule below its figure. */
  readonly isTotal?: boolean
}

/** Names to the left, values to the right, hairlines between. */
export function FactList({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl className={css.list}>
      {facts.map(({ id, name, value, note, isPart = false, isTotal = false }) => (
        <div
          key={id}
          className={css.row}
          data-total={isTotal || undefined}
          data-part={isPart || undefined}
          data-noted={isPart || note !== undefined || undefined}
        >
          <dt>
            {name}
            {note && <span className={css.note}>{note}</span>}
          </dt>
          <dd>
            <span className={css.value}>{value}</span>
          </dd>
        </div>
      ))}
    </dl>
  )
}
