/** What it costs that a figure is not known, and what an entry would do. */
import { CREDIT_CAP, REFERENCE_RATE } from '@kvitt/domain/collection/entered-figures.ts'
import { countryName } from '../shell/figure-words.ts'
import { t } from '../text.ts'
import type { Figure } from './figure-calls.ts'

/** Nobody has confirmed it: what that costs. Undefined where it costs nothing. */
export function costText(
  figure: Figure,
  { isLive, country }: { isLive: boolean; country: string },
): string | undefined {
  const { state, openDebts: count } = figure
  if (state !== 'ASSUMED' && state !== 'UNKNOWN') return undefined
  if (!isLive && state === 'ASSUMED') return t('rates.cost.demo')
  const where = countryName(country)
  if (figure.figure === REFERENCE_RATE) return t('rates.cost.rate', { count, country: where })
  if (figure.figure === CREDIT_CAP) return t('rates.cost.cap', { country: where })
  if (figure.figure.startsWith('cost_cap')) return t('rates.cost.cost_cap')
  if (figure.figure.endsWith('.BAILIFF_PAYMENT_INJUCTION')) return t('rates.cost.court')
  return t('rates.cost.fee', { count, country: where })
}

/** What an entry would do, in words. */
export function doesText(figure: Figure, country: string): string {
  const { openDebts: count } = figure
  const where = countryName(country)
  if (figure.figure === CREDIT_CAP) return t('rates.does.cap', { country: where })
  const does = figure.figure === REFERENCE_RATE ? 'rates.does.rate' : 'rates.does.fee'
  return t(does, { count, country: where })
}
