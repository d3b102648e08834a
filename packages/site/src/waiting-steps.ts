/** What waiting costs, as it is shown: the same in the built page, in the server's answer to a form and in the browser. */
import type { DebtorKind, Figures } from '@kvitt/domain/collection/country-params.ts'
import { type EnteredFigure, figuresWith } from '@kvitt/domain/collection/entered-figures.ts'
import { SMALLEST_POSTING_MINOR } from '@kvitt/domain/collection/interest-posting.ts'
import {
  COSTED_COUNTRIES,
  type CostedCountry,
  type RateDays,
  type WaitingCosts,
  type WaitingDebt,
  type WaitingStep,
  waitingCosts,
} from '@kvitt/domain/collection/waiting-costs.ts'
import { type CalendarDate, parseDate } from '@kvitt/domain/calendar.ts'
import type { Language } from '@kvitt/ui/language/languages.ts'
import { type Child, el } from './element.ts'
import { field } from './fields.ts'
import { LAWS, lawLink } from './laws.ts'
import { moneyText, readAmount } from './site-money.ts'
import { dayText, type WordKey, type Words } from './words.ts'

/** The fields of the form as they were typed. */
export type TypedDebt = Readonly<Record<'amount' | 'due' | 'country' | 'who', string>>

export const EXAMPLE_DEBT: TypedDebt = { amount: '1250', due: '2026-10-02', country: 'SE', who: 'consumer' }

/** The country whose law an example in a language follows. */
export const COUNTRY_OF: Readonly<Record<Language, CostedCountry>> = {
  sv: 'SE',
  en: 'SE',
  nb: 'NO',
  da: 'DK',
  fi: 'FI',
}

/** Is a reader of a page in this language at home in `country`? English is read anywhere. */
export function isReadIn(language: Language, country: string): boolean {
  return language !== 'en' && COUNTRY_OF[language] === country
}

const EARLIEST = '2023-01-01'
const LATEST = '2035-12-31'

type Faults = Readonly<Partial<Record<keyof TypedDebt, WordKey>>>

function readDay(typed: string): CalendarDate | undefined {
  const day = parseDate(typed)
  return day && day >= EARLIEST && day <= LATEST ? day : undefined
}

/** What was typed, or which words say what is wrong with which fields. */
export function readDebt(typed: TypedDebt): WaitingDebt | { readonly faults: Faults } {
  const [amountMinor, dueDate] = [readAmount(typed.amount), readDay(typed.due)]
  if (amountMinor === undefined || dueDate === undefined) {
    return {
      faults: {
        ...(amountMinor === undefined && { amount: 'waiting.wrong_amount' }),
        ...(dueDate === undefined && { due: 'waiting.wrong_due' }),
      },
    }
  }
  const country = COSTED_COUNTRIES.find((code) => code === typed.country) ?? 'SE'
  const debtorKind: DebtorKind = typed.who === 'business' ? 'business' : 'consumer'
  return { country, debtorKind, amountMinor, dueDate }
}

/** Which fields are wrong, and which word says so of each. */
export function faultOfDebt(typed: TypedDebt): Faults {
  const debt = readDebt(typed)
  return 'faults' in debt ? debt.faults : {}
}

/** When and where the answer is given. */
export type Asked = {
  /** Marks the days that have passed, and the rates that are to come. The built page does not know it, and marks none. */
  readonly today?: CalendarDate
  /** What the provider charges by; left out where that is what the product knows. */
  readonly figures?: Figures
}

