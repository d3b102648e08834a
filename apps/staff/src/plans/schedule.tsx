import { Figure } from '@kvitt/office/parts/figure.tsx'
import { hashOf } from '@kvitt/office/place.ts'
import { formatDay } from '@kvitt/ui/date-text.ts'
import { currentLanguage } from '@kvitt/ui/language/speak.ts'
import { minorOf } from '@kvitt/ui/minor-of.ts'
import { formatMoney } from '@kvitt/office/money-text.ts'
import { t } from '../text.ts'
import type { Plan } from './plan-calls.ts'
import { InstalmentChip } from './plan-chips.tsx'
import css from './plan-page.module.css'

type Instalment = Plan['schedule'][number]

/** Each instalment with what has become of it. */
export function Schedule({ plan: { schedule, currency } }: { plan: Plan }) {
  const hasMore = schedule.some(({ state }) => state === 'TO_COME')
  return (
    <section className={css.part}>
      <h2>{t('plan.instalments')}</h2>
      {hasMore && <p className={css.quiet}>{t('plan.to_come_text')}</p>}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls is reached by the keys */}
      <div className={css.scroll} tabIndex={0} role="group" aria-label={t('plan.instalments')}>
        <table className={css.lines} aria-label={t('plan.instalments')}>
          <thead>
            <tr>
              <th scope="col">{t('plan.instalment')}</th>
              <th scope="col">{t('plan.due')}</th>
              <th scope="col">{t('plan.state')}</th>
              <th scope="col">{t('plan.bill')}</th>
              <th scope="col">{t('act.amount')}</th>
            </tr>
          </thead>
          <tbody>
            {schedule.map((instalment) => (
              <InstalmentRow key={instalment.number} instalment={instalment} currency={currency} />
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}

function InstalmentRow({ instalment, currency }: { instalment: Instalment; currency: string }) {
  const { number, dueDate, amount, state, invoice } = instalment
  const note = noteOf(instalment, currency)
  return (
    <tr>
      <th scope="row">{number}</th>
      <td>{formatDay(dueDate, 'short')}</td>
      <td>
        <span className={css.state}>
          <InstalmentChip state={state} />
          {note && <span className={css.note}>{note}</span>}
        </span>
      </td>
      <td>{invoice ? <a href={hashOf({ view: 'invoices', id: invoice.id })}>{invoice.number}</a> : '–'}</td>
      <td>
        <Figure minor={minorOf(amount)} currency={currency} />
      </td>
    </tr>
  )
}

/** When it was paid, or what is left of it when some of it was. */
function noteOf({ state, paidOn, balance, amount }: Instalment, currency: string): string | undefined {
  if (paidOn) return t('plan.paid_on', { day: formatDay(paidOn, 'short') })
  const isOpen = state === 'DUE' || state === 'LATE'
  if (!isOpen || balance === null || balance === amount) return undefined
  return t('plan.balance_left', { amount: formatMoney(minorOf(balance), currency, currentLanguage()) })
}
