import type { AnswerOf } from '@kvitt/domain/contract.ts'
import type { getInvoiceOwnPlan } from '@kvitt/domain/conversations/conversation.contract.ts'
import { formatDay } from '@kvitt/ui/date-text.ts'
import { currentLanguage } from '@kvitt/ui/language/speak.ts'
import { minorOf } from '@kvitt/ui/minor-of.ts'
import { formatMoney } from '@kvitt/ui/money-text.ts'
import { FactList, type Fact } from '@kvitt/ui/values/fact-list.tsx'
import { formatRate } from '../shell/rate-text.ts'
import { t } from '../text.ts'
import css from './talk.module.css'

export type OwnPlan = AnswerOf<typeof getInvoiceOwnPlan>

/** What a plan comes to: how many payments, until when, and what it costs. */
export function PlanFigures({ plan }: { plan: OwnPlan }) {
  const money = (amount: number) => formatMoney(minorOf(amount), plan.currency, currentLanguage())
  const { instalmentCount: count, firstAmount, lastAmount, monthlyAmount, effectiveRate } = plan
  const facts: readonly (Fact | false)[] = [
    { id: 'count', name: t('plan.count'), value: count },
    firstAmount !== monthlyAmount && {
      id: 'first',
      name: t('plan.first_amount'),
      value: money(firstAmount),
    },
    { id: 'last', name: t('request.plan_last'), value: formatDay(plan.lastDueDate) },
    { id: 'last-amount', name: t('request.plan_last_amount'), value: money(lastAmount) },
    plan.totalInterest > 0 && {
      id: 'interest',
      name: t('plan.interest'),
      value: money(plan.totalInterest),
      isPart: true,
    },
    plan.totalFees > 0 && {
      id: 'fees',
      name: t('request.plan_fees'),
      value: money(plan.totalFees),
      isPart: true,
    },
    plan.totalCost > 0 &&
      effectiveRate !== null && {
        id: 'rate',
        name: t('request.plan_rate'),
        value: formatRate(effectiveRate),
      },
    { id: 'total', name: t('request.plan_total'), value: money(plan.totalToPay), isTotal: true },
  ]
  return (
    <div className={css.figures}>
      <FactList facts={facts.filter((fact) => fact !== false)} />
      <p className={css.who}>{plan.totalCost > 0 ? t('request.plan_today') : t('request.plan_free')}</p>
    </div>
  )
}
