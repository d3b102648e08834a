/** When late interest becomes part of the balance, and how much of it (D-28). */
import { addDays, type CalendarDate, daysBetween } from '../calendar.ts'
import { type Currency, divideRounded, fraction, isCurrency, money } from '../money.ts'
import { COUNTRY_PARAMS, type DebtorKind, type Law, ratesBetween } from './country-params.ts'
import { type InterestSegment, lateInterest } from './interest.ts'
import type { StepType } from './schedule-table.ts'

/** Below one krona or euro nothing is posted; the days are counted again at the next posting (D-28). */
export const SMALLEST_POSTING_MINOR = 100

/** Interest that was paid late is billed from here on, in minor units; below it is dropped. */
const SMALLEST_INVOICE_MINOR: Readonly<Partial<Record<Currency, number>>> = { EUR: 1000 }
const SMALLEST_INVOICE_ELSEWHERE_MINOR = 10_000

const POSTING_STEPS: readonly StepType[] = [
  'REMINDER',
  'DELAYED_PENALTY_FEE',
  'COLLECTION',
  'COLLECTION_CLAIM',
  'BAILIFF_PAYMENT_INJUCTION',
]

/** Is the interest up to the day posted together with this step? Between such steps the balance stands still. */
export function postsInterest(step: StepType): boolean {
  return POSTING_STEPS.includes(step)
}

/** A principal that was owed from one day to another, both counted. A negative one takes as much out of others. */
export type OwedDays = {
  readonly principalMinor: number
  readonly from: CalendarDate
  readonly to: CalendarDate
}

/** What of an interest sum is left over by a rounding is kept in these parts of a minor unit. */
export const PARTS_OF_MINOR = 365_000_000

export type InterestSum = {
  /** Rounded half-up. */
  readonly amountMinor: number
  /** What the rounding left over, or took too much (then negative), in PARTS_OF_MINOR. */
  readonly restParts: number
  readonly segments: readonly (InterestSegment & { readonly principalMinor: number })[]
  /** A rate in it is not confirmed. */
  readonly assumed: boolean
}

/** What bears interest, and by which law. */
export type Bearing = Law & {
  readonly owed: readonly OwedDays[]
  readonly restParts?: number
  readonly country: string
  readonly debtorKind: DebtorKind
  /** The day by which its law goes; of a claim, that of its oldest invoice. */
  readonly fellDueOn: CalendarDate
}

/**
 * Interest on what was owed on each day, rounded once, with what earlier postings left over. Undefined when the rate of
 * one of the days is not known: a person has to enter it first. One day's principal is never less than nothing.
 */
export function interestOn(debt: Bearing): InterestSum | undefined {
  const { country, debtorKind } = debt
  let parts = BigInt(debt.restParts ?? 0)
  let assumed = false
  const segments = []
  for (const { principalMinor, from, to } of dayByDay(debt.owed)) {
    const rates = ratesBetween(country, debtorKind, { ...debt, from, to })
    if (!rates) return undefined
    assumed ||= rates.some((rate) => rate.assumed)
    const principal = money(principalMinor, currencyOf(country))
    for (const segment of lateInterest({ principal, from, to, rates }).segments) {
      parts += partsOf(segment)
      segments.push({ ...segment, principalMinor })
    }
  }
  const amountMinor = roundedParts(parts)
  const restParts = Number(parts - BigInt(amountMinor) * BigInt(PARTS_OF_MINOR))
  return { amountMinor, restParts, segments, assumed }
}

/** Interest of these segments together, rounded half-up once, in minor units. */
export function roundedSum(segments: readonly InterestSegment[]): number {
  const parts = segments.reduce((sum, segment) => sum + partsOf(segment), 0n)
  return roundedParts(parts)
}

/** A rate has four decimals at most, so that its interest has a whole number of parts. */
function partsOf({ numerator, denominator }: InterestSegment): bigint {
  return (numerator * BigInt(PARTS_OF_MINOR)) / denominator
}

/** The same days with all that was owed on them together, in order, as few spans as there are. */
function dayByDay(owed: readonly OwedDays[]): OwedDays[] {
  const real = owed.filter(({ from, to, principalMinor }) => from <= to && principalMinor !== 0)
  const starts = [...new Set(real.flatMap(({ from, to }) => [from, addDays(to, 1)]))].sort()
  const spans = starts.slice(0, -1).map((from, index) => ({
    from,
    to: addDays(starts[index + 1] as CalendarDate, -1),
    principalMinor: real
      .filter((one) => one.from <= from && from <= one.to)
      .reduce((sum, { principalMinor }) => sum + principalMinor, 0),
  }))
  const joined: OwedDays[] = []
  for (const span of spans.filter(({ principalMinor }) => principalMinor > 0)) {
    const last = joined.at(-1)
    const follows = last && last.principalMinor === span.principalMinor && addDays(last.to, 1) === span.from
    if (follows) joined[joined.length - 1] = { ...last, to: span.to }
    else joined.push(span)
  }
  return joined
}

/** Interest of the days of one span at one rate, in PARTS_OF_MINOR, not rounded. */
export function partsOfDays(
  principalMinor: number,
  percent: string,
  { from, to }: { readonly from: CalendarDate; readonly to: CalendarDate },
): bigint {
  const yearly = fraction(percent)
  const days = BigInt(Math.max(0, daysBetween(from, to) + 1))
  const numerator = BigInt(principalMinor) * yearly.numerator * days * BigInt(PARTS_OF_MINOR)
  return numerator / (yearly.denominator * 36_500n)
}

/** A sum in PARTS_OF_MINOR in minor units, rounded half-up. */
export function roundedParts(parts: bigint): number {
  return Number(divideRounded(parts, BigInt(PARTS_OF_MINOR), 'half-up'))
}

/** What of a sum in PARTS_OF_MINOR is posted, and what it leaves over: too little to post is 0. */
export function postedOf(parts: bigint): { readonly amountMinor: number; readonly restParts: bigint } {
  const rounded = roundedParts(parts)
  const amountMinor = rounded < SMALLEST_POSTING_MINOR ? 0 : rounded
  return { amountMinor, restParts: parts - BigInt(amountMinor) * BigInt(PARTS_OF_MINOR) }
}

/** As interestOn, for a posting: too little to post is 0, and stays in `restParts` as a whole. */
export function interestToPost(debt: Bearing): InterestSum | undefined {
  const sum = interestOn(debt)
  if (!sum || sum.amountMinor >= SMALLEST_POSTING_MINOR) return sum
  return { ...sum, amountMinor: 0, restParts: sum.restParts + sum.amountMinor * PARTS_OF_MINOR }
}

function currencyOf(country: string): Currency {
  const found = Object.hasOwn(COUNTRY_PARAMS, country) ? COUNTRY_PARAMS[country]?.currency : undefined
  return found && isCurrency(found) ? found : 'EUR'
}

/** Interest that was paid late is billed from this on, in minor units. */
export function smallestInterestBill(currency: Currency): number {
  return SMALLEST_INVOICE_MINOR[currency] ?? SMALLEST_INVOICE_ELSEWHERE_MINOR
}

/** Is interest that accrued until a late payment billed as an INTEREST_INVOICE, or dropped? */
export function isInterestBilled(interestMinor: number, currency: Currency): boolean {
  return interestMinor >= smallestInterestBill(currency)
}
