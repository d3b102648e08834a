import { currentLanguage } from '@kvitt/ui/language/speak.ts'
import { minorOf } from '@kvitt/ui/minor-of.ts'
import { formatMoney } from '@kvitt/ui/money-text.ts'
import { t } from '../text.ts'
import css from './offer-cards.module.css'
import { formatRate } from '../shell/rate-text.ts'
import { kindOf, pricesOf } from './offer-facts.tsx'
import type { Offer } from './plan-method.tsx'

type CardsProps = { offers: readonly Offer[]; chosen: string; onChoose: (code: string) => void }

/** Every offer with the same figures, so that they can be compared: the total is as large as the month. */
export function OfferCards({ offers, chosen, onChoose }: CardsProps) {
  return (
    <fieldset className={css.cards}>
      <legend className="spoken">{t('plan.choose')}</legend>
      {offers.map((offer) => (
        <label key={offer.code} className={css.card} data-chosen={offer.code === chosen || undefined}>
          <input
            type="radio"
            className={css.radio}
            name="plan"
            value={offer.code}
            checked={offer.code === chosen}
            onChange={() => onChoose(offer.code)}
          />
          <OfferFigures offer={offer} kind={kindOf(offer, offers)} />
        </label>
      ))}
    </fieldset>
  )
}

function OfferFigures({ offer, kind }: { offer: Offer; kind: string | undefined }) {
  const money = (amount: number) => formatMoney(minorOf(amount), offer.currency, currentLanguage())
  const { start } = pricesOf(offer)
  return (
    <span className={css.text}>
      <span className={css.row}>
        <span className={css.name}>
          {t('part.months', { n: offer.instalmentCount })} {kind && <span className={css.kind}>{kind}</span>}
        </span>
        <span className={css.figure}>{t('plan.a_month', { amount: money(offer.monthlyAmount) })}</span>
      </span>
      {start !== 0 && (
        <span className={css.row}>
          <span>{t('part.start_fee')}</span>
          <span className={css.figure}>+ {money(start)}</span>
        </span>
      )}
      <span className={css.row}>
        <span>{t('part.total_to_pay')}</span>
        <span className={css.figure}>{money(offer.totalToPay)}</span>
      </span>
      <span className={css.row}>
        <span>{t('plan.extra')}</span>
        <span className={css.figure}>+ {money(offer.totalCost)}</span>
      </span>
      <span className={css.row}>
        <span>{t('part.effective_rate')}</span>
        <span>
          {offer.effectiveRate === null ? t('plan.not_available') : formatRate(offer.effectiveRate)}
        </span>
      </span>
    </span>
  )
}
