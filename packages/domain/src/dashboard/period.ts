/** The days that a dashboard tells of, and the days before them that they are compared with. */
import { addDays, addMonths, date, daysBetween, type CalendarDate } from '../calendar.ts'

export const PERIODS = ['this_month', 'last_month', 'last_30', 'last_90'] as const
export type PeriodName = (typeof PERIODS)[number]

/** Both days belong to it. */
export type Period = { readonly from: CalendarDate; readonly to: CalendarDate }

/** No period is longer than so many years. */
export const MOST_YEARS = 3

const MONTHS_OF_A_YEAR = 12
/** Of more days a chart has a bar for each month. */
const MOST_DAYS_BY_DAY = 92

const firstOfMonth = (day: CalendarDate): CalendarDate => date(`${day.slice(0, 8)}01`)

const DAYS_OF: Readonly<Record<Extract<PeriodName, 'last_30' | 'last_90'>, number>> = {
  last_30: 30,
  last_90: 90,
}

/** Those that go on end on `today`. */
export function periodOf(name: PeriodName, today: CalendarDate): Period {
  const first = firstOfMonth(today)
  if (name === 'this_month') return { from: first, to: today }
  if (name === 'last_month') return { from: addMonths(first, -1), to: addDays(first, -1) }
  return { from: addDays(today, 1 - DAYS_OF[name]), to: today }
}

/** How many days it has. */
export const lengthOf = ({ from, to }: Period): number => daysBetween(from, to) + 1

/** Why it is none; undefined where it is one. Days to come are no fault: nothing has happened on them yet. */
export function periodFault({ from, to }: Period): 'period_reversed' | 'period_too_long' | undefined {
  if (from > to) return 'period_reversed'
  return addMonths(from, MOST_YEARS * MONTHS_OF_A_YEAR) <= to ? 'period_too_long' : undefined
}

/** As many days right before it. */
export function periodBefore(period: Period): Period {
  return { from: addDays(period.from, -lengthOf(period)), to: addDays(period.from, -1) }
}

/** What a period is compared with: as many days right before it as have come of it. Of days that are all to come, before all of them. */
export function comparedWith(period: Period, today: CalendarDate): Period {
  const { from, to } = period
  return periodBefore(from <= today && today < to ? { from, to: today } : period)
}

export const CHART_UNITS = ['DAY', 'MONTH'] as const
export type ChartUnit = (typeof CHART_UNITS)[number]

/** What one bar of its chart is. */
export const unitOf = (period: Period): ChartUnit => (lengthOf(period) > MOST_DAYS_BY_DAY ? 'MONTH' : 'DAY')

/** The first day of each bar: each day, or the first of each month, also where nothing happened. */
export function barsOf({ from, to }: Period, unit: ChartUnit): readonly CalendarDate[] {
  const bars: CalendarDate[] = []
  for (
    let day = unit === 'DAY' ? from : firstOfMonth(from);
    day <= to;
    day = unit === 'DAY' ? addDays(day, 1) : addMonths(day, 1)
  )
    bars.push(day)
  return bars
}
