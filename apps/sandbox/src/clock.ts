/** Real time and timers, injected so that tests can move them. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number
  /** Runs `act` once after `delayMs`; the returned function calls it off. */
  after(delayMs: number, act: () => void): () => void
}

export const systemClock: Clock = {
  now: () => Date.now(),
  after(delayMs, act) {
    const timer = setTimeout(act, delayMs)
    return () => clearTimeout(timer)
  },
}

/** The calendar day of an instant in Stockholm, `YYYY-MM-DD`. */
export function stockholmDay(instantMs: number): string {
  return new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Stockholm' }).format(instantMs)
}

/** True for a `YYYY-MM-DD` that exists in the calendar. */
export function isCalendarDay(text: unknown): text is string {
  if (typeof text !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(text)) return false
  const instant = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(instant.getTime()) && instant.toISOString().startsWith(text)
}
