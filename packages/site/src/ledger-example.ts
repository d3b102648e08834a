/** What the product does, shown as its own ledger: the same functions that the nights charge by. */
import { date } from '@kvitt/domain/calendar.ts'
import { waitingCosts } from '@kvitt/domain/collection/waiting-costs.ts'
import type { Language } from '@kvitt/ui/language/languages.ts'
import { type Child, el } from './element.ts'
import { moneyText } from './site-money.ts'
import { COUNTRY_OF } from './waiting-steps.ts'
import { dayText, type WordKey, type Words } from './words.ts'

const EXAMPLE = { amountMinor: 123_150, dueDate: date('2026-03-02'), debtorKind: 'consumer' } as const

/** An invoice that is paid when its first collection demand comes. */
export function ledgerExample(language: Language, t: Words): Child {
  const { currency, steps } = waitingCosts({ ...EXAMPLE, country: COUNTRY_OF[language] })
  const last = steps.findIndex(({ type }) => type === 'COLLECTION_CLAIM')
  const shown = steps.slice(0, last + 1)
  const { day, interestMinor = 0, totalMinor = 0 } = shown.at(-1) ?? { day: EXAMPLE.dueDate }
  const on = (text: string, of: string): string => `${text}, ${dayText(t, of)}`
  const row = (label: string, minor: number, look = ''): Child =>
    el(`div${look}`, {}, el('dt', {}, label), el('dd', {}, moneyText(minor, currency, language)))
  return el(
    'figure.ledger',
    {},
    el('figcaption.small', { id: 'ledger' }, t('ledger.title')),
    el(
      'dl',
      { 'aria-labelledby': 'ledger' },
      row(t('ledger.electricity'), EXAMPLE.amountMinor),
      ...shown.map((step) => row(on(t(`step.${step.type}` as WordKey), step.day), step.feeMinor ?? 0)),
      row(on(t('ledger.interest'), day), interestMinor),
      row(on(t('ledger.paid'), day), -totalMinor, '.paid'),
      el(
        'div.final',
        {},
        el('dt', {}, t('ledger.left')),
        el('dd', {}, el('b', {}, moneyText(0, currency, language))),
      ),
    ),
  )
}
