/**
 * Up to when an account is told: on which bank days it is not known yet what came to it, and how long the daily runs wait for
 * that. Days without banks have no file and are never missing.
 */
import { addDays, laterOf, type CalendarDate } from '../calendar.ts'
import { addBankDays, isBankDay } from '../collection/bank-days.ts'

/** How the files of an account come. Where none come, or one comes only with money, silence says nothing. */
export const ACCOUNT_FILES = ['none', 'daily_statement', 'when_there_is_money'] as const
export type AccountFiles = (typeof ACCOUNT_FILES)[number]

/** Days from the first to the last, both included. */
export type DaySpan = { readonly first: CalendarDate; readonly last: CalendarDate }

/** The longest that an instance may have its daily runs wait, in bank days. */
export const LONGEST_FILE_WAIT = 20

function lastBankDayUpTo(country: string, day: CalendarDate): CalendarDate {
  let last = day
  while (!isBankDay(country, last)) last = addDays(last, -1)
  return last
}

/**
 * The bank days in `gaps` (calendar days that nothing tells of, in their order), with those that follow one another as one
 * span. Only a gap of weekends and holidays is none.
 */
export function untoldSpans(country: string, gaps: readonly DaySpan[]): DaySpan[] {
  const spans: DaySpan[] = []
  for (const gap of gaps) {
    const first = addBankDays(country, gap.first, 0)
    const last = lastBankDayUpTo(country, gap.last)
    if (first > last) continue
    const before = spans.at(-1)
    if (before && addBankDays(country, before.last, 1) >= first) {
      spans[spans.length - 1] = { first: before.first, last: laterOf(before.last, last) }
    } else spans.push({ first, last })
  }
  return spans
}

/**
 * Does the daily run of `day` still wait for the span? So many bank days (`waitDays`) after its first day it does not: a file that
 * stays away holds up nothing for ever.
 */
export function isWaitedFor(
  country: string,
  { first }: DaySpan,
  { day, waitDays }: { readonly day: CalendarDate; readonly waitDays: number },
): boolean {
  return day <= addBankDays(country, first, waitDays)
}