/** The answer to the form; nothing where a field of it is wrong, which that field says. */
export function waitingResult(
  typed: TypedDebt,
  language: Language,
  t: Words,
  { today, figures }: Asked = {},
): Child {
  const debt = readDebt(typed)
  if ('faults' in debt) return undefined
  const costs = waitingCosts(debt, figures)
  const shown = { debt, costs, language, t, today: today ?? ('' as const) }
  return [
    el('h2', {}, t('waiting.result')),
    el(
      'p.of',
      {},
      t('waiting.of', {
        amount: moneyText(debt.amountMinor, costs.currency, language),
        day: dayText(t, debt.dueDate),
      }),
    ),
    el('ol.steps', {}, ...costs.steps.map((step, index) => stepRow(step, costs.steps[index - 1], shown))),
    allOf(shown),
    el(
      'ul.notes',
      {},
      el('li', {}, t('waiting.in_time')),
      ratesText(shown),
      openRates(shown),
      el('li', {}, t('waiting.held', { least: moneyText(SMALLEST_POSTING_MINOR, costs.currency, language) })),
      debt.country === 'SE' && debt.debtorKind === 'consumer' && el('li', {}, t('waiting.agreed')),
      costs.steps.some(({ isFeeAssumed }) => isFeeAssumed) && el('li', {}, t('waiting.fee_assumed')),
      el('li', {}, t('waiting.stops')),
    ),
  ]
}

type Shown = {
  readonly debt: WaitingDebt
  readonly costs: WaitingCosts
  readonly language: Language
  readonly t: Words
  readonly today: CalendarDate | ''
}

/** What waiting costs by the last day whose sum is known. */
function allOf({ debt, costs, language, t }: Shown): Child {
  const last = costs.steps.findLast(({ totalMinor }) => totalMinor !== undefined)
  const moreMinor = (last?.totalMinor ?? 0) - debt.amountMinor
  if (last === undefined || moreMinor <= 0) return undefined
  const more = moneyText(moreMinor, costs.currency, language)
  return el('p', {}, el('strong', {}, t('waiting.all', { more, day: dayText(t, last.day) })))
}

/** The yearly rate; where it changes on the way, each with its days. */
function ratesText({ debt, costs, language, t }: Shown): Child {
  // As it is said: 10 and 9,5, not 10,00 and 9,50.
  const percentOf = ({ percent }: RateDays): string =>
    language === 'en' ? String(Number(percent)) : String(Number(percent)).replace('.', ',')
  const { interest: law } = LAWS[debt.country]
  const [only, ...others] = costs.rates
  if (!only) return false
  /** The sentence with the law as a link in it. */
  const lawful = (key: WordKey, values: Record<string, string>): Child => {
    const [before = '', after = ''] = t(key, { ...values, law: '\n' }).split('\n')
    return el('li', {}, before, lawLink(law), after)
  }
  if (others.length === 0) return lawful('waiting.rate', { percent: percentOf(only) })
  const spans = costs.rates.map((rate) =>
    t('waiting.rate_days', {
      percent: percentOf(rate),
      from: dayText(t, rate.from),
      to: dayText(t, rate.to),
    }),
  )
  return lawful('waiting.rates', { rates: spans.join(', ') })
}

/** Which rates nobody knows yet: of half-years to come nobody can. */
function openRates({ costs, language, t, today }: Shown): Child {
  const listOf = new Intl.ListFormat(language, { type: 'conjunction' })
  const named = (key: WordKey, isMeant: (from: CalendarDate) => boolean): Child => {
    const halves = costs.openHalves
      .filter(({ from }) => isMeant(from))
      .map(({ from }) =>
        t(from.endsWith('-01-01') ? 'waiting.half_1' : 'waiting.half_2', { year: from.slice(0, 4) }),
      )
    return halves.length > 0 && el('li', {}, t(key, { halves: listOf.format(halves) }))
  }
  const isToCome = (from: CalendarDate): boolean => today !== '' && from > today
  return [named('waiting.rate_unseen', (from) => !isToCome(from)), named('waiting.rate_unset', isToCome)]
}

