/** Days as staff read them: without the year when it is this one, and how far away they are. */
import { daysBetween, type CalendarDate } from '@kvitt/domain/calendar.ts'
import { formatDay } from '@kvitt/ui/date-text.ts'
import { t } from '../text.ts'

/** "19 Nov", "19 Nov 2025" when `today` is in another year. */
export function dayText(day: string, today: string): string {
  return formatDay(day, day.slice(0, 4) === today.slice(0, 4) ? 'brief' : 'short')
}

/** "9 days late", "today", "in 3 days": the plain difference of calendar days. */
export function distanceText(day: string, today: string): string {
  const days = daysBetween(today as CalendarDate, day as CalendarDate)
  if (days === 0) return t('day.today')
  return days < 0 ? t('day.late', { n: -days }) : t('day.in', { n: days })
}
