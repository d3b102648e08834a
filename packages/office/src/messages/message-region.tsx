import { Icon } from '@kvitt/ui/components/icon.tsx'
import { useEffect, useState } from 'react'
import { useKeys } from '../keys/keys.ts'
import { KeyCap } from '../parts/key-cap.tsx'
import { usePlace } from '../place.ts'
import { t } from '../text.ts'
import css from './message-region.module.css'
import { dismiss, leavePage, useMessages, type Message } from './messages.ts'

/** At the bottom right, from the first render on, so that what comes is announced. What failed stands in a red box. */
export function MessageRegion() {
  const { shown } = useMessages()
  const last = shown.findLast(({ undo }) => undo !== undefined)
  useKeys({ 'Ctrl+z': last?.undo?.act })
  const { view, id, subview } = usePlace()
  const page = [view, id, subview].join('/')
  useEffect(leavePage, [page])
  const [opened, setOpened] = useState<Message>()
  return (
    <>
      <div className={css.region} role="status">
        {shown.map((message) => (
          <Said
            key={message.id}
            message={message}
            isLast={message === last}
            onOpen={() => setOpened(message)}
          />
        ))}
      </div>
      {opened?.details?.(() => setOpened(undefined))}
    </>
  )
}

type SaidProps = { message: Message; isLast: boolean; onOpen: () => void }

function Said({ message, isLast, onOpen }: SaidProps) {
  const { id, tone, text, undo, details, stays = false } = message
  return (
    <div className={css.message} data-tone={tone} data-stays={stays || undo !== undefined || undefined}>
      <Icon name={tone === 'ok' ? 'check' : 'alert'} size={16} />
      <span className={css.text}>{text}</span>
      {details && (
        <button type="button" className={css.undo} onClick={onOpen}>
          {t('messages.details')}
        </button>
      )}
      {undo ? (
        <button type="button" className={css.undo} onClick={undo.act}>
          {t('messages.undo')}
          {isLast && <KeyCap>Ctrl Z</KeyCap>}
        </button>
      ) : (
        <button type="button" className={css.close} aria-label={t('form.close')} onClick={() => dismiss(id)}>
          <Icon name="close" size={16} />
        </button>
      )}
      {undo && (
        <span className={css.left} style={{ animationDuration: `${undo.seconds}s` }} aria-hidden="true" />
      )}
    </div>
  )
}
