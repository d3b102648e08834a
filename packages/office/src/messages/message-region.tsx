import { Icon } from '@kvitt/ui/components/icon.tsx'
import { t } from '../text.ts'
import css from './message-region.module.css'
import { dismiss, useMessages } from './messages.ts'

/** At the bottom right, from the first render on, so that what comes is announced. What failed stands in a red box. */
export function MessageRegion() {
  const { shown } = useMessages()
  return (
    <div className={css.region} role="status">
      {shown.map(({ id, tone, text }) => (
        <div key={id} className={css.message} data-tone={tone}>
          <Icon name={tone === 'ok' ? 'check' : 'alert'} size={16} />
          <span className={css.text}>{text}</span>
          <button
            type="button"
            className={css.close}
            aria-label={t('form.close')}
            onClick={() => dismiss(id)}
          >
            <Icon name="close" size={16} />
          </button>
        </div>
      ))}
    </div>
  )
}
