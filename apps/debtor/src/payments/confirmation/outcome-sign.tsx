import { Spinner } from '@kvitt/ui/feedback/spinner.tsx'
import css from './outcome-sign.module.css'
import type { Outcome } from './newest-payment.ts'

/** The large sign above the result: a ring that turns while waiting, a tick that is drawn once, a cross. */
export function OutcomeSign({ outcome }: { outcome: Outcome }) {
  if (outcome === 'waiting' || outcome === 'unsure')
    return (
      <span className={css.wait}>
        <Spinner look="brand" size="large" />
      </span>
    )
  const isDone = ['received', 'approved', 'booked', 'paid'].includes(outcome)
  return (
    <span className={css.sign} data-done={isDone || undefined} aria-hidden="true">
      <svg viewBox="0 0 24 24">
        <path
          d={
            isDone
              ? 'M5 12.5l4.7 4.7L19.5 7.5'
              : outcome === 'failed'
                ? 'M7 7l10 10M17 7L7 17'
                : 'M12 7v6M12 16.5v.1'
          }
          pathLength="1"
        />
      </svg>
    </span>
  )
}
