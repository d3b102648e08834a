import { Dialog } from '@kvitt/ui/components/dialog.tsx'
import { useState } from 'react'
import { KeyCap } from '../parts/key-cap.tsx'
import { t } from '../text.ts'
import { areKeysOn, switchKeys } from './keys.ts'
import css from './keys-dialog.module.css'

export type KeyRow = { readonly keys: readonly string[]; readonly does: string }

/** Every key that works in the portal, and the switch that turns single keys off (WCAG 2.1.4). */
export function KeysDialog({ places, onClose }: { places: readonly KeyRow[]; onClose: () => void }) {
  const [isOn, setOn] = useState(areKeysOn)
  const rows: readonly KeyRow[] = [
    { keys: ['/'], does: t('keys.search') },
    { keys: ['?'], does: t('keys.all') },
    { keys: ['J', 'K'], does: t('keys.move') },
    { keys: ['↵'], does: t('keys.open') },
    { keys: ['X'], does: t('keys.select') },
    { keys: ['Shift', 'X'], does: t('keys.range') },
    { keys: ['Esc'], does: t('keys.close') },
    { keys: ['Ctrl', '↵'], does: t('keys.commit') },
    { keys: ['Ctrl', 'Z'], does: t('messages.undo') },
    ...places,
  ]
  return (
    <Dialog title={t('keys.title')} onClose={onClose}>
      <dl className={css.rows}>
        {rows.map(({ keys, does }) => (
          <div key={keys.join()}>
            <dt>
              <span className="spoken">{keys.join(' + ')}</span>
              {keys.map((key) => (
                <KeyCap key={key}>{key}</KeyCap>
              ))}
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <label className={css.choice}>
        <input
          type="checkbox"
          checked={isOn}
          onChange={({ currentTarget }) => {
            switchKeys(currentTarget.checked)
            setOn(currentTarget.checked)
          }}
        />
        {t('keys.single')}
      </label>
    </Dialog>
  )
}
