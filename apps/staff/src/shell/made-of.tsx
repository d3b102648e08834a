import { Figure } from '@kvitt/office/parts/figure.tsx'
import { minorOf } from '@kvitt/ui/minor-of.ts'
import { t } from '../text.ts'
import css from './made-of.module.css'

type Balances = {
  readonly total: number
  readonly principal: number
  readonly costs: number
  readonly interest: number
}

/** The sum, explained: each part, and the balance closed with the double rule. */
export function MadeOf(props: { balances: Balances; asked: number; currency: string }) {
  const { balances, asked, currency } = props
  const parts = [
    ['principal', t('invoice.principal'), balances.principal],
    ['costs', t('invoice.costs'), balances.costs],
    ['interest', t('invoice.interest'), balances.interest],
  ] as const
  return (
    <>
      <h2>{t('invoice.made_of')}</h2>
      <dl className={css.sums}>
        <div className={css.asked}>
          <dt>{t('invoice.asked')}</dt>
          <dd>
            <Figure minor={minorOf(asked)} currency={currency} isBare />
          </dd>
        </div>
        {parts.map(([id, name, amount]) => (
          <div key={id}>
            <dt>{name}</dt>
            <dd>
              <Figure minor={minorOf(amount)} currency={currency} isBare />
            </dd>
          </div>
        ))}
        <div className={css.total}>
          <dt>{t('invoice.balance_in', { currency })}</dt>
          <dd>
            <Figure minor={minorOf(balances.total)} currency={currency} isBare />
          </dd>
        </div>
      </dl>
    </>
  )
}
