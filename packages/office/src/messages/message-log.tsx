import { Dialog } from '@kvitt/ui/components/dialog.tsx'
import { useState } from 'react'
import { t } from '../text.ts'
import css from './message-log.module.css'
import { useMessages, type Message } from './messages.ts'

/** All that the page has said since it was opened, the newest first. */
export function MessageLog({ onClose }: { onClose: () => void }) {
  const { log } = useMessages()
  const [opened, setOpened] = useState<Message>()
  if (opened?.details) return opened.details(onClose)
  return (
    <Dialog title={t('messages.title')} onClose={onClose}>
      {log.length === 0 && <p>{t('messages.none')}</p>}
      <ol className={css.log}>
        {log.map((message) => (
          <li key={message.id} data-tone={message.tone}>
            <span className={css.time}>{message.time}</span>
            <span>
              {message.tone === 'bad' && <span className={css.failed}>{t('form.error')}: </span>}
              {message.text}{' '}
              {message.details && (
                <button type="button" className={css.details} onClick={() => setOpened(message)}>
                  {t('messages.details')}
                </button>
              )}
            </span>
          </li>
        ))}
      </ol>
    </Dialog>
  )
}
