import { Dialog } from '@kvitt/ui/components/dialog.tsx'
import { t } from '../text.ts'
import css from './message-log.module.css'
import { useMessages } from './messages.ts'

/** All that the page has said since it was opened, the newest first. */
export function MessageLog({ onClose }: { onClose: () => void }) {
  const { log } = useMessages()
  return (
    <Dialog title={t('messages.title')} onClose={onClose}>
      {log.length === 0 && <p>{t('messages.none')}</p>}
      <ol className={css.log}>
        {log.map(({ id, tone, text, time }) => (
          <li key={id} data-tone={tone}>
            <span className={css.time}>{time}</span>
            <span>
              {tone === 'bad' && <span className={css.failed}>{t('form.error')}: </span>}
              {text}
            </span>
          </li>
        ))}
      </ol>
    </Dialog>
  )
}
