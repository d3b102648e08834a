/** The one clock. Business days come from `today`; tokens, links and time-outs from `now` (D-16). */
import { addDays, dayOf, type CalendarDate } from '@kvitt/domain/calendar.ts'

export type Clock = {
  /** Milliseconds since 1970, real time. */
  now(): number
  /** The business day in a time zone: the real one plus the demo's shift. */
  today(timeZone: string): CalendarDate
}

/** The machine's clock. `shiftDays` tells how far the demo has been moved on. */
export function systemClock(shiftDays: () => number): Clock {
  return {
    now: () => Date.now(),
    today: (timeZone) => addDays(dayOf(Date.now(), timeZone), shiftDays()),
  }
}

/** The same clock with the business day held at `day`: how the demo's past is lived through. */
export function clockOnDay(clock: Clock, day: CalendarDate): Clock {
  return { now: clock.now, today: () => day }
}
