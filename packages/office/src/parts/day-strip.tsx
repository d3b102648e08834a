import css from './day-strip.module.css'

/** A promise with a clock, one cell a day. The date stands in words beside it, so it is not read out. */
export function DayStrip({ days, elapsed, isWide }: { days: number; elapsed: number; isWide?: boolean }) {
  const cells = Array.from({ length: Math.min(days, 60) }, (_, day) => day)
  return (
    <span className={css.strip} data-wide={isWide || undefined} aria-hidden="true">
      {cells.map((day) => (
        <span key={day} data-state={day < elapsed ? 'gone' : day === elapsed && isWide ? 'today' : 'left'} />
      ))}
    </span>
  )
}
