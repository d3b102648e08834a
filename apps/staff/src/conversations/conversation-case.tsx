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
import css from '../shell/case.module.css'
import { useWaiting } from '../shell/later.ts'
import { Facts } from '../shell/facts.tsx'
import { useRight } from '../shell/me.ts'
import { isAdmin } from '../shell/portal.ts'
import { SentFiles } from '../shell/cases/sent-files.tsx'
import { t } from '../text.ts'
import { conversationQuery, type ConversationDetail } from './conversation-calls.ts'
import { DecideForm } from './decide-form.tsx'
import { outcomeText, wishText } from './request-texts.ts'
import { ReplyForm } from './reply-form.tsx'

type CaseProps = {
  id: string
  today: string
  place?: string
  /** Beside the answer, such as who looks after it. */
  beside?: ReactNode
  onClose: () => void
  onDone: () => void
}

/** What a debtor asks: its clock, what it is about, what was written, and the answer. */
export function ConversationCase({ id, today, place, beside, onClose, onDone }: CaseProps) {
  const found = useQuery(conversationQuery(id))
  const isWaiting = useWaiting().has(id)
  const conversation = found.data
  const isMandated = isAdmin && conversation?.subject.type === 'invoices'
  const may = useRight('answer') && !isMandated
  const along = { onClose, ...(place === undefined ? {} : { place }) }
  if (!conversation) {
    return (
      <Panel kind={t('conversation.conversation')} title={t('conversation.conversation')} {...along}>
        {found.isError ? (
          <BlockFailed error={found.error} onRetry={() => void found.refetch()} />
        ) : (
          <ListWaiting rows={4} />
        )}
      </Panel>
    )
  }
  const { kind, status, deadline, messages, debtor } = conversation
  const Form = kind === 'QUESTION' ? ReplyForm : DecideForm
  const title = deadline
    ? t('dispute.answer_by', { day: formatDay(deadline, 'weekday') })
    : t(`conversation.status.${status}`)
  return (
    <Panel kind={<Kind conversation={conversation} />} title={title} {...along}>
      {deadline && <Clock askedOn={conversation.askedOn} deadline={deadline} today={today} />}
      <ConversationFacts conversation={conversation} today={today} />
      {messages.map(({ id: message, from, text, date, by }) => (
        <blockquote key={message} className={css.words} data-from={from}>
          <p className={css.who}>
            {from === 'DEBTOR' ? debtor.name : (by ?? t('dispute.you'))}, {dayText(date, today)}
          </p>
          <p>{text}</p>
        </blockquote>
      ))}
      <SentFiles files={conversation.files} />
      {status === 'OPEN' && isWaiting && <MessageBox tone="info">{t('undo.waits')}</MessageBox>}
      {status === 'OPEN' && may && !isWaiting && (
        <Form conversation={conversation} beside={beside} onDone={onDone} />
      )}
    </Panel>
  )
}

function Kind({ conversation: { kind, subject } }: { conversation: ConversationDetail }) {
  const { type, id, number } = subject
  return (
    <>
      <strong>{t(`conversation.kind.${kind}`)}</strong>{' '}
      <a href={hashOf({ view: type === 'invoices' ? 'invoices' : 'claims', id })}>
        {t(type === 'invoices' ? 'dispute.of_invoice' : 'dispute.of_claim', { number })}
      </a>
    </>
  )
}

function Clock({ askedOn, deadline, today }: { askedOn: string; deadline: string; today: string }) {
  const between = (from: string, to: string) => daysBetween(from as CalendarDate, to as CalendarDate)
  return (
    <div>
      <DayStrip
        isWide
        days={Math.max(between(askedOn, deadline) + 1, 1)}
        elapsed={Math.max(between(askedOn, today), 0)}
      />
      <p className={css.clock}>
        <span>{t('dispute.received', { day: dayText(askedOn, today) })}</span>
        <span>{distanceText(deadline, today)}</span>
        <span>{dayText(deadline, today)}</span>
      </p>
    </div>
  )
}

type FactsProps = { conversation: ConversationDetail; today: string }

function ConversationFacts({ conversation, today }: FactsProps) {
  const { debtor, balance, currency, expireDate, email, rests, counterUntil } = conversation
  return (
    <Facts
      rows={[
        {
          id: 'debtor',
          name: t('invoice.debtor'),
          value: [debtor.name, debtor.invoiceAddress.city].filter(Boolean).join(', '),
        },
        {
          id: 'balance',
          name: t('invoice.balance'),
          value: <Figure minor={minorOf(balance)} currency={currency} />,
        },
        { id: 'due', name: t('invoice.due'), value: dayText(expireDate, today) },
        { id: 'wish', name: t('request.asks'), value: wishText(conversation) },
        { id: 'rests', name: t('invoice.status'), value: rests ? t('conversation.rests') : null },
        { id: 'outcome', name: t('request.outcome'), value: outcomeText(conversation) },
        {
          id: 'until',
          name: t('conversation.counter_until'),
          value: counterUntil && dayText(counterUntil, today),
        },
        { id: 'email', name: t('debtor.email'), value: email },
      ]}
    />
  )
}
