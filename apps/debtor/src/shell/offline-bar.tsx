import { Icon } from '@kvitt/ui/components/icon.tsx'
import { useSyncExternalStore } from 'react'
import { t } from '../text.ts'
import css from './offline-bar.module.css'

function subscribe(changed: () => void): () => void {
  addEventListener('online', changed)
  addEventListener('offline', changed)
  return () => {
    removeEventListener('online', changed)
    removeEventListener('offline', changed)
  }
}

/** Says once when the connection is lost, and goes when it is back. The place stands from the start, to be heard. */
export function OfflineBar() {
  const isOnline = useSyncExternalStore(subscribe, () => navigator.onLine)
  return (
    <div role="status" className={css.place}>
      {!isOnline && (
        <p className={css.bar}>
          <Icon name="info" size={20} />
          {t('offline.text')}
        </p>
      )}
    </div>
  )
}
