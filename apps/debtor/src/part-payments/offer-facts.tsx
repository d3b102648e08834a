import { FactList, type Fact } from '@kvitt/ui/components/fact-list.tsx'
import { formatDay } from '@kvitt/ui/date-text.ts'
import { currentLanguage } from '@kvitt/ui/language/speak.ts'
import { formatMoney, minorOf } from '@kvitt/ui/money-text.ts'
import { t, type MessageId } from '../text.ts'
import type { Offer } from './plan-method.tsx'

/** A yearly rate in percent, with a decimal comma as amounts have it: "19,9 %". */
export function formatRate(rate: number): string {
  return `${String(rate).replace('.', ',')}\u00a0%`
}

function pricesOf(offer: Offer) {
  if ('partPaymentPlanSetting' in offer) {
    const { priceStartFee, priceAdministrationFee, priceInterest, priceInterestFreeDays } =
      offer.partPaymentPlanSetting
    return {
      start: priceStartFee,
      monthly: priceAdministrationFee,
      interest: priceInterest,
      freeDays: priceInterestFreeDays,
    }
  }
  const { priceStartFee, priceAdministrationFee, priceInterest } = offer.partPaymentAccountSetting
  return { start: priceStartFee, monthly: priceAdministrationFee, interest: priceInterest, freeDays: 0 }
}

/** What the chosen offer consists of; the total is the figure with the double rule. */
export function OfferFacts({ offer }: { offer: Offer }) {
  const language = currentLanguage()
  const money = (amount: number) => formatMoney(minorOf(amount), offer.currency, language)
  const { start, monthly, interest, freeDays } = pricesOf(offer)
  const isAccount = offer.variant === 'PART_PAYMENT_ACCOUNT'
  const fact = (name: MessageId, value: string): Fact => ({ id: name, name: t(name), value })
  const facts: Fact[] = [
    fact(isAccount ? 'part.estimate' : 'plan.monthly_amount', money(offer.monthlyAmount)),
    fact('plan.first_due', formatDay(offer.firstDueDate, language)),
    fact('part.credit_amount', money(offer.creditAmount)),
    fact('part.start_fee', money(start)),
    fact('plan.monthly_fee', money(monthly)),
    fact('part.interest', formatRate(interest)),
  ]
  if (freeDays > 0) facts.push(fact('part.interest_free_days', String(freeDays)))
  facts.push(
    fact(
      'part.effective_rate',
      offer.effectiveRate === null ? t('plan.not_available') : formatRate(offer.effectiveRate),
    ),
    fact('part.credit_cost', `+ ${money(offer.totalCost)}`),
    { ...fact('part.total_to_pay', money(offer.totalToPay)), isTotal: true },
  )
  return <FactList facts={facts} />
}
