import type { AnswerOf } from '@kvitt/domain/contract.ts'
import type { listOfficeInvoiceMessages } from '@kvitt/domain/invoices/office-invoice-detail.contract.ts'
import { Chip, type ChipTone } from '@kvitt/office/parts/chip.tsx'
import { dayText } from '@kvitt/office/parts/day-words.ts'
import { t, type MessageId } from '../text.ts'
import css from './messages.module.css'

type Message = AnswerOf<typeof listOfficeInvoiceMessages>[number]

const TONES: Readonly<Record<Message['status'], ChipTone>> = {
  WAITING: 'outline',
  SENT: 'ok',
  DEAD: 'bad',
  DROPPED: 'neutral',
}

const wayText = (channel: string): string => t(`message.way.${channel}` as MessageId)

/** What the debtor was told: when, on which way, and whether somebody took it. */
export function Messages({ messages, today }: { messages: readonly Message[]; today: string }) {
  if (messages.length === 0) return <p className={css.none}>{t('story.no_messages')}</p>
  return (
    <ul className={css.messages}>
      {messages.map(({ id, subject, date, channel, status, closedChannels, representative }) => (
        <li key={id} className={css.message}>
          <span className={css.day}>{dayText(date, today)}</span>
          <span className={css.what}>
            {subject}
            <span className={css.way}>
              {wayText(channel)}
              {representative && `. ${t('message.to_guardian', { name: representative })}`}
              {closedChannels.length > 0 &&
                `. ${t('message.tried_before', { ways: closedChannels.map(wayText).join(', ') })}`}
            </span>
          </span>
          <Chip tone={TONES[status]}>{t(`message.status.${status}`)}</Chip>
        </li>
      ))}
    </ul>
  )
}
