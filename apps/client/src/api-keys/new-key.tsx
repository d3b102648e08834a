import { OfficeButton } from '@kvitt/office/parts/office-button.tsx'
import { Dialog } from '@kvitt/ui/components/dialog.tsx'
import { MessageBox } from '@kvitt/ui/feedback/message-box.tsx'
import { CopyButton } from '@kvitt/ui/values/copy-value.tsx'
import { t } from '../text.ts'
import css from './new-key.module.css'

/** The whole key: nobody can read it again afterwards. */
export function NewKey({ apiKey, onClose }: { apiKey: string; onClose: () => void }) {
  return (
    <Dialog
      title={t('api_key.new')}
      onClose={onClose}
      actions={
        <OfficeButton look="primary" size="large" onClick={onClose}>
          {t('api_key.kept')}
        </OfficeButton>
      }
    >
      <div className={css.body}>
        <MessageBox tone="info">{t('api_key.once')}</MessageBox>
        <p className={css.line}>
          <code className={css.key}>{apiKey}</code>
          <CopyButton value={apiKey} label={t('api_key.key')} />
        </p>
      </div>
    </Dialog>
  )
}
