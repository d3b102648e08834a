import { currentLanguage } from '@kvitt/ui/language/speak.ts'
import { formatMoney, minorOf } from '@kvitt/ui/money-text.ts'
import { t } from '../text.ts'
import { formatRate, pricesOf } from './offer-facts.tsx'
import css from './offer-table.module.css'
import type { Offer } from './plan-method.tsx'

type TableProps = { offers: readonly Offer[]; chosen: string; onChoose: (code: string) => void }

/** Figures stand in a column as they are compared; more offers than this do not fit beside each other. */
export const MOST_IN_TABLE = 3

type Row = { name: string; of: (offer: Offer) => string; look?: 'strong' | 'total' }

function rowsOf(): readonly Row[] {
  const money = (amount: number, { currency }: Offer) =>
    formatMoney(minorOf(amount), currency, currentLanguage())
  return [
    { name: t('plan.monthly_amount'), of: (o) => money(o.monthlyAmount, o), look: 'strong' },
    { name: t('part.start_fee'), of: (o) => money(pricesOf(o).start, o) },
    { name: t('plan.monthly_fee'), of: (o) => money(pricesOf(o).monthly, o) },
    { name: t('part.interest'), of: (o) => formatRate(pricesOf(o).interest) },
    {
      name: t('part.effective_rate'),
      of: (o) => (o.effectiveRate === null ? t('plan.not_available') : formatRate(o.effectiveRate)),
    },
    { name: t('plan.extra'), of: (o) => `+\u00a0${money(o.totalCost, o)}`, look: 'strong' },
    { name: t('part.total_to_pay'), of: (o) => money(o.totalToPay, o), look: 'total' },
  ]
}

/** The offers as columns of a table on wide screens; a column is chosen at its head or anywhere in it. */
export function OfferTable({ offers, chosen, onChoose }: TableProps) {
  return (
    <fieldset>
      <legend className="spoken">{t('plan.choose')}</legend>
      <table className={css.table}>
        <thead>
          <tr>
            <td />
            {offers.map((offer) => (
              <th key={offer.code} scope="col" data-chosen={offer.code === chosen || undefined}>
                <label className={css.head}>
                  <input
                    type="radio"
                    className={css.radio}
                    name="plan"
                    value={offer.code}
                    checked={offer.code === chosen}
                    onChange={() => onChoose(offer.code)}
                  />
                  <span>{t('part.months', { n: offer.instalmentCount })}</span>
                  {offer.variant === 'ONGOING_PAYMENT' && (
                    <span className={css.kind}>{t('tag.ongoing_payment')}</span>
                  )}
                </label>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rowsOf().map(({ name, of, look }) => (
            <tr key={name} data-look={look}>
              <th scope="row">{name}</th>
              {offers.map((offer) => (
                // biome-ignore lint: the radio at the head is what the keyboard uses
                <td
                  key={offer.code}
                  data-chosen={offer.code === chosen || undefined}
                  onClick={() => onChoose(offer.code)}
                >
                  <span>{of(offer)}</span>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </fieldset>
  )
}
