import { currentLanguage } from '@kvitt/ui/language/speak.ts'
import { splitMoney } from '../money-text.ts'
import css from './figure.module.css'

type FigureProps = {
  /** In minor units. */
  minor: number
  currency: string
  /** The currency stands elsewhere, such as in the head of the column. */
  isBare?: boolean
  look?: 'column' | 'large'
}

/** An amount with its decimals a step quieter. */
export function Figure({ minor, currency, isBare = false, look = 'column' }: FigureProps) {
  const { whole, rest } = splitMoney(minor, currency, currentLanguage())
  const [decimals = '', symbol = ''] = rest.split('\u00a0')
  return (
    <span className={css.figure} data-look={look}>
      {whole}
      <span className={css.rest}>{decimals}</span>
      {!isBare && <span className={css.symbol}>{`\u00a0${symbol}`}</span>}
    </span>
  )
}
