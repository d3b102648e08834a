import { OfficeButton } from '@kvitt/office/parts/office-button.tsx'
import { Dialog } from '@kvitt/ui/components/dialog.tsx'
import { MessageBox } from '@kvitt/ui/feedback/message-box.tsx'
import { CopyButton } from '@kvitt/ui/values/copy-value.tsx'
import { t } from '../text.ts'
import css from './new-secret.module.css'

type NewSecretProps = { title: string; text: string; label: string; value: string; onClose: () => void }

/** A whole key or secret: nobody can read it again afterwards. */
export function NewSecret({ title, text, label, value, onClose }: NewSecretProps) {
  return (
    <Dialog
      title={title}
      onClose={onClose}
      actions={
        <OfficeButton look="primary" size="large" onClick={onClose}>
          {t('api_key.kept')}
        </OfficeButton>
      }
    >
      <div className={css.body}>
        <MessageBox tone="info">{text}</MessageBox>
        <p className={css.line}>
          <code className={css.key}>{value}</code>
          <CopyButton value={value} label={label} />
        </p>
      </div>
    </Dialog>
  )
}
