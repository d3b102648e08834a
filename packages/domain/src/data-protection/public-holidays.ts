/**
 * Days on which a time of the law does not end (Regulation 1182/71 art. 2.1 and 3.4): Saturdays, Sundays, and what is a public holiday by
 * the law of that country. Whoever counts a day too many answers too late: where it is in doubt the day counts as one on which people
 * work, as eves do, days on which only banks are closed, and Denmark's 5 June. Sources: SE lag 1989:253; NO lov 1995-02-24-12 and
 * lov 1947-04-26-1; DK the church's holidays, without the Great Prayer Day (lov 214/2023); FI the church act's holidays, with 6 December
 * (388/1937) and 1 May (272/1944).
 */
import { addDays, daysBetween, type CalendarDate } from '../calendar.ts'
import { easterSunday, weekdayOf } from '../collection/bank-days.ts'

/** Month and day of those that do not move. Midsummer's Day and All Saints are Saturdays. */
const FIXED: Readonly<Record<string, readonly string[]>> = {
  SE: ['01-01', '01-06', '05-01', '06-06', '12-25', '12-26'],
  NO: ['01-01', '05-01', '05-17', '12-25', '12-26'],
  DK: ['01-01', '12-25', '12-26'],
  FI: ['01-01', '01-06', '05-01', '12-06', '12-25', '12-26'],
}

/** Days from Easter Sunday: Maundy Thursday, Good Friday, Easter Monday, Ascension Day (39), Whit Monday (50). */
const FROM_EASTER: Readonly<Record<string, readonly number[]>> = {
  SE: [-2, 1, 39],
  NO: [-3, -2, 1, 39, 50],
  DK: [-3, -2, 1, 39, 50],
  FI: [-2, 1, 39],
}

function isFree(country: string, day: CalendarDate): boolean {
  if (weekdayOf(day) > 5) return true
  if (!Object.hasOwn(FIXED, country)) return false
  const distance = daysBetween(easterSunday(Number(day.slice(0, 4))), day)
  return (FIXED[country]?.includes(day.slice(5)) || FROM_EASTER[country]?.includes(distance)) ?? false
}

/** The day itself, or the first working day after it. Of a country whose holidays are not known here only weekends are free. */
export function workingDayFrom(country: string, day: CalendarDate): CalendarDate {
  return isFree(country, day) ? workingDayFrom(country, addDays(day, 1)) : day
}
