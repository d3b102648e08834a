import { dayText } from '@kvitt/office/parts/day-words.ts'
import { Figure } from '@kvitt/office/parts/figure.tsx'
import { formatDay } from '@kvitt/ui/date-text.ts'
import { minorOf } from '@kvitt/ui/minor-of.ts'
import { stepText } from '../shell/steps.ts'
import { t } from '../text.ts'
import { eventText } from './event-text.ts'
import css from './timeline.module.css'

export type TimelineEvent = {
  readonly type: string
  readonly subType: string | null
  readonly date: string
  readonly amount: number | null
  readonly balance: number | null
}

export type TimelineStep = {
  readonly type: string
  readonly date: string
  /** Null where it is not known yet. */
  readonly fee: number | null
  readonly lastPayDate: string | null
  /** It rests: nobody knows when it comes. */
  readonly isOnHold?: boolean
}

type TimelineProps = {
  events: readonly TimelineEvent[]
  coming: readonly TimelineStep[]
  today: string
  currency: string
}

/** What has happened, today, and dashed what comes if nobody pays: each with its day, what it changes and what is owed then. */
export function Timeline({ events, coming, today, currency }: TimelineProps) {
  return (
    <ol className={css.timeline}>
      {events.map((event, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- the story only grows at its end
        <li key={index} className={css.entry}>
          <span className={css.day}>{dayText(event.date, today)}</span>
          <span className={css.dot} aria-hidden="true" />
          <span className={css.what}>{eventText(event.type, event.subType)}</span>
          <span className={css.change}>
            {event.amount !== null && <Change minor={minorOf(event.amount)} currency={currency} />}
          </span>
          <span className={css.balance}>
            {event.balance !== null && <Figure minor={minorOf(event.balance)} currency={currency} isBare />}
          </span>
        </li>
      ))}
      <li className={css.entry} data-is="today">
        <span className={css.day}>{dayText(today, today)}</span>
        <span className={css.dot} aria-hidden="true" />
        <span className={css.what}>{t('todo.today')}</span>
      </li>
      {coming.map((step) => (
        <Coming key={`${step.type} ${step.date}`} step={step} today={today} currency={currency} />
      ))}
    </ol>
  )
}

function Coming({ step, today, currency }: { step: TimelineStep; today: string; currency: string }) {
  const { type, date, fee, lastPayDate, isOnHold = false } = step
  return (
    <li className={css.entry} data-is="coming">
      <span className={css.day}>{isOnHold ? '–' : dayText(date, today)}</span>
      <span className={css.dot} aria-hidden="true" />
      <span className={css.what}>
        {stepText(type)}
        {isOnHold && <span className={css.note}>{t('story.on_hold')}</span>}
        {lastPayDate && (
          <span className={css.note}>{t('story.last_day', { day: formatDay(lastPayDate, 'dayMonth') })}</span>
        )}
        {fee === null && <span className={css.note}>{t('story.fee_unknown')}</span>}
      </span>
      <span className={css.change}>
        {fee !== null && fee > 0 && <Change minor={minorOf(fee)} currency={currency} />}
      </span>
    </li>
  )
}

/** An amount that says which way it goes. */
function Change({ minor, currency }: { minor: number; currency: string }) {
  return (
    <>
      {minor > 0 && '+'}
      <Figure minor={minor} currency={currency} isBare />
    </>
  )
}
