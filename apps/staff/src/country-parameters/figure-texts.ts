/** What it costs that a figure is not known, and what an entry would do. */
import { CREDIT_CAP, isClosed, REFERENCE_RATE } from '@kvitt/domain/collection/entered-figures.ts'
import { countryName } from '../shell/figure-words.ts'
import { t } from '../text.ts'
import type { Country, Figure } from './figure-calls.ts'

const COURT = '.BAILIFF_PAYMENT_INJUCTION'

type In = { readonly isLive: boolean; readonly country: Country }

/** Nobody has confirmed it: what that costs. Undefined where it costs nothing. */
export function costText(figure: Figure, { isLive, country }: In): string | undefined {
  const { state, openDebts: count, withoutCost } = figure
  const where = countryName(country.country)
  if (isClosed(country.country, figure.figure)) return t('rates.closed', { country: where })
  if (figure.figure === CREDIT_CAP)
    return isCapKnown(figure, { isLive, country }) ? undefined : t('rates.cost.cap', { country: where })
  if (state !== 'ASSUMED' && state !== 'UNKNOWN') return undefined
  if (!isLive && state === 'ASSUMED') return t('rates.cost.demo')
  if (figure.figure === REFERENCE_RATE) return t('rates.cost.rate', { count, country: where })
  if (figure.figure.startsWith('cost_cap')) return t('rates.cost.cost_cap')
  if (figure.figure.endsWith(COURT)) return t('rates.cost.court', { count: withoutCost })
  return t('rates.cost.fee', { count, country: where })
}

/** A ceiling over the reference rate is known with that. */
function isCapKnown({ now }: Figure, { isLive, country }: In): boolean {
  const rate = country.figures.find(({ figure }) => figure === REFERENCE_RATE)
  const isRateKnown = rate?.state !== 'UNKNOWN' && !(isLive && rate?.state === 'ASSUMED')
  return now !== null && (now.isOverReference !== true || isRateKnown)
}

/** What an entry would do, in words. */
export function doesText(figure: Figure, country: string): string {
  const { openDebts: count, withoutCost } = figure
  const where = countryName(country)
  if (figure.figure === CREDIT_CAP) return t('rates.does.cap', { country: where })
  if (figure.figure.endsWith(COURT)) return t('rates.does.court', { country: where, count: withoutCost })
  if (figure.figure.startsWith('cost_cap')) return t('rates.does.cost_cap', { country: where, count })
  const does = figure.figure === REFERENCE_RATE ? 'rates.does.rate' : 'rates.does.fee'
  return t(does, { count, country: where })
}
