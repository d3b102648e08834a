import { currentLanguage } from '@kvitt/ui/language/speak.ts'
import { minorOf } from '@kvitt/ui/minor-of.ts'
import { splitMoney } from '@kvitt/ui/money-text.ts'
import { useSyncExternalStore } from 'react'
import { t } from '../text.ts'
import { formatRate } from '../shell/rate-text.ts'
import { kindOf, pricesOf } from './offer-facts.tsx'
import css from './offer-table.module.css'
import type { Offer } from './plan-method.tsx'

/** `beside`: what a row is called stands beside its figures. `above`: it stands over them, where they need the room. */
type Layout = 'beside' | 'above'

type TableProps = {
  offers: readonly Offer[]
  chosen: string
  layout: Layout
  onChoose: (code: string) => void
}

/** How many offers fit beside each other, and how many signs a figure of theirs may have. */
type Room = { readonly layout: Layout; readonly offers: number; readonly signs: number }

const WIDE = matchMedia('(min-width: 961px)')
const ROOMY = matchMedia('(min-width: 1280px)')
/** A method's card is 286 pixels wide inside from 961 on and 400 from 1280 on. */
const IN_WIDE: readonly Room[] = [
  { layout: 'above', offers: 3, signs: 11 },
  { layout: 'above', offers: 4, signs: 8 },
]
const IN_ROOMY: readonly Room[] = [
  { layout: 'beside', offers: 3, signs: 9 },
  { layout: 'above', offers: 4, signs: 12 },
  { layout: 'above', offers: 5, signs: 9 },
]

function subscribe(changed: () => void): () => void {
  for (const window of [WIDE, ROOMY]) window.addEventListener('change', changed)
  return () => {
    for (const window of [WIDE, ROOMY]) window.removeEventListener('change', changed)
  }
}

/** How these offers can be compared as a table in this window; undefined when they cannot. */
export function useTableLayout(offers: readonly Offer[]): Layout | undefined {
  const rooms = useSyncExternalStore(subscribe, () =>
    ROOMY.matches ? IN_ROOMY : WIDE.matches ? IN_WIDE : undefined,
  )
  if (offers.length < 2) return undefined
  const longest = Math.max(...rowsOf().flatMap(({ of }) => offers.map((offer) => of(offer).length)))
  return rooms?.find((room) => offers.length <= room.offers && longest <= room.signs)?.layout
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
      of: (o) => (o.effectiveRate === null ? '–' : formatRate(o.effectiveRate)),
    },
    { name: t('plan.extra'), of: (o) => `+${figureOf(o, o.totalCost)}`, look: 'strong' },
    { name: t('part.total_to_pay'), of: (o) => figureOf(o, o.totalToPay), look: 'total' },
  ]
}

const monthsOf = (offer: Offer): string => t('part.months', { n: offer.instalmentCount })

/** The offers as columns of a table on wide screens; a column is chosen at its head or anywhere in it. */
export function OfferTable({ offers, chosen, layout, onChoose }: TableProps) {
  // A head breaks between number and month nowhere.
  const isShort = offers.length > 3 || offers.some((o) => monthsOf(o).length > 10)
  return (
    <fieldset>
      <legend className="spoken">{t('plan.choose')}</legend>
      <table className={css.table} data-layout={layout}>
        <thead>
          <tr>
            {layout === 'beside' && <td className={css.corner}>{offers[0]?.currency}</td>}
            {offers.map((offer) => (
              <th key={offer.code} scope="col" data-chosen={offer.code === chosen || undefined}>
                <Head
                  offer={offer}
                  kind={kindOf(offer, offers)}
                  isChosen={offer.code === chosen}
                  isShort={isShort}
                  onChoose={onChoose}
                />
              </th>
            ))}
          </tr>
        </thead>
        {rowsOf().map(({ name, of, look }, index) => {
          const figures = offers.map((offer) => (
            // biome-ignore lint: the radio at the head is what the keyboard uses
            <td
              key={offer.code}
              data-chosen={offer.code === chosen || undefined}
              onClick={() => onChoose(offer.code)}
            >
              <span>{of(offer)}</span>
            </td>
          ))
          const isMoney = index === 0 && layout === 'above'
          return (
            <tbody key={name} data-look={look}>
              {layout === 'beside' ? (
                <tr>
                  <th scope="row">{name}</th>
                  {figures}
                </tr>
              ) : (
                <>
                  <tr>
                    <th scope="rowgroup" colSpan={offers.length}>
                      {name}
                      {isMoney && ` (${offers[0]?.currency})`}
                    </th>
                  </tr>
                  <tr>{figures}</tr>
                </>
              )}
            </tbody>
          )
        })}
      </table>
    </fieldset>
  )
}

type HeadProps = {
  offer: Offer
  kind: string | undefined
  isChosen: boolean
  isShort: boolean
  onChoose: (code: string) => void
}

function Head({ offer, kind, isChosen, isShort, onChoose }: HeadProps) {
  const n = offer.instalmentCount
  return (
    <label className={css.head}>
      <input
        type="radio"
        className={css.radio}
        name="plan"
        value={offer.code}
        checked={isChosen}
        onChange={() => onChoose(offer.code)}
      />
      {isShort ? (
        <>
          <span aria-hidden="true">{t('part.months_short', { n })}</span>
          <span className="spoken">{monthsOf(offer)}</span>
        </>
      ) : (
        <span>{monthsOf(offer)}</span>
      )}
      {kind && <span className={css.kind}>{kind}</span>}
    </label>
  )
}
