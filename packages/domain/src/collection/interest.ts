/**
 * Late interest on a principal: the rate of each day, whole days, one rounding at the end. Costs and interest
 * themselves bear none.
 *
 * Sources: räntelagen sections 3, 4 and 6 (SE) and the Nordic acts like it; rates are dated data and come from
 * outside. Days are counted over 365 also in leap years; the 360-day year is for contracts that say so.
 */
import { type CalendarDate, addDays, daysBetween, laterOf } from '../calendar.ts'
import { type Money, divideRounded, fraction, money } from '../money.ts'

/** The whole yearly rate in percent (reference and margin together) from a day on, until the next one. */
export type DatedRate = { readonly from: CalendarDate; readonly percent: string }

export type DayCount = 'ACT/365' | '30/360'

export type InterestSegment = {
  /** First and last day that bear interest at this rate. */
  readonly from: CalendarDate
  readonly to: CalendarDate
  readonly days: number
  readonly percent: string
  /** Interest of the segment in minor units, not rounded. */
  readonly numerator: bigint
  readonly denominator: bigint
}

export type LateInterest = { readonly interest: Money; readonly segments: readonly InterestSegment[] }

/** Days after `before` up to and including `to`, every month taken as 30 days (30E/360). */
function daysOf360(before: CalendarDate, to: CalendarDate): number {
  const count = (day: CalendarDate) =>
    Number(day.slice(0, 4)) * 360 + Number(day.slice(5, 7)) * 30 + Math.min(30, Number(day.slice(8, 10)))
  return count(to) - count(before)
}

/**
 * Interest on `principal` for the days `from` to `to`, both counted: from the day after the due date to the day
 * the payment is booked. None when `to` is before `from`. Throws RangeError when no rate is known for `from`.
 */
export function lateInterest(debt: {
  readonly principal: Money
  readonly from: CalendarDate
  readonly to: CalendarDate
  readonly rates: readonly DatedRate[]
  readonly dayCount?: DayCount
}): LateInterest {
  const segments = debt.to < debt.from ? [] : segmentsOf(debt)
  let numerator = 0n
  let denominator = 1n
  for (const segment of segments) {
    numerator = numerator * segment.denominator + segment.numerator * denominator
    denominator *= segment.denominator
  }
  const minor = Number(divideRounded(numerator, denominator, 'half-up'))
  return { interest: money(minor, debt.principal.currency), segments }
}

function segmentsOf(debt: Parameters<typeof lateInterest>[0]): InterestSegment[] {
  const rates = [...debt.rates].sort((a, b) => (a.from < b.from ? -1 : 1))
  const first = rates.findLastIndex((rate) => rate.from <= debt.from)
  if (first < 0) throw new RangeError(`no rate is known for ${debt.from}`)
  return rates.slice(first).flatMap((rate, index, current) => {
    const next = current[index + 1]
    const from = laterOf(rate.from, debt.from)
    const lastDay = next ? addDays(next.from, -1) : debt.to
    const to = lastDay < debt.to ? lastDay : debt.to
    return to < from ? [] : [segmentOf(debt, { from, to, percent: rate.percent })]
  })
}

function segmentOf(
  debt: { readonly principal: Money; readonly dayCount?: DayCount },
  part: { readonly from: CalendarDate; readonly to: CalendarDate; readonly percent: string },
): InterestSegment {
  const before = addDays(part.from, -1)
  const isBankYear = debt.dayCount === '30/360'
  const days = isBankYear ? daysOf360(before, part.to) : daysBetween(before, part.to)
  const percent = fraction(part.percent)
  return {
    ...part,
    days,
    numerator: BigInt(debt.principal.minor) * percent.numerator * BigInt(days),
    denominator: percent.denominator * 100n * (isBankYear ? 360n : 365n),
  }
}
