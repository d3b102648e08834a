import { useSyncExternalStore } from 'react'
import { say } from '../language/speak.ts'
import { isReleaseGone, onOtherRelease } from '../other-release.ts'
import { Button } from './button.tsx'
import css from './new-version.module.css'

/**
 * Says once that there is a new version of the page, and loads it when its reader asks for it. The place stands from the start, to be
 * heard; a dialog has its own, as nothing behind it can be pressed.
 */
export function NewVersion() {
  const isGone = useSyncExternalStore(onOtherRelease, isReleaseGone, isReleaseGone)
  return (
    <div role="status" className={css.place}>
      {isGone && (
        <div className={css.bar}>
          <p>{say('version.new')}</p>
          <Button look="secondary" onClick={() => location.reload()}>
            {say('version.reload')}
          </Button>
        </div>
      )}
    </div>
  )
}
