import { splitMoney } from '../money-text.ts'
import { currentLanguage } from '../language/speak.ts'
import css from './amount.module.css'

/**
 * The large figure of a screen: whole units at full size, the rest smaller, and the double rule that says
 * "this is the total". Screen readers and the clipboard get the amount as one text.
 */
export function Amount(props: { minor: number; currency: string; rule?: 'brand' | 'ok' | 'waiting' }) {
  const { minor, currency, rule = 'brand' } = props
  const { whole, rest } = splitMoney(minor, currency, currentLanguage())
  return (
    <span className={css.amount} data-rule={rule}>
      <span className={css.drawn} aria-hidden="true">
        {whole}
        <span className={css.rest}>{rest}</span>
      </span>
      <span className="spoken">{whole + rest}</span>
    </span>
  )
}