/** A step with what it adds to what stood before it, so that each row can be added up. */
function stepRow(
  step: WaitingStep,
  before: WaitingStep | undefined,
  { debt, costs, language, t, today }: Shown,
): Child {
  const laws = LAWS[debt.country]
  const isLast = step.type === 'BAILIFF_PAYMENT_INJUCTION'
  const amount = (minor: number | undefined, other: string): string =>
    minor === undefined ? other : moneyText(minor, costs.currency, language)
  const figure = (name: WordKey, value: string, look = ''): Child =>
    el(`div${look}`, {}, el('dt', {}, t(name)), el('dd', {}, value))
  const unknown = t('waiting.unknown')
  const interest = before === undefined ? 0 : before.interestMinor
  const interestThen =
    interest === undefined || step.interestMinor === undefined ? undefined : step.interestMinor - interest
  const source = laws.steps[debt.debtorKind][step.type]
  const day = dayText(t, step.day)
  return el(
    'li',
    {},
    el(
      'div.step',
      {},
      el('p.day', {}, step.day < today ? t('waiting.past', { day }) : day),
      el('p.what', {}, t(`step.${step.type}` as WordKey, { authority: laws.authority })),
      step.lastPayDay !== undefined &&
        el('p.small', {}, t('waiting.pay_by', { day: dayText(t, step.lastPayDay) })),
      source && el('p.small', {}, lawLink(source), source.note && `: ${t(source.note)}`),
    ),
    el(
      'dl',
      {},
      figure('waiting.added', amount(step.feeMinor, isLast ? t('waiting.authority_fee') : unknown)),
      figure('waiting.interest', amount(interestThen, unknown)),
      figure('waiting.total', amount(step.totalMinor, unknown), step.totalMinor === undefined ? '' : '.sum'),
    ),
  )
}

/**
 * The form itself, a plain one: a browser without script sends it to the page that it stands on.
 * @param entered what the provider charges by beside what the product knows, for the page's script
 */
export function waitingForm(typed: TypedDebt, t: Words, entered: readonly EnteredFigure[] = []): Child {
  const option = (name: string, value: string, label: string): Child =>
    el('option', { value, selected: typed[name as 'country'] === value ? true : undefined }, label)
  const { amount, due } = faultOfDebt(typed)
  const days = { value: typed.due, type: 'date', min: EARLIEST, max: LATEST }
  return el(
    'form.waiting',
    {
      method: 'get',
      id: 'waiting',
      'data-figures': entered.length > 0 ? JSON.stringify(entered.map(publicOf)) : undefined,
    },
    field(
      'amount',
      t('waiting.amount'),
      { value: typed.amount, inputmode: 'decimal' },
      { text: amount && t(amount) },
    ),
    field('due', t('waiting.due'), days, {
      text: due && t(due),
      isFirst: amount === undefined,
    }),
    el(
      'div.field',
      {},
      el('label', { for: 'country' }, t('waiting.country')),
      el(
        'select',
        { id: 'country', name: 'country' },
        ...COSTED_COUNTRIES.map((code) => option('country', code, t(`country.${code}`))),
      ),
    ),
    el(
      'div.field',
      {},
      el('label', { for: 'who' }, t('waiting.who')),
      el(
        'select',
        { id: 'who', name: 'who' },
        option('who', 'consumer', t('waiting.consumer')),
        option('who', 'business', t('waiting.business')),
      ),
    ),
    el('button.button', { type: 'submit' }, t('waiting.submit')),
  )
}

/** Without where the people of the provider have it from, which is their note to each other. */
const publicOf = (figure: EnteredFigure): EnteredFigure => ({ ...figure, source: '' })

/** What the form was made with. */
export function figuresIn(form: HTMLElement): Figures {
  return figuresWith(JSON.parse(form.dataset.figures ?? '[]') as EnteredFigure[])
}

/** The debt that a page in this language shows before anybody has typed one. */
export function exampleDebt(language: Language): TypedDebt {
  return { ...EXAMPLE_DEBT, country: COUNTRY_OF[language] }
}

type Part = {
  readonly typed?: TypedDebt | undefined
  readonly today?: CalendarDate
  readonly entered?: readonly EnteredFigure[]
}

/** The form and its answer: to what was typed, else to an example that says it is one. */
export function waitingPart(language: Language, t: Words, { typed, today, entered = [] }: Part = {}): Child {
  const asked = typed ?? exampleDebt(language)
  return [
    waitingForm(asked, t, entered),
    el(
      'div.result',
      { id: 'result' },
      typed === undefined && el('p.small.example', {}, t('waiting.example')),
      waitingResult(asked, language, t, { ...(today && { today }), figures: figuresWith(entered) }),
    ),
  ]
}
