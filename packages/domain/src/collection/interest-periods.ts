/** What a sum of interest is made of, as it is told to the debtor (inkassolagen section 5). */
import { addDays, type CalendarDate } from '../calendar.ts'
import { type InterestSum, roundedSum } from './interest-posting.ts'

/** Days with one rate and one base. */
export type InterestPeriod = {
  readonly principalMinor: number
  /** The yearly rate, such as `11.50`. */
  readonly percent: string
  readonly from: CalendarDate
  /** The last day that bears interest. */
  readonly to: CalendarDate
  readonly days: number
  readonly amountMinor: number
}

/**
 * The days with their shares of the sum. A share is the difference of two rounded sums, so that together they are rounded
 * once; the last also bears the minor unit that earlier sums may have left over. They come to the sum, but for what
 * a claim's invoices brought along that had been too little to post.
 */
export function interestPeriods({
  segments,
  amountMinor,
}: Pick<InterestSum, 'segments' | 'amountMinor'>): InterestPeriod[] {
  const over = amountMinor - roundedSum(segments)
  const periods: InterestPeriod[] = []
  for (const [index, { principalMinor, percent, from, to, days }] of segments.entries()) {
    const share = roundedSum(segments.slice(0, index + 1)) - roundedSum(segments.slice(0, index))
    const leftOver = index === segments.length - 1 && Math.abs(over) === 1 ? over : 0
    const period = { principalMinor, percent, from, to, days, amountMinor: share + leftOver }
    const before = periods.at(-1)
    if (before && goesOn(before, period)) periods[periods.length - 1] = joined(before, period)
    else periods.push(period)
  }
  return periods
}

/** A rate is set anew each half-year, often as it was. */
function goesOn(before: InterestPeriod, { percent, principalMinor, from }: InterestPeriod): boolean {
  return (
    before.percent === percent && before.principalMinor === principalMinor && addDays(before.to, 1) === from
  )
}

function joined(before: InterestPeriod, { to, days, amountMinor }: InterestPeriod): InterestPeriod {
  return { ...before, to, days: before.days + days, amountMinor: before.amountMinor + amountMinor }
}
