import { ActDialog } from '@kvitt/office/form/act-dialog.tsx'
import { Panel } from '@kvitt/office/frame/panel.tsx'
import { ListWaiting } from '@kvitt/office/list/list-states.tsx'
import { BlockFailed } from '@kvitt/office/parts/block-failed.tsx'
import { Chip, type ChipTone } from '@kvitt/office/parts/chip.tsx'
import { momentText } from '@kvitt/office/parts/moment-text.ts'
import { OfficeButton, OfficeLink } from '@kvitt/office/parts/office-button.tsx'
import { hashOf } from '@kvitt/office/place.ts'
import { formatCount } from '@kvitt/ui/count-text.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Facts } from '../shell/facts.tsx'
import { useRight } from '../shell/me.ts'
import { t, type MessageId } from '../text.ts'
import { formOf } from './message-form.ts'
import {
  messageQuery,
  perform,
  reloadOutbox,
  type MessageAct,
  type OutboxDetail,
  type OutboxMessage,
} from './outbox-calls.ts'
import css from './outbox.module.css'

const TONES: Readonly<Record<OutboxMessage['status'], ChipTone>> = {
  WAITING: 'outline',
  SENT: 'ok',
  DEAD: 'bad',
  DROPPED: 'neutral',
}

export function MessageChip({ status }: { status: OutboxMessage['status'] }) {
  return <Chip tone={TONES[status]}>{t(`message.status.${status}`)}</Chip>
}

export const wayText = (channel: string): string => t(`message.way.${channel}` as MessageId)

type MessagePanelProps = {
  id: string
  onClose: () => void
  /** Another message was made of this one. */
  onMade: (id: string) => void
}

/** One message: how each way took it, and what can be done. */
export function MessagePanel({ id, onClose, onMade }: MessagePanelProps) {
  const found = useQuery(messageQuery(id))
  const may = useRight('messages')
  const [act, setAct] = useState<MessageAct>()
  const message = found.data
  if (!message) {
    return (
      <Panel kind={t('outbox.message')} title={t('outbox.message')} onClose={onClose}>
        {found.isError ? (
          <BlockFailed error={found.error} onRetry={() => void found.refetch()} />
        ) : (
          <ListWaiting rows={4} />
        )}
      </Panel>
    )
  }
  return (
    <Panel
      kind={t('outbox.message')}
      title={message.subject}
      onClose={onClose}
      foot={may && message.acts.length > 0 && <Acts message={message} onAct={setAct} />}
    >
      <Known message={message} />
      <Tries message={message} />
      {message.text !== null && (
        <section className={css.part}>
          <h3>{t('outbox.says')}</h3>
          <p className={css.text}>{message.text}</p>
        </section>
      )}
      {act && (
        <ActDialog
          form={formOf(act, message)}
          onCommit={async (values, key) => {
            const made = await perform(act, id, values, key)
            if (made.id !== id) onMade(made.id)
          }}
          onClose={() => setAct(undefined)}
          onDone={() => {
            setAct(undefined)
            reloadOutbox()
          }}
        />
      )}
    </Panel>
  )
}

function Acts({ message, onAct }: { message: OutboxDetail; onAct: (act: MessageAct) => void }) {
  return message.acts.map((act, index) => (
    <OfficeButton
      key={act}
      look={act === 'drop' ? 'danger' : index === 0 ? 'primary' : 'secondary'}
      onClick={() => onAct(act)}
    >
      {formOf(act, message).title}
    </OfficeButton>
  ))
}

function Known({ message }: { message: OutboxDetail }) {
  const { status, recipient, debt, debtor, creditor, createdAt, sentAt, nextAt, channel } = message
  const at = (moment: string | null) => moment && momentText(moment)
  return (
    <>
      <Facts
        rows={[
          { id: 'status', name: t('invoice.status'), value: <MessageChip status={status} /> },
          { id: 'way', name: t('outbox.way'), value: wayText(channel) },
          { id: 'to', name: t('outbox.to'), value: recipient ?? t('outbox.to_own') },
          {
            id: 'debtor',
            name: t('invoice.debtor'),
            value: debtor && <a href={hashOf({ view: 'debtors', id: debtor.id })}>{debtor.name}</a>,
          },
          { id: 'creditor', name: t('column.creditor'), value: creditor?.name },
          { id: 'number', name: t('todo.number'), value: debt?.number },
          { id: 'written', name: t('outbox.written'), value: at(createdAt) },
          { id: 'sent', name: t('outbox.sent_at'), value: at(sentAt) },
          { id: 'next', name: t('outbox.next_at'), value: at(nextAt) },
        ]}
      />
      {debt && (
        <div>
          <OfficeLink href={hashOf({ view: debt.type === 'invoices' ? 'invoices' : 'claims', id: debt.id })}>
            {t(debt.type === 'invoices' ? 'todo.open_invoice' : 'todo.open_claim')}
          </OfficeLink>
        </div>
      )}
    </>
  )
}

/** The ways that were closed, the one that it is on, and those that are left. */
function Tries({ message }: { message: OutboxDetail }) {
  const { closed, channel, tries, error, nextChannels, status } = message
  return (
    <section className={css.part}>
      <h3>{t('outbox.ways')}</h3>
      <ol className={css.ways}>
        {closed.map((one, index) => (
          <li key={`${index} ${one.channel}`}>
            <span>{wayText(one.channel)}</span>
            <code>{one.error}</code>
          </li>
        ))}
        <li>
          <strong>{wayText(channel)}</strong>
          {status === 'SENT' ? (
            <span>{t('message.status.SENT')}</span>
          ) : (
            <span>
              {t('outbox.tries', { n: formatCount(tries) })} {error && <code>{error}</code>}
            </span>
          )}
        </li>
        {status === 'WAITING' &&
          nextChannels.map((one) => (
            <li key={`next ${one}`} className={css.left}>
              <span>{wayText(one)}</span>
              <span>{t('outbox.then')}</span>
            </li>
          ))}
      </ol>
    </section>
  )
}
