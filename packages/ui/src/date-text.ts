/**
 * How calendar days are written on the screen, in the language of the page. Days come from the server as YYYY-MM-DD; no clock
 * is read. The names are those of the browser's own formatter (the test compares each day), which takes a phone 70 ms to
 * make: a page with a day in it would be shown as much later.
 */
import { say } from './language/speak.ts'

type DayForm = 'long' | 'short' | 'weekday' | 'dayMonth' | 'brief'

/** "4 December 2026" (long), "4 Dec 2026" (short), "Friday 4 December 2026" (weekday), "4 December" (dayMonth), "4 Dec" (brief). */
export function formatDay(day: string, form: DayForm = 'long'): string {
  const [year = '', month, date] = day.split('-')
  const isShort = form === 'short' || form === 'brief'
  const names = say(isShort ? 'day.months_short' : 'day.months').split(' ')
  const values = {
    day: Number(date),
    month: names[Number(month) - 1],
    year: form === 'dayMonth' || form === 'brief' ? '' : year,
  }
  const text = say(isShort ? 'day.short' : 'day.long', values)
    .trim()
    .replaceAll(' ', '\u00a0')
  if (form !== 'weekday') return text
  const weekday = say('day.weekdays').split(' ')[(new Date(day).getUTCDay() + 6) % 7]
  // On a narrow screen a line may end after the weekday.
  return say('day.weekday', { weekday, date: text })
}
