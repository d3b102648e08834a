/**
 * Calendar days. A due date is a day, not an instant: rules take `today` as an argument, and the only place
 * where an instant becomes a day is `dayOf`, with the instance's time zone named.
 */

declare const calendarDate: unique symbol
/** A real day written YYYY-MM-DD. Text order is time order. */
export type CalendarDate = string & { readonly [calendarDate]: true }

const DAY_MS = 86_400_000

function toUtcMs(date: string): number {
  return Date.UTC(Number(date.slice(0, 4)), Number(date.slice(5, 7)) - 1, Number(date.slice(8, 10)))
}

/** Throws RangeError outside the years 0 to 9999, which YYYY-MM-DD cannot write. */
function fromUtcMs(ms: number): CalendarDate {
  const text = new Date(ms).toISOString()
  if (!/^\d{4}-/.test(text)) throw new RangeError(`${text} has no year of four digits`)
  return text.slice(0, 10) as CalendarDate
}

/** The day when `text` is a real one (2026-02-30 is not) from the year 100 on, else undefined. */
export function parseDate(text: string): CalendarDate | undefined {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return undefined
  const read = new Date(toUtcMs(text)).toISOString()
  return read.slice(0, 10) === text ? (text as CalendarDate) : undefined
}

/**
 * As parseDate, of a day that a document bears: one of this century. What lies beyond is a slip of the hand, and what is counted
 * from it leaves the calendar.
 */
export function parseDocumentDay(text: string): CalendarDate | undefined {
  return /^20\d\d-/.test(text) ? parseDate(text) : undefined
}

/** As parseDate, for texts that our own program or database wrote; throws RangeError otherwise. */
export function date(text: string): CalendarDate {
  const parsed = parseDate(text)
  if (!parsed) throw new RangeError(`"${text}" is not a calendar day`)
  return parsed
}

export function addDays(day: CalendarDate, days: number): CalendarDate {
  if (days === 0) return day
  return fromUtcMs(toUtcMs(day) + days * DAY_MS)
}

/** Same day of the month `months` later, or that month's last day when it is shorter. */
export function addMonths(day: CalendarDate, months: number): CalendarDate {
  const year = Number(day.slice(0, 4))
  const month = Number(day.slice(5, 7)) - 1 + months
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate()
  return fromUtcMs(Date.UTC(year, month, Math.min(Number(day.slice(8, 10)), lastDay)))
}

/** Whole days from `from` to `to`; negative when `to` is earlier. */
export function daysBetween(from: CalendarDate, to: CalendarDate): number {
  return Math.round((toUtcMs(to) - toUtcMs(from)) / DAY_MS)
}

export function laterOf(a: CalendarDate, b: CalendarDate): CalendarDate {
  return a > b ? a : b
}

const formatters = new Map<string, Intl.DateTimeFormat>()

/** The day that the clock on the wall shows in `timeZone` at the instant `epochMs`. */
export function dayOf(epochMs: number, timeZone: string): CalendarDate {
  let formatter = formatters.get(timeZone)
  if (!formatter) {
    formatter = new Intl.DateTimeFormat('en-CA', {
      timeZone,
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
    })
    formatters.set(timeZone, formatter)
  }
  return formatter.format(epochMs) as CalendarDate
}

/**
 * A day in ISO form or as the five languages write it: 2026-12-04, 4.12.2026, 04-12-2026, 04/12/2026.
 * Day before month in all of them.
 */
export function parseAnyDate(text: string): CalendarDate | undefined {
  const match = /^(\d{1,2})[./-](\d{1,2})[./-](\d{4})$/.exec(text)
  if (!match) return parseDate(text)
  const [, day = '', month = '', year = ''] = match
  return parseDate(`${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`)
}
