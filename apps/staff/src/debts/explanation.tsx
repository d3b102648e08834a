import type { AnswerOf } from '@kvitt/domain/contract.ts'
import type { explainOfficeInvoice } from '@kvitt/domain/invoices/office-invoice-detail.contract.ts'
import { Figure } from '@kvitt/office/parts/figure.tsx'
import { currentLanguage } from '@kvitt/ui/language/speak.ts'
import { minorOf } from '@kvitt/ui/minor-of.ts'
import { decimalText, formatMoney } from '@kvitt/office/money-text.ts'
import madeOfCss from '../shell/made-of.module.css'
import { t } from '../text.ts'
import { eventText } from './event-text.ts'
import { partsOf, type ExplainedPart } from './explained.ts'
import css from './explanation.module.css'

type Explanation = AnswerOf<typeof explainOfficeInvoice>

/** The balance to the öre: each kind of movement, interest with what it was counted on, closed with the double rule. */
export function Explained({ explanation, currency }: { explanation: Explanation; currency: string }) {
  return (
    <dl className={madeOfCss.sums}>
      {partsOf(explanation.lines).map((part) => (
        <div key={`${part.type} ${part.subType}`}>
          <dt>
            {eventText(part.type, part.subType)}
            {part.count > 1 && <span className={css.times}> × {part.count}</span>}
            <Periods periods={part.periods} currency={currency} />
          </dt>
          <dd>
            <Figure minor={part.minor} currency={currency} isBare />
          </dd>
        </div>
      ))}
      <div className={madeOfCss.total}>
        <dt>{t('invoice.balance_in', { currency })}</dt>
        <dd>
          <Figure minor={minorOf(explanation.balances.total)} currency={currency} isBare />
        </dd>
      </div>
    </dl>
  )
}

/** "15 750,00 kr × 10,00 % × 6 days" */
function Periods({ periods, currency }: Pick<ExplainedPart, 'periods'> & { currency: string }) {
  const language = currentLanguage()
  return periods.map(({ rate, from, days, principal }) => (
    <span key={`${from} ${rate}`} className={css.period}>
      {t('story.period', {
        principal: formatMoney(minorOf(principal), currency, language),
        rate: decimalText(rate),
        days,
      })}
    </span>
  ))
}
