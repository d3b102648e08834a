import { Icon } from '@kvitt/ui/components/icon.tsx'
import { say } from '@kvitt/ui/language/speak.ts'
import { useState } from 'react'
import { t } from '../text.ts'
import css from './browser-banner.module.css'
import { isInsideAnotherApp } from '../shell/device.ts'

/** For a browser inside another app, from which the electronic ID finds no way back. */
export function BrowserBanner() {
  const [isShown, setShown] = useState(() => isInsideAnotherApp(navigator.userAgent))
  if (!isShown) return null
  return (
    <div className={css.banner}>
      <Icon name="info" size={20} />
      <p>{t('login.browser_banner')}</p>
      <button
        type="button"
        className={css.close}
        aria-label={say('form.close')}
        onClick={() => setShown(false)}
      >
        <Icon name="close" size={20} />
      </button>
    </div>
  )
}
