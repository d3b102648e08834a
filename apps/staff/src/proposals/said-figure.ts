/** A proposed figure of the law, as it is read. */
import { paramsOf } from '@kvitt/domain/collection/country-params.ts'
import { formatDay } from '@kvitt/ui/date-text.ts'
import { countryName, figureName, valueTexts, type FigureValue } from '../shell/figure-words.ts'
import { t } from '../text.ts'
import type { Proposal } from './proposal-calls.ts'

type State = Proposal['before']

/** A figure of the law: its value in one sentence or more. */
export const FIGURE_NAMES = {
  figure: 'rates.figure',
  from: 'rates.from',
  value: 'rates.value',
  source: 'rates.source',
  corrects: 'rates.corrects',
} as const
export type FigureTerm = keyof typeof FIGURE_NAMES

export function saidFigure(state: State, term: FigureTerm): string {
  const country = String(state['country'])
  if (term === 'figure') return `${figureName(country, String(state['figure']))}, ${countryName(country)}`
  if (term === 'from') return formatDay(String(state['from']))
  if (term === 'corrects') return state['corrects'] === true ? t('rates.corrects.yes') : ''
  if (term === 'source') return typeof state['source'] === 'string' ? state['source'] : ''
  const { percent = null, isOverReference = null, costAtMostCredit = null, bands = null } = state
  const value = { percent, isOverReference, costAtMostCredit, bands } as FigureValue
  const texts = valueTexts({ country, currency: paramsOf(country)?.currency ?? 'EUR' }, value).join('. ')
  return state['isAssumed'] === true ? `${texts} (${t('rates.state.ASSUMED')})` : texts
}
