import { Figure } from '@kvitt/office/parts/figure.tsx'
import type { ReactNode } from 'react'
import css from './hero.module.css'

type HeroProps = {
  label: string
  minor: number
  currency: string
  note?: ReactNode
  /** Whose it is. */
  children: ReactNode
  /** How it is counted. */
  aside?: ReactNode
}

/** The amount first, then whose it is, then what it is made of. */
export function Hero({ label, minor, currency, note, children, aside }: HeroProps) {
  return (
    <section className={css.hero}>
      <div>
        <p className={css.quiet}>{label}</p>
        <p>
          <Figure minor={minor} currency={currency} look="large" />
        </p>
        {note && <p className={css.quiet}>{note}</p>}
      </div>
      <div>{children}</div>
      {aside && <div>{aside}</div>}
    </section>
  )
}
