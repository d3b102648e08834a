import { Figure } from '@kvitt/office/parts/figure.tsx'
import { formatDay } from '@kvitt/ui/date-text.ts'
import { minorOf } from '@kvitt/ui/minor-of.ts'
import { stepText } from '../shell/steps.ts'
import { t } from '../text.ts'
import css from './coming-steps.module.css'

type ComingStep = { readonly type: string; readonly date: string; readonly fee: number | null }

/** Days and fees that follow when it is handed over today: said before it is done. */
export function ComingSteps({ steps, currency }: { steps: readonly ComingStep[]; currency: string }) {
  const sum = steps.reduce((all, { fee }) => all + minorOf(fee ?? 0), 0)
  return (
    <table className={css.steps}>
      <caption>{t('story.then')}</caption>
      <tbody>
        {steps.map(({ type, date, fee }) => (
          <tr key={`${type} ${date}`}>
            <th scope="row">{stepText(type)}</th>
            <td>{formatDay(date, 'dayMonth')}</td>
            <td className={css.amount}>
              {fee === null ? '–' : <Figure minor={minorOf(fee)} currency={currency} isBare />}
            </td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row" colSpan={2}>
            {t('story.fees_for_debtor', { currency })}
          </th>
          <td className={css.amount}>
            <Figure minor={sum} currency={currency} isBare />
          </td>
        </tr>
      </tfoot>
    </table>
  )
}
