/**
 * What a late debtor may be charged: fees and interest rates per country, kind of debtor and date. The figures
 * are data (country-params.json) with their source; a figure that nobody has confirmed is marked `assumed`.
 *
 * Nothing is guessed: for a date without a figure the answer is undefined, and the caller leaves that posting
 * to a person. Where debts are real (`isLive`) an assumed figure is none: it holds in the demo and in tests. Countries that are not in
 * the data charge nothing. What the people of an operator have entered since stands beside them (entered-figures.ts): `figures`.
 */
import { type CalendarDate, addDays, date } from '../calendar.ts'
import { amountText, fraction } from '../money.ts'
import { halfYearOf, type HalfYear } from './half-years.ts'
import type { CountryParams, DebtorKind, FeeParams, FeeRow, Figures } from './figure-rows.ts'
import params from './country-params.json' with { type: 'json' }
import { ALLOCATION_ORDER, type Bucket } from '../ledger/booking.ts'
import type { DatedRate } from './interest.ts'

export type { CountryParams, DebtorKind, Figures } from './figure-rows.ts'

// The compiler reads the words of a JSON file as any text; a test reads them all.
export const COUNTRY_PARAMS: Figures = params as Figures

export function paramsOf(country: string, figures: Figures = COUNTRY_PARAMS): CountryParams | undefined {
  return Object.hasOwn(figures, country) ? figures[country] : undefined
}

/** The order in which a payment of a debt to a creditor of this country settles its buckets. */
export function allocationOrderOf(country: string): readonly Bucket[] {
  return paramsOf(country)?.allocationOrder ?? ALLOCATION_ORDER
}

/** A step whose fee depends on what was charged on the debt before. */
export type CountingStep = {
  readonly country: string
  readonly debtorKind: DebtorKind
  readonly step: string
}

const KINDS: readonly DebtorKind[] = ['consumer', 'business']

/** All of them: what was charged need not be looked up for any other. */
export const COUNTING_STEPS: readonly CountingStep[] = Object.entries(COUNTRY_PARAMS).flatMap(
  ([country, { costCap, fees }]) =>
    KINDS.flatMap((debtorKind) =>
      Object.entries(fees[debtorKind])
        .filter(([, fee]) => fee?.lessCharged || costCap?.[debtorKind])
        .map(([step]) => ({ country, debtorKind, step })),
    ),
)

/** Countries with a ceiling for all costs of a debt, which what a plan costs counts towards too. */
export const CAPPED_COUNTRIES: readonly string[] = Object.entries(COUNTRY_PARAMS).flatMap(
  ([country, { costCap }]) => (costCap ? [country] : []),
)

export type Rate = { readonly percent: string; readonly assumed: boolean }

/**
 * By which figures. Default: by what the product knows, also by what is only assumed. Whoever says whether the debts are real, which
 * take no assumed figure, says of which provider the figures are: nobody forgets what has been entered there.
 */
export type Law =
  | { readonly isLive?: undefined; readonly figures?: Figures | undefined }
  | { readonly isLive: boolean; readonly figures: Figures }

/** An assumed row holds until a later one, any other for its half-year only. Rows begin a month. */
function isInForce(
  row: { from: string; assumed?: boolean | undefined },
  day: CalendarDate,
  { isLive = false }: Law,
): boolean {
  if (row.assumed === true) return !isLive && row.from <= day
  return row.from <= day && monthOf(day) < monthOf(row.from) + 6
}

/** When the debt fell due: some laws raised the rate for later debts alone. Default: on the day that is asked about. */
type Fallen = { readonly fellDueOn?: CalendarDate | undefined }

/** Months since the year 0. */
function monthOf(day: string): number {
  return Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7))
}

/**
 * The yearly late interest rate on `day`, reference and margin together. '0' in a country without data;
 * undefined when the country has rates but none for that day and a debt of that age.
 */
