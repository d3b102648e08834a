/** What is asked a second time before a figure is proposed: it is far from the one before, or debts were charged by another. */
import type { ActField, ActForm } from '@kvitt/office/form/act-dialog.tsx'
import { ApiRefusal } from '@kvitt/ui/api.ts'
import { valueTexts, type FigureValue } from '../shell/figure-words.ts'
import { t } from '../text.ts'
import type { Country, Figure, NewFigure } from './figure-calls.ts'

/** Which field of the call says that it is so. */
const FIELDS = { figure_unusual: 'confirmed', figure_charged: 'corrects' } as const
type Doubt = keyof typeof FIELDS

/** Undefined for every other refusal. */
export function doubtOf(error: unknown): Doubt | undefined {
  const code = error instanceof ApiRefusal ? error.code : ''
  return code === 'figure_unusual' || code === 'figure_charged' ? code : undefined
}

/** Names the value in a tick, without spaces: whoever changes it after the tick is asked again. */
const keyOf = ({ from, percent, isOverReference, bands }: NewFigure): string =>
  [from, percent, isOverReference, ...(bands ?? []).map(({ amount }) => amount)].join('|')

/** With what has been ticked for just this value. */
export function withTicks(figure: NewFigure, values: Readonly<Record<string, string>>): NewFigure {
  const isTicked = (name: string): boolean => (values[name] ?? '').split(' ').includes(keyOf(figure))
  return {
    ...figure,
    ...(isTicked(FIELDS.figure_unusual) ? { confirmed: true } : {}),
    ...(isTicked(FIELDS.figure_charged) ? { corrects: true } : {}),
  }
}

type Written = { readonly [Part in keyof FigureValue]?: FigureValue[Part] | undefined }

const textOf = (country: Country, value: Written): string => {
  const { percent = null, isOverReference = null, costAtMostCredit = null, bands = null } = value
  return valueTexts(country, { percent, isOverReference, costAtMostCredit, bands }).join('. ')
}

type Of = { readonly country: Country; readonly figure: Figure; readonly asked: NewFigure }

/** The form with a tick that names both values. */
export function withDoubt(form: ActForm, doubt: Doubt, { country, figure, asked }: Of): ActForm {
  // The newest stand first. A figure for the same day is what it corrects, and says nothing of what was usual.
  const row = figure.rows.find(({ from, state }) => {
    if (state === 'REPLACED') return false
    return from === null || (doubt === 'figure_charged' ? from <= asked.from : from < asked.from)
  })
  const before = row ? textOf(country, row) : t('rates.confirm.nothing')
  const tick: ActField = {
    name: FIELDS[doubt],
    type: 'text',
    look: 'ticks',
    label: t('rates.confirm'),
    choices: [
      { value: keyOf(asked), text: t(`rates.confirm.${doubt}`, { value: textOf(country, asked), before }) },
    ],
  }
  return { ...form, fields: [...form.fields.filter(({ name }) => name !== tick.name), tick] }
}
