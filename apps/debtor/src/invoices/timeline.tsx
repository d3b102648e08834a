import type { EventAnswer } from '@kvitt/domain/invoices/invoice.contract.ts'
import { Button } from '@kvitt/ui/components/button.tsx'
import { Icon, type IconName } from '@kvitt/ui/components/icon.tsx'
import { formatDay } from '@kvitt/ui/date-text.ts'
import { currentLanguage } from '@kvitt/ui/language/speak.ts'
import { minorOf } from '@kvitt/ui/minor-of.ts'
import { formatMoney } from '@kvitt/ui/money-text.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { eventsQuery } from '../debts/part-calls.ts'
import type { DebtKey } from '../session.ts'
import { t, type MessageId } from '../text.ts'
import { lookOf } from '../debts/events.ts'
import css from './timeline.module.css'

/** Five events fit side by side (specification section 9). */
const VISIBLE = 5
const LEFT_OUT = ['INVOICE', 'CREDIT_INVOICE', 'PART_INVOICE', 'SENT']

type Step = {
  readonly id: string
  readonly name: MessageId
  readonly icon: IconName
  readonly isLate?: boolean
  /** Unknown of the end. */
  readonly day?: string
  readonly amountMinor?: number | undefined
  readonly interest?: EventAnswer['interest']
}

type Sent = { readonly day: string; readonly amountMinor: number }

/** Fees and interest that the document asked for already, as those of an instalment: nothing came on top of it. */
function withoutAskedFor(events: readonly EventAnswer[], asked: Sent | undefined): readonly EventAnswer[] {
  const isAsked = ({ balance }: EventAnswer) => balance !== null && minorOf(balance) === asked?.amountMinor
  const last = events.findIndex(isAsked)
  return events.filter(
    ({ topic, date, amount }, index) =>
      index > last || topic !== 'FINANCIAL' || date !== events[0]?.date || (amount ?? 0) <= 0,
  )
}

/** Sent first, then what has happened, oldest first, and that it has ended. */
function stepsOf(sent: Sent | undefined, events: readonly EventAnswer[], end: MessageId | undefined): Step[] {
  const first: Step[] = sent ? [{ id: 'sent', name: 'event.sent', icon: 'send', ...sent }] : []
  const later = withoutAskedFor(events, sent)
    .filter((event) => !LEFT_OUT.includes(event.type))
    .map(({ type, subType, date, amount, interest }, index) => {
      const [name, icon] = lookOf(type, subType)
      const amountMinor = amount === null || amount === 0 ? undefined : minorOf(amount)
      return { id: `${index}`, name, icon, isLate: type === 'EXPIRED', day: date, amountMinor, interest }
    })
  const last: Step[] = end ? [{ id: 'end', name: end, icon: 'tick' }] : []
  return [...first, ...later, ...last]
}

type TimelineProps = {
  debtKey: DebtKey
  currency: string
  /** Of an invoice; a claim begins with what was moved into it. */
  sent?: Sent
  /** How it has ended, which no event tells. */
  end?: MessageId | undefined
}

export function Timeline({ debtKey, currency, sent, end }: TimelineProps) {
  const events = useQuery(eventsQuery(debtKey))
  const steps = stepsOf(sent, events.data ?? [], events.data && end)
  // Beside each other stand events; how it has ended stands below them.
  const lastStart = Math.max(0, steps.length - VISIBLE - (end ? 1 : 0))
  const [chosenStart, setStart] = useState<number>()
  const start = Math.min(chosenStart ?? lastStart, lastStart)
  const move = (to: number) => setStart(Math.max(0, Math.min(lastStart, to)))
  return (
    <section className={css.section} aria-labelledby="history-heading">
      <div className={css.head}>
        <h2 id="history-heading">{t('timeline.title')}</h2>
        {lastStart > 0 && (
          <div className={css.arrows}>
            <Arrow
              icon="chevron-left"
              label="timeline.earlier"
              isEnd={start === 0}
              onPress={() => move(start - VISIBLE)}
            />
            <Arrow
              icon="chevron-right"
              label="timeline.later"
              isEnd={start === lastStart}
              onPress={() => move(start + VISIBLE)}
            />
          </div>
        )}
      </div>
      <div className={css.card}>
        {events.error && !events.data ? (
          <div className={css.failed} role="alert">
            <p>{t('timeline.failed')}</p>
            <Button look="text" onClick={() => void events.refetch()}>
              {t('login.retry')}
            </Button>
          </div>
        ) : (
          <ol className={css.steps} data-row={steps.length > 2 || undefined} aria-busy={events.isPending}>
            {steps.map((step, index) => (
              <StepItem
                key={step.id}
                step={step}
                currency={currency}
                isOff={step.id !== 'end' && (index < start || index >= start + VISIBLE)}
              />
            ))}
          </ol>
        )}
      </div>
    </section>
  )
}

function Arrow(props: { icon: IconName; label: MessageId; isEnd: boolean; onPress: () => void }) {
  return (
    <button
      type="button"
      className={css.arrow}
      aria-label={t(props.label)}
      aria-disabled={props.isEnd}
      onClick={() => !props.isEnd && props.onPress()}
    >
      <Icon name={props.icon} size={20} />
    </button>
  )
}

function StepItem({ step, currency, isOff }: { step: Step; currency: string; isOff: boolean }) {
  const language = currentLanguage()
  const isChange = step.id !== 'sent' && step.amountMinor !== undefined && step.amountMinor > 0
  return (
    <li
      className={css.step}
      data-off={isOff || undefined}
      data-end={step.id === 'end' || undefined}
      data-late={step.isLate || undefined}
    >
      <span className={css.sign}>
        <Icon name={step.icon} size={16} />
      </span>
      <span className={css.name}>{t(step.name)}</span>
      {step.day && (
        <span className={css.day}>
          <span className={css.long}>{formatDay(step.day)}</span>
          <span className={css.short} aria-hidden="true">
            {formatDay(step.day, 'short')}
          </span>
        </span>
      )}
      {step.amountMinor !== undefined && (
        <span className={css.amount}>
          {isChange ? '+\u00a0' : ''}
          {formatMoney(step.amountMinor, currency, language)}
        </span>
      )}
      {step.interest?.map(({ rate, from, days }) => (
        <span key={from} className={css.rate}>
          {t('timeline.interest_days', { rate: rate.replace('.', ','), n: days })}
        </span>
      ))}
    </li>
  )
}
