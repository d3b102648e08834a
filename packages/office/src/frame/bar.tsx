import type { ReactNode } from 'react'
import css from './bar.module.css'

type BarProps = {
  title: string
  /** A link back to the list that this is one of. */
  crumb?: { readonly href: string; readonly text: string }
  chip?: ReactNode
  facts?: ReactNode
  /** At the right; at most one is primary. */
  actions?: ReactNode
}

/** The head of a view: its name, one line of facts, and what can be done. */
export function Bar({ title, crumb, chip, facts, actions }: BarProps) {
  return (
    <header className={css.bar}>
      <div className={css.title}>
        {crumb && (
          <nav className={css.crumb} aria-label={crumb.text}>
            <a href={crumb.href}>{crumb.text}</a>
            <span aria-hidden="true"> /</span>
          </nav>
        )}
        <h1 tabIndex={-1}>{title}</h1>
        {chip}
      </div>
      {facts && <p className={css.facts}>{facts}</p>}
      {actions && <div className={css.actions}>{actions}</div>}
    </header>
  )
}