export function rateOn(
  country: string,
  kind: DebtorKind,
  day: CalendarDate,
  question: Law & Fallen = {},
): Rate | undefined {
  const found = paramsOf(country, question.figures)
  if (!found) return { percent: '0', assumed: false }
  const { rows, olderDebts } = found.rates
  const row = rows.findLast((candidate) => candidate.from <= day)
  if (!row || !isInForce(row, day, question)) return undefined
  const assumed = row.assumed === true
  const fellDueOn = question.fellDueOn ?? day
  if (!olderDebts || fellDueOn >= olderDebts.fellDueBefore) return { percent: row[kind], assumed }
  if (fellDueOn < olderDebts.fellDueFrom) return undefined
  return { percent: amountText(hundredthsOf(row[kind]) - hundredthsOf(olderDebts.less[kind])), assumed }
}

/** Rates are written with at most two decimals. */
export function hundredthsOf(percent: string): number {
  const { numerator, denominator } = fraction(percent)
  return Number((numerator * 100n) / denominator)
}

export type CreditCap = { readonly percent: string; readonly costAtMostCredit: boolean }

/**
 * What a consumer credit agreed on `day` may cost at most; undefined when no ceiling or no reference rate is
 * known for that day.
 */
export function creditCapOn(country: string, day: CalendarDate, law: Law = {}): CreditCap | undefined {
  const found = paramsOf(country, law.figures)
  const cap = found?.creditCaps?.findLast(({ from }) => from <= day)
  if (!found || !cap) return undefined
  const { overReference, percent, costAtMostCredit } = cap
  if (percent !== undefined) return { percent, costAtMostCredit }
  const rate = rateOn(country, 'consumer', day, law)
  if (!rate || overReference === undefined) return undefined
  const reference = hundredthsOf(rate.percent) - hundredthsOf(found.rates.margin.consumer)
  return { percent: amountText(reference + hundredthsOf(overReference)), costAtMostCredit }
}

/**
 * The rates of every day from `from` to `to`, both counted, in order. Undefined as soon as one day has none.
 */
export function ratesBetween(
  country: string,
  kind: DebtorKind,
  span: { readonly from: CalendarDate; readonly to: CalendarDate } & Law & Fallen,
): (DatedRate & { readonly assumed: boolean })[] | undefined {
  const rows = paramsOf(country, span.figures)?.rates.rows ?? []
  const changes = rows.flatMap((row) => (row.from > span.from && row.from <= span.to ? [date(row.from)] : []))
  const starts = [span.from, ...changes]
  const rates = starts.map((from, index) => {
    const lastDay = starts[index + 1] ? addDays(starts[index + 1] as CalendarDate, -1) : span.to
    const question = { ...span, fellDueOn: span.fellDueOn ?? span.from }
    const rate = rateOn(country, kind, from, question)
    return rate && rateOn(country, kind, lastDay, question) ? { from, ...rate } : undefined
  })
  return rates.every((rate) => rate !== undefined) ? rates : undefined
}

/** The first half-year of a span whose rate is not known; undefined when all are. */
export function firstUnknownRate(
  country: string,
  kind: DebtorKind,
  span: { readonly from: CalendarDate; readonly to: CalendarDate } & Law & Fallen,
): HalfYear | undefined {
  const { from, to } = span
  for (let half = halfYearOf(from); half.from <= to; half = halfYearOf(addDays(half.to, 1))) {
    const day = half.from < from ? from : half.from
    if (!rateOn(country, kind, day, span)) return half
  }
  return undefined
}

export type Fee = { readonly amountMinor: number; readonly assumed: boolean; readonly source: string | null }

const FREE: Fee = { amountMinor: 0, assumed: false, source: null }

