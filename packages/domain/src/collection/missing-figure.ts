/** A figure that nobody has entered, by the name that the task about it has. */
import { date, laterOf, type CalendarDate } from '../calendar.ts'
import { creditCapOn, feeOn, rateOn, type DebtorKind, type Law } from './country-params.ts'
import { CREDIT_CAP, feeName, REFERENCE_RATE, rowsOf } from './entered-figures.ts'
import { halfYearOf, type HalfYear } from './half-years.ts'

const LATE_INTEREST = 'late interest'
const CEILING = 'ceiling of a consumer credit in '

type Of = { readonly country: string; readonly debtorKind: DebtorKind }

/** What a task `rate_unknown` is about: the fee of a step, or without one the rate, in a half-year. */
export function missingName({ country, debtorKind }: Of, step: string | undefined, half: HalfYear): string {
  return `${country} ${debtorKind} ${step ?? LATE_INTEREST} ${half.name}`
}

/** What a task `ceiling_unknown` is about. */
export function missingCeiling(country: string): string {
  return `${CEILING}${country}`
}

/** Which figure is asked for, as entered-figures.ts names it, and from which day on. */
export type AskedFigure = Of & {
  readonly figure: string
  readonly step: string | undefined
  /** Undefined: from now on. */
  readonly from: CalendarDate | undefined
}

/** Undefined for what is no name of missingName or missingCeiling. */
export function figureAsked(about: string): AskedFigure | undefined {
  const debtorKind: DebtorKind = 'consumer'
  if (about.startsWith(CEILING)) {
    const country = about.slice(CEILING.length)
    return { country, debtorKind, figure: CREDIT_CAP, step: undefined, from: undefined }
  }
  const parts = /^(\S+) (consumer|business) (.+) (\d{4}) H([12])$/.exec(about)
  if (!parts) return undefined
  const [, country = '', kind, what = '', year, half] = parts
  const from = date(`${year}-${half === '1' ? '01' : '07'}-01`)
  const of = { country, debtorKind: kind === 'business' ? ('business' as const) : debtorKind, from }
  if (what === LATE_INTEREST) return { ...of, figure: REFERENCE_RATE, step: undefined }
  return { ...of, figure: feeName(of.debtorKind, what), step: what }
}

/**
 * Is what the task asks for known by now, on every day from the one that needs it until the half-year is over? A fee may begin in its
 * middle, and what needs it before still waits. `today` is for what has no day of its own, and where that has passed.
 */
export function isFigureKnown(
  about: string,
  law: Law,
  today: CalendarDate,
  neededOn: CalendarDate = today,
): boolean {
  const asked = figureAsked(about)
  if (!asked) return false
  const { country, debtorKind, figure, step, from: day = today } = asked
  if (figure === CREDIT_CAP) return creditCapOn(country, day, law) !== undefined
  if (step === undefined) return rateOn(country, debtorKind, day, law) !== undefined
  const last = halfYearOf(day).to
  const first = [day, laterOf(neededOn, today)].reduce(laterOf)
  const begins = rowsOf(country, figure, law.figures).flatMap(({ from }) =>
    from !== null && from > first && from < last ? [date(from)] : [],
  )
  return [...(first < last ? [first] : []), ...begins, last].every((on) => {
    const question = { ...law, country, debtorKind, step, principalMinor: 1, date: on }
    return feeOn({ ...question, reminderFeeAgreed: true }) !== undefined
  })
}
