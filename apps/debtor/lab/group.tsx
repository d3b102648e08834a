import type { ReactNode } from 'react'
import css from './lab.module.css'

/** A heading and its examples. */
export function Group({ name, children }: { name: string; children: ReactNode }) {
  return (
    <section className={css.group} aria-label={name}>
      <h2>{name}</h2>
      <div className={css.examples}>{children}</div>
    </section>
  )
}
