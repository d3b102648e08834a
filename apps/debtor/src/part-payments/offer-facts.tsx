import { FactList, type Fact } from '@kvitt/ui/values/fact-list.tsx'
import { formatDay } from '@kvitt/ui/date-text.ts'
import { currentLanguage } from '@kvitt/ui/language/speak.ts'
import { minorOf } from '@kvitt/ui/minor-of.ts'
import { formatMoney } from '@kvitt/ui/money-text.ts'
import { formatRate } from '../shell/rate-text.ts'
import { t, type MessageId } from '../text.ts'
import type { Offer } from './plan-method.tsx'
import css from './start-plan.module.css'

/** What an offer costs, by the names of its kind. */
export function pricesOf(offer: Offer) {
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

const hasTwin = (offer: Offer, offers: readonly Offer[]): boolean =>
  offers.some((o) => o !== offer && o.instalmentCount === offer.instalmentCount)

/** What kind of part payment it is, where that alone tells it from another that lasts as long. */
export function kindOf(offer: Offer, offers: readonly Offer[]): string | undefined {
  if (offer.variant === 'ONGOING_PAYMENT') return t('tag.ongoing_payment')
  return hasTwin(offer, offers) ? t('tag.part_payment') : undefined
}

/** What an ongoing payment is; and when another that lasts as long costs the same, that it makes no difference. */
export function OngoingMeans({ offers }: { offers: readonly Offer[] }) {
  const ongoing = offers.find(({ variant }) => variant === 'ONGOING_PAYMENT')
  if (!ongoing) return null
  const { instalmentCount, totalToPay } = ongoing
  const isSame = offers.some(
    (o) => o !== ongoing && o.instalmentCount === instalmentCount && o.totalToPay === totalToPay,
  )
  return (
    <p className={css.note}>
      {t('plan.ongoing_means')} {isSame && t('plan.same_cost', { n: instalmentCount })}
    </p>
  )
}

/** What the chosen offer consists of; beside a table only what that leaves out. The total has the double rule. */
export function OfferFacts({ offer, isBesideTable }: { offer: Offer; isBesideTable: boolean }) {
  const language = currentLanguage()
  const money = (amount: number) => formatMoney(minorOf(amount), offer.currency, language)
  const { start, monthly, interest, freeDays } = pricesOf(offer)
  const isAccount = offer.variant === 'PART_PAYMENT_ACCOUNT'
  const fact = (name: MessageId, value: string): Fact => ({ id: name, name: t(name), value })
  const first = fact('plan.first_due', formatDay(offer.firstDueDate))
  const credit = fact('part.credit_amount', money(offer.creditAmount))
  const free = freeDays > 0 ? [fact('part.interest_free_days', String(freeDays))] : []
  // With the start fee, if there is one: not what an ordinary month is.
  const firstAmount =
    offer.firstAmount === offer.monthlyAmount ? [] : [fact('plan.first_amount', money(offer.firstAmount))]
  if (isBesideTable) return <FactList facts={[first, ...firstAmount, credit, ...free]} />
  const facts: Fact[] = [
    fact(isAccount ? 'part.estimate' : 'plan.monthly_amount', money(offer.monthlyAmount)),
    first,
    ...firstAmount,
    credit,
    fact('part.start_fee', money(start)),
    fact('plan.monthly_fee', money(monthly)),
    fact('part.interest', formatRate(interest)),
    ...free,
    fact(
      'part.effective_rate',
      offer.effectiveRate === null ? t('plan.not_available') : formatRate(offer.effectiveRate),
    ),
    fact('part.credit_cost', `+ ${money(offer.totalCost)}`),
    { ...fact('part.total_to_pay', money(offer.totalToPay)), isTotal: true },
  ]
  return <FactList facts={facts} />
}
