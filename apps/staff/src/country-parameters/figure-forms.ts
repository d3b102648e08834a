/** The form that enters a figure, by its sort: a rate, a ceiling, or amounts. */
import { addDays, date } from '@kvitt/domain/calendar.ts'
import { CREDIT_CAP, REFERENCE_RATE } from '@kvitt/domain/collection/entered-figures.ts'
import { halfYearOf } from '@kvitt/domain/collection/half-years.ts'
import { readFigure } from '@kvitt/domain/collection/read-figure.ts'
import type { ActField, ActForm } from '@kvitt/office/form/act-dialog.tsx'
import { formatDay } from '@kvitt/ui/date-text.ts'
import { figureName, moneyText, numberText } from '../shell/figure-words.ts'
import { t } from '../text.ts'
import type { Country, Figure, NewFigure } from './figure-calls.ts'
import { doesText } from './figure-texts.ts'

/** As far ahead as an entry may begin. */
const FARTHEST_DAYS = 366
const LONGEST_SOURCE = 500
const FIRST_HALF = '2013-01-01'

type Of = { readonly country: Country; readonly figure: Figure; readonly today: string }

/** Half-years that nobody has confirmed, the newest first. */
export function openHalves({ figure, today }: Pick<Of, 'figure' | 'today'>): string[] {
  const known = figure.rows.filter(({ state }) => state === 'CONFIRMED').map(({ from }) => from)
  const last = addDays(date(today), FARTHEST_DAYS)
  const open: string[] = []
  for (let half = halfYearOf(date(FIRST_HALF)); half.from <= last; half = halfYearOf(addDays(half.to, 1)))
    if (!known.includes(half.from)) open.push(half.from)
  return open.toReversed()
}

/** With a point, whichever sign it is written with. */
const pointed = (text = ''): string =>
  text
    .trim()
    .replaceAll(/[\s\u00a0]/g, '')
    .replace(',', '.')
    .replace('−', '-')

const isWrong = (of: Of, written: Partial<NewFigure>, field: string): boolean => {
  const read = readFigure(of.country.country, of.figure.figure, written)
  return 'field' in read && read.field === field
}

function percentField(of: Of): ActField {
  const { margin } = of.country
  const isCap = of.figure.figure === CREDIT_CAP
  const isMargin = Number(margin.business) !== 0
  const added = [...new Set([margin.consumer, margin.business])].map(numberText).join('/')
  const hint = isCap
    ? {}
    : { hint: isMargin ? t('rates.percent.hint', { margin: added }) : t('rates.percent.whole') }
  return {
    name: 'percent',
    type: 'text',
    look: 'number',
    unit: '%',
    label: t(isCap ? 'rates.percent.cap' : 'rates.percent'),
    ...hint,
    mandatory: true,
    check: (value) =>
      isWrong(of, { percent: pointed(value) }, 'percent') ? t('rates.value_wrong') : undefined,
  }
}

const choice = (name: string, label: string, [first, second]: readonly [string, string]): ActField => ({
  name,
  type: 'text',
  look: 'choice',
  label,
  initial: 'true',
  choices: [
    { value: 'true', text: first },
    { value: 'false', text: second },
  ],
})

/** The steps of the amount stay as they are; each gets its new amount. */
function bandFields({ country, figure }: Of): ActField[] {
  const bands = figure.now?.bands ?? figure.rows[0]?.bands ?? [{ upTo: null, amount: '' }]
  return bands.map(({ upTo, amount }, index) => ({
    name: `bands.${index}.amount`,
    type: 'text',
    look: 'number',
    unit: country.currency,
    label:
      upTo === null
        ? t(index === 0 ? 'rates.amount' : 'rates.amount.rest')
        : t('rates.amount.up_to', { upTo: moneyText(upTo, country.currency) }),
    initial: amount,
    mandatory: true,
  }))
}

function dayField({ figure, today }: Of, from: string | undefined): ActField {
  const label = t('rates.from')
  if (!figure.isHalfYearly) {
    // What is only assumed is confirmed from its own day on.
    const isCostCap = figure.figure.startsWith('cost_cap')
    const assumed = figure.state === 'ASSUMED' && !isCostCap ? figure.now?.from : null
    return {
      name: 'from',
      type: 'text',
      look: 'date',
      label,
      // A ceiling of all costs says nothing of what was charged today.
      initial: from ?? assumed ?? (isCostCap ? addDays(date(today), 1) : today),
      mandatory: true,
    }
  }
  const halves = openHalves({ figure, today })
  const current = halfYearOf(date(today)).from
  const initial = from ?? (halves.includes(current) ? current : (halves[0] ?? current))
  return {
    name: 'from',
    type: 'text',
    look: 'choice',
    label,
    initial,
    // Years that are long gone are asked for by their task alone.
    choices: halves
      .filter((half) => half >= addDays(date(today), -1100) || half === from)
      .map((half) => ({
        value: half,
        text: t('rates.half', { from: formatDay(half), to: formatDay(halfYearOf(date(half)).to) }),
      })),
  }
}

const sourceField: ActField = {
  name: 'source',
  type: 'text',
  get label() {
    return t('rates.source')
  },
  get hint() {
    return t('rates.source.hint')
  },
  mandatory: true,
  check: (value) =>
    value.trim().length > LONGEST_SOURCE ? t('field.tooLongValidError', { max: LONGEST_SOURCE }) : undefined,
}

/** @param from the day that a task asks for */
export function figureForm(of: Of, from?: string): ActForm {
  const { country, figure } = of
  const value =
    figure.figure === REFERENCE_RATE
      ? [percentField(of)]
      : figure.figure === CREDIT_CAP
        ? [
            percentField(of),
            choice('isOverReference', t('rates.over'), [t('rates.over.yes'), t('rates.over.no')]),
            choice('costAtMostCredit', t('rates.cost_limit'), [
              t('rates.cost_limit.yes'),
              t('rates.cost_limit.no'),
            ]),
          ]
        : bandFields(of)
  return {
    title: figureName(country.country, figure.figure),
    consequence: doesText(figure, country.country),
    fields: [dayField(of, from), ...value, { ...sourceField }],
    commit: t('rates.propose'),
    done: t('rates.proposed'),
  }
}

type Values = Readonly<Record<string, string>>

export function figureOf({ country, figure }: Of, values: Values): NewFigure {
  const said = {
    country: country.country,
    figure: figure.figure,
    from: values['from'] ?? '',
    source: (values['source'] ?? '').trim(),
  }
  if (figure.figure === REFERENCE_RATE) return { ...said, percent: pointed(values['percent']) }
  if (figure.figure === CREDIT_CAP)
    return {
      ...said,
      percent: pointed(values['percent']),
      isOverReference: values['isOverReference'] === 'true',
      costAtMostCredit: values['costAtMostCredit'] === 'true',
    }
  const limits = figure.now?.bands ?? figure.rows[0]?.bands ?? [{ upTo: null, amount: '' }]
  const bands = limits.map(({ upTo }, index) => ({ upTo, amount: pointed(values[`bands.${index}.amount`]) }))
  return { ...said, bands }
}

/** What the law adds to what is published, in points. */
export function marginText({ margin: { consumer, business } }: Country): string {
  if (Number(business) === 0) return t('rates.margin.none')
  return consumer === business
    ? t('rates.margin', { points: numberText(business) })
    : t('rates.margin.both', { consumer: numberText(consumer), business: numberText(business) })
}
