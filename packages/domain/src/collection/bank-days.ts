/**
 * Days on which banks of a country are open: no Saturday, no Sunday, no public holiday, and none of the eves on
 * which they stay closed. A day that only some banks keep counts as closed, so that a debtor never gets less
 * time. Sources: the countries' acts on public holidays; SE lag 1989:253, NO lov 1995-02-24-12, DK
 * lov 214/2023 (no Great Prayer Day from 2024), FI the church act's feast days; others the days of TARGET.
 */
import { type CalendarDate, addDays, date, daysBetween } from '../calendar.ts'

/** Month and day of the holidays that do not move. */
const FIXED: Readonly<Record<string, readonly string[]>> = {
  SE: ['01-01', '01-06', '05-01', '06-06', '12-24', '12-25', '12-26', '12-31'],
  NO: ['01-01', '05-01', '05-17', '12-24', '12-25', '12-26'],
  DK: ['01-01', '06-05', '12-24', '12-25', '12-26', '12-31'],
  FI: ['01-01', '01-06', '05-01', '12-06', '12-24', '12-25', '12-26'],
  OTHER: ['01-01', '05-01', '12-25', '12-26'],
}

/** Days from Easter Sunday. Good Friday and Easter Monday everywhere; 39 is Ascension Day, 50 Whit Monday. */
const FROM_EASTER: Readonly<Record<string, readonly number[]>> = {
  SE: [-2, 1, 39],
  NO: [-3, -2, 1, 39, 50],
  DK: [-3, -2, 1, 39, 40, 50],
  FI: [-2, 1, 39],
  OTHER: [-2, 1],
}

const GREAT_PRAYER_DAY = 26
/** From this year on the Danish Great Prayer Day is a working day. */
const YEAR_WITHOUT_GREAT_PRAYER_DAY = 2024

/** Easter Sunday of the Gregorian calendar (the anonymous algorithm printed by Meeus). */
export function easterSunday(year: number): CalendarDate {
  const golden = year % 19
  const century = Math.floor(year / 100)
  const yearOfCentury = year % 100
  const shift = Math.floor((century - Math.floor((century + 8) / 25) + 1) / 3)
  const epact = (19 * golden + century - Math.floor(century / 4) - shift + 15) % 30
  const weekday =
    (32 + 2 * (century % 4) + 2 * Math.floor(yearOfCentury / 4) - epact - (yearOfCentury % 4)) % 7
  const late = Math.floor((golden + 11 * epact + 22 * weekday) / 451)
  const count = epact + weekday - 7 * late + 114
  const pad = (part: number): string => String(part).padStart(2, '0')
  return date(`${String(year).padStart(4, '0')}-${pad(Math.floor(count / 31))}-${pad((count % 31) + 1)}`)
}

const MONDAY = date('2024-01-01')

/** 1 for Monday to 7 for Sunday. */
export function weekdayOf(day: CalendarDate): number {
  return (((daysBetween(MONDAY, day) % 7) + 7) % 7) + 1
}

/** Friday between 19 and 25 June, when Swedish and Finnish banks are closed. */
function isMidsummerEve(country: string, day: CalendarDate): boolean {
  const monthDay = day.slice(5)
  return (
    (country === 'SE' || country === 'FI') &&
    weekdayOf(day) === 5 &&
    monthDay >= '06-19' &&
    monthDay <= '06-25'
  )
}

/** Are the banks of `country` open? Countries without a list of their own keep the European ones. */
export function isBankDay(country: string, day: CalendarDate): boolean {
  if (weekdayOf(day) > 5) return false
  const list = Object.hasOwn(FIXED, country) ? country : 'OTHER'
  if (FIXED[list]?.includes(day.slice(5))) return false
  const year = Number(day.slice(0, 4))
  const distance = daysBetween(easterSunday(year), day)
  if (FROM_EASTER[list]?.includes(distance)) return false
  if (list === 'DK' && distance === GREAT_PRAYER_DAY && year < YEAR_WITHOUT_GREAT_PRAYER_DAY) return false
  return !isMidsummerEve(list, day)
}

/** The bank day that is `count` bank days after `day`; with 0 `day` itself or the first bank day after it. */
export function addBankDays(country: string, day: CalendarDate, count: number): CalendarDate {
  let result = day
  let left = count
  while (left > 0 || !isBankDay(country, result)) {
    result = addDays(result, 1)
    if (isBankDay(country, result)) left -= 1
  }
  return result
}
