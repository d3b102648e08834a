import { date } from '@kvitt/domain/calendar.ts'
import { dueDistance } from '@kvitt/domain/invoices/invoice.ts'
import { Dotted } from '@kvitt/ui/values/dotted.tsx'
import { Icon } from '@kvitt/ui/components/icon.tsx'
import { formatCount } from '@kvitt/ui/count-text.ts'
import { formatDay } from '@kvitt/ui/date-text.ts'
import { t, type MessageId } from '../text.ts'
import css from './invoice-hero.module.css'

type DueProps = {
  expireDate: string
  today: string
  /** What is said of a day to come; a claim has words of its own (specification section 2). */
  ahead?: 'invoice.due_on' | 'claim.due_by_day'
}

/** "Due 4 December 2026 · in 15 days", "Due today, 4 December 2026", "Was due 11 October 2026 · 40 days ago". */
export function DueLine({ expireDate, today, ahead = 'invoice.due_on' }: DueProps) {
  const { kind, days } = dueDistance(date(expireDate), date(today))
  const isAhead = kind === 'in'
  const day = formatDay(expireDate)
  const isToday = expireDate === today
  return (
    <p className={css.due}>
      <Icon name="calendar" size={20} />
      <Dotted
        parts={[
          t(isToday ? 'invoice.due_today' : isAhead ? ahead : 'invoice.was_due_on', { day }),
          !isToday && t(isAhead ? 'invoice.in_days' : 'invoice.days_ago', { n: formatCount(days) }),
        ]}
      />
    </p>
  )
}

type PausedProps = { status: string; disputed: MessageId }

/** What is paused or disputed can be paid, but need not be. */
export function PausedLine({ status, disputed }: PausedProps) {
  if (status !== 'PAUSED' && status !== 'DISPUTED') return null
  return (
    <p className={css.strong}>
      {status === 'DISPUTED' && (
        <>
          {t(disputed)}
          <br />
        </>
      )}
      {t('payment.need_not')}
    </p>
  )
}
