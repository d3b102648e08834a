/** Rates and some fees are set anew on 1 January and 1 July. */
import { type CalendarDate, date } from '../calendar.ts'

/** Figures are set for half-years. Both days count. */
export type HalfYear = { readonly name: string; readonly from: CalendarDate; readonly to: CalendarDate }

/** The half-year of a day, as `2026 H2`. */
export function halfYearOf(day: CalendarDate): HalfYear {
  const year = day.slice(0, 4)
  return day.slice(5, 7) < '07'
    ? { name: `${year} H1`, from: date(`${year}-01-01`), to: date(`${year}-06-30`) }
    : { name: `${year} H2`, from: date(`${year}-07-01`), to: date(`${year}-12-31`) }
}
