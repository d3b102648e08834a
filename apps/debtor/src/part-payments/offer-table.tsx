import { currentLanguage } from '@kvitt/ui/language/speak.ts'
import { minorOf, splitMoney } from '@kvitt/ui/money-text.ts'
import { useSyncExternalStore } from 'react'
import { t } from '../text.ts'
import { formatRate, pricesOf } from './offer-facts.tsx'
import css from './offer-table.module.css'
import type { Offer } from './plan-method.tsx'

type TableProps = { offers: readonly Offer[]; chosen: string; onChoose: (code: string) => void }

/** Figures stand in columns as they are compared; more offers, or longer figures, do not fit beside each other. */
const MOST_IN_TABLE = 3
const LONGEST_FIGURE = 9

/** From here on the payment card is wide enough. */
const ROOMY = matchMedia('(min-width: 1280px)')

function subscribe(changed: () => void): () => void {
  ROOMY.addEventListener('change', changed)
  return () => ROOMY.removeEventListener('change', changed)
}

/** Can these offers be compared as a table in this window? */
export function useFitsTable(offers: readonly Offer[]): boolean {
  const isRoomy = useSyncExternalStore(subscribe, () => ROOMY.matches)
  const isShort = offers.every((offer) => figureOf(offer, offer.totalToPay).length <= LONGEST_FIGURE)
  return isRoomy && isShort && offers.length > 1 && offers.length <= MOST_IN_TABLE
}

/** Without the currency, which stands once at the head of the table. */
function figureOf({ currency }: Offer, amount: number): string {
  const { whole, rest } = splitMoney(minorOf(amount), currency, currentLanguage())
  return whole + rest.replace(/\D+$/, '')
}

type Row = { name: string; of: (offer: Offer) => string; look?: 'strong' | 'total' }

function rowsOf(): readonly Row[] {
  return [
    { name: t('plan.monthly_amount'), of: (o) => figureOf(o, o.monthlyAmount), look: 'strong' },
    { name: t('part.start_fee'), of: (o) => figureOf(o, pricesOf(o).start) },
    { name: t('plan.monthly_fee'), of: (o) => figureOf(o, pricesOf(o).monthly) },
    { name: t('part.interest'), of: (o) => formatRate(pricesOf(o).interest) },
    {
      name: t('part.effective_rate'),
      of: (o) => (o.effectiveRate === null ? t('plan.not_available') : formatRate(o.effectiveRate)),
    },
    { name: t('plan.extra'), of: (o) => `+\u00a0${figureOf(o, o.totalCost)}`, look: 'strong' },
    { name: t('part.total_to_pay'), of: (o) => figureOf(o, o.totalToPay), look: 'total' },
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
            <td className={css.corner}>{offers[0]?.currency}</td>
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
