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
  // A day changes on a full second; asking the calendar of a time zone is dear.
  const known = new Map<string, { second: number; day: CalendarDate }>()
  function realDay(timeZone: string): CalendarDate {
    const second = Math.floor(Date.now() / 1000)
    const last = known.get(timeZone)
    if (last?.second === second) return last.day
    const day = dayOf(second * 1000, timeZone)
    known.set(timeZone, { second, day })
    return day
  }
  return {
    now: () => Date.now(),
    today: (timeZone) => addDays(realDay(timeZone), shiftDays()),
  }
}

/** The same clock with the business day held at `day`: how the demo's past is lived through. */
export function clockOnDay(clock: Clock, day: CalendarDate): Clock {
  return { now: clock.now, today: () => day }
}
