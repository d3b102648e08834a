/** Who acts for a person who may not act for themselves (M-37). */
import { addDays, type CalendarDate } from '../calendar.ts'
import type { FlagKind } from './debtor-flag.ts'

/** `GUARDIAN`: of a minor or of a ward; the letters go to them instead of to the debtor. */
export const REPRESENTATIVE_KINDS = ['GUARDIAN'] as const
export type RepresentativeKind = (typeof REPRESENTATIVE_KINDS)[number]

/** Collection from them goes on only while a guardian is entered, who gets the letters. */
export const NEEDS_GUARDIAN: readonly FlagKind[] = ['MINOR', 'GUARDIAN']

/** Who is asked to act for longer than this is entered again: a child comes of age, and proofs grow old. */
const LONGEST_DAYS = 18 * 366

/** The last days that may be named for a representative; today is one. */
export function lastDaysOf(today: CalendarDate): { readonly from: CalendarDate; readonly to: CalendarDate } {
  return { from: today, to: addDays(today, LONGEST_DAYS) }
}