export type FeeQuestion = Law &
  Fallen & {
    readonly country: string
    readonly step: string
    readonly debtorKind: DebtorKind
    /** The debt that the fee's table is read with, in minor units of the country's currency. */
    readonly principalMinor: number
    readonly date: CalendarDate
    /** 1 for the first step of its type on this debt (default), 2 for the second. */
    readonly number?: number
    /** Was a reminder fee agreed before the debt arose? Only some countries ask. Default no. */
    readonly reminderFeeAgreed?: boolean
    /**
     * All costs that were charged on the debt so far and not taken back, paid or not, late payment compensation among
     * them; of a claim, those of all its invoices as well. Default none.
     */
    readonly chargedMinor?: number
    /** Nothing more may be charged, because little is left after a payment (stopsFees). */
    readonly stopsFees?: boolean
  }

/**
 * What `step` may cost on a date. Zero when the step is free, is repeated more often than may be charged, the debt fell due
 * before the law of the fee, or the country's ceiling is reached; undefined when a fee exists but its amount on that date is not known.
 */
export function feeOn(question: FeeQuestion): Fee | undefined {
  const { country, step, debtorKind, principalMinor } = question
  const found = paramsOf(country, question.figures)
  const kind = found?.fees[debtorKind]
  const fee = kind && Object.hasOwn(kind, step) ? kind[step] : undefined
  if (!found || !fee) return FREE
  if (question.stopsFees || (fee.needsAgreement && question.reminderFeeAgreed !== true)) return FREE
  if (fee.fellDueFrom !== undefined && (question.fellDueOn ?? question.date) < fee.fellDueFrom) return FREE
  const row = rowOn(fee.rows, { ...question, isHalfYearly: fee.halfYearly === true })
  if (!row) return undefined
  const first = bandOf(row, principalMinor, question)
  const tariffs = tariffsOf(fee, first).slice(0, question.number ?? 1)
  const own = tariffs[(question.number ?? 1) - 1] ?? 0
  const excess = tariffs.reduce((total, tariff) => total + tariff, 0) - (question.chargedMinor ?? 0)
  const room = Math.min(fee.lessCharged ? Math.max(0, excess) : own, roomBelowCap(found, question))
  const amountMinor = Math.min(own, room)
  return { amountMinor, assumed: row.assumed === true, source: row.source }
}

/** What the first, second … step of the type costs; those beyond the list cost nothing. */
function tariffsOf(fee: FeeParams, first: number): number[] {
  const whole = Array.from({ length: fee.atMost ?? 1 }, () => first)
  return fee.again ? [...whole, Math.floor((first * fee.again.times) / fee.again.over)] : whole
}

function rowOn(
  rows: readonly FeeRow[],
  of: Law & { readonly date: CalendarDate; readonly isHalfYearly?: boolean },
): FeeRow | undefined {
  const row = rows.findLast(({ from }) => from === null || from <= of.date)
  if (!row || (row.assumed === true && of.isLive === true)) return undefined
  if (!of.isHalfYearly || row.from === null) return row
  return isInForce({ from: row.from, assumed: row.assumed }, of.date, of) ? row : undefined
}

/** Instead of an amount that is only assumed, real debts get that of the band below: it is not more. */
function bandOf(row: FeeRow, principalMinor: number, { isLive = false }: Law): number {
  const found = row.bands.findIndex(({ upToMinor }) => upToMinor === null || principalMinor <= upToMinor)
  const band = row.bands.slice(0, found + 1).findLast(({ assumed }) => !(isLive && assumed === true))
  return band?.feeMinor ?? 0
}

/** What may still be charged before all costs of the debt reach the country's ceiling. */
function roomBelowCap(found: CountryParams, question: FeeQuestion): number {
  const row = rowOn(found.costCap?.[question.debtorKind] ?? [], question)
  if (!row) return Number.POSITIVE_INFINITY
  return Math.max(0, bandOf(row, question.principalMinor, question) - (question.chargedMinor ?? 0))
}

/** Does the law of the country let a reminder fee be charged only where it was agreed before the debt arose? */
export function needsReminderAgreement(country: string): boolean {
  const fees = paramsOf(country)?.fees.consumer
  return fees !== undefined && Object.hasOwn(fees, 'REMINDER') && fees['REMINDER']?.needsAgreement === true
}
