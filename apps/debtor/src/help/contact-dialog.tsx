import { groupInFours } from '@kvitt/domain/references.ts'
import { CopyButton } from '@kvitt/ui/values/copy-value.tsx'
import { Dialog } from '@kvitt/ui/components/dialog.tsx'
import { useInstance } from '../instance.ts'
import { telHref } from '../shell/tel-href.ts'
import { t } from '../text.ts'
import css from './contact-dialog.module.css'

/** How to reach the provider, and the reference to quote. */
export default function ContactDialog({ reference, onClose }: { reference: string; onClose: () => void }) {
  const instance = useInstance()
  const contact = instance?.contactInformation
  return (
    <Dialog title={t('help.contact_us')} onClose={onClose}>
      <dl className={css.list}>
        {contact && (
          <>
            <div>
              <dt>{t('help.phone')}</dt>
              <dd className={css.phone}>
                <a href={telHref(contact.phone)}>{contact.phone}</a>
              </dd>
            </div>
            <div>
              <dt>{t('help.email')}</dt>
              <dd>
                <a href={`mailto:${contact.email}`}>{contact.email}</a>
              </dd>
            </div>
          </>
        )}
        <div className={css.quote}>
          <dt>{t('contact.quote')}</dt>
          <dd>{groupInFours(reference)}</dd>
          <dd className={css.copy}>
            <CopyButton value={reference} label={t('contact.quote')} />
          </dd>
        </div>
      </dl>
    </Dialog>
  )
}
