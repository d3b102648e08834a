/** How late an open debt is, in the groups of every ageing. */
import { daysBetween, type CalendarDate } from '../calendar.ts'

export const AGE_BUCKETS = ['NOT_DUE', 'DAYS_1_30', 'DAYS_31_60', 'DAYS_61_90', 'OVER_90'] as const
export type AgeBucket = (typeof AGE_BUCKETS)[number]

/** The last day of each but the last, in days late. */
export const LAST_DAY_OF: Readonly<Partial<Record<AgeBucket, number>>> = {
  NOT_DUE: 0,
  DAYS_1_30: 30,
  DAYS_31_60: 60,
  DAYS_61_90: 90,
}

/** The group at the end of `day` of what first fell due on `dueOn`: on its own last day it is not late. */
export function bucketAt(dueOn: CalendarDate, day: CalendarDate): AgeBucket {
  const late = daysBetween(dueOn, day)
  return AGE_BUCKETS.find((bucket) => late <= (LAST_DAY_OF[bucket] ?? Number.POSITIVE_INFINITY)) ?? 'OVER_90'
}
