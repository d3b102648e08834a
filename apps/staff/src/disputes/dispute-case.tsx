import { daysBetween, type CalendarDate } from '@kvitt/domain/calendar.ts'
import { Panel } from '@kvitt/office/frame/panel.tsx'
import { ListWaiting } from '@kvitt/office/list/list-states.tsx'
import { BlockFailed } from '@kvitt/office/parts/block-failed.tsx'
import { dayText, distanceText } from '@kvitt/office/parts/day-words.ts'
import { DayStrip } from '@kvitt/office/parts/day-strip.tsx'
import { Figure } from '@kvitt/office/parts/figure.tsx'
import { hashOf } from '@kvitt/office/place.ts'
import { formatDay } from '@kvitt/ui/date-text.ts'
import { MessageBox } from '@kvitt/ui/feedback/message-box.tsx'
import { minorOf } from '@kvitt/ui/minor-of.ts'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useWaiting } from '../shell/later.ts'
import { Facts } from '../shell/facts.tsx'
import { useRight } from '../shell/me.ts'
import { isAdmin } from '../shell/portal.ts'
import { SentFiles } from '../shell/cases/sent-files.tsx'
import { t } from '../text.ts'
import { AnswerForm } from './answer-form.tsx'
import css from '../shell/case.module.css'
import { disputeQuery, type DisputeDetail } from './dispute-calls.ts'

type CaseProps = {
  id: string
  today: string
  place?: string
  /** Beside the decision, such as who looks after it. */
  beside?: ReactNode
  onClose: () => void
  onDone: () => void
}

/** A dispute: its clock, what is disputed, the debtor's own words, and the answer. */
export function DisputeCase({ id, today, place, beside, onClose, onDone }: CaseProps) {
  const found = useQuery(disputeQuery(id))
  const may = useRight('answer') && !isAdmin
  const isWaiting = useWaiting().has(id)
  const dispute = found.data
  const along = { onClose, ...(place === undefined ? {} : { place }) }
  if (!dispute) {
    return (
      <Panel kind={t('dispute.dispute')} title={t('dispute.dispute')} {...along}>
        {found.isError ? (
          <BlockFailed error={found.error} onRetry={() => void found.refetch()} />
        ) : (
          <ListWaiting rows={4} />
        )}
      </Panel>
    )
  }
  const isOpen = dispute.status === 'OPEN'
  const title =
    isOpen && dispute.deadline
      ? t('dispute.answer_by', { day: formatDay(dispute.deadline, 'weekday') })
      : t(`dispute.status.${dispute.status}`)
  return (
    <Panel kind={<Kind dispute={dispute} />} title={title} {...along}>
      {isOpen && dispute.deadline && <Clock dispute={dispute} deadline={dispute.deadline} today={today} />}
      <DisputeFacts dispute={dispute} today={today} />
      {dispute.thread.map(({ from, text, date, by }) => (
        <blockquote key={`${from} ${date} ${text}`} className={css.words} data-from={from}>
          <p className={css.who}>
            {from === 'DEBTOR' ? dispute.debtor.name : (by ?? t('dispute.you'))}, {dayText(date, today)}
          </p>
          <p>{text}</p>
        </blockquote>
      ))}
      <SentFiles files={dispute.files} />
      {isOpen && isWaiting && <MessageBox tone="info">{t('undo.waits')}</MessageBox>}
      {isOpen && may && !isWaiting && <AnswerForm dispute={dispute} beside={beside} onDone={onDone} />}
    </Panel>
  )
}

function Kind({ dispute: { subject } }: { dispute: DisputeDetail }) {
  const { type, id, number } = subject
  return (
    <>
      <strong>{t('dispute.dispute')}</strong>{' '}
      <a href={hashOf({ view: type === 'invoices' ? 'invoices' : 'claims', id })}>
        {t(type === 'invoices' ? 'dispute.of_invoice' : 'dispute.of_claim', { number })}
      </a>
    </>
  )
}

type ClockProps = { dispute: DisputeDetail; deadline: string; today: string }

function Clock({ dispute: { openedOn }, deadline, today }: ClockProps) {
  const between = (from: string, to: string) => daysBetween(from as CalendarDate, to as CalendarDate)
  return (
    <div>
      <DayStrip
        isWide
        days={Math.max(between(openedOn, deadline) + 1, 1)}
        elapsed={Math.max(between(openedOn, today), 0)}
      />
      <p className={css.clock}>
        <span>{t('dispute.received', { day: dayText(openedOn, today) })}</span>
        <span>{distanceText(deadline, today)}</span>
        <span>{dayText(deadline, today)}</span>
      </p>
    </div>
  )
}

function DisputeFacts({ dispute, today }: { dispute: DisputeDetail; today: string }) {
  const { debtor, balances, currency, expireDate, email, totalToPay } = dispute
  return (
    <Facts
      rows={[
        {
          id: 'debtor',
          name: t('invoice.debtor'),
          value: [debtor.name, debtor.invoiceAddress.city].filter(Boolean).join(', '),
        },
        {
          id: 'disputed',
          name: t('dispute.disputed'),
          value: (
            <>
              <Figure minor={minorOf(balances.total)} currency={currency} />{' '}
              {t('dispute.of_total', { due: dayText(expireDate, today) })}{' '}
              <Figure minor={minorOf(totalToPay)} currency={currency} isBare />
            </>
          ),
        },
        { id: 'since', name: t('dispute.since'), value: dispute.status === 'OPEN' && t('dispute.rests') },
        { id: 'email', name: t('debtor.email'), value: email },
      ]}
    />
  )
}
