import { currentLanguage } from '@kvitt/ui/language/speak.ts'
import { useInstance } from '../instance.ts'
import { t } from '../text.ts'
import { accessibilityHash } from '../views.ts'
import { ASK_AGAIN, listChoices } from './consent.ts'
import css from './footer.module.css'
import { telHref } from './tel-href.ts'
import { TrustLink } from './trust-link.tsx'

/** Who is behind this page: the same name and number as on the letter, visible without logging in. */
export function Footer() {
  const instance = useInstance()
  if (!instance) return null
  const { phone, email } = instance.contactInformation
  return (
    <footer className={css.footer}>
      <div className={`page ${css.row}`}>
        <div>
          <p className={css.name}>{instance.name}</p>
          <p>{t('shell.identification_number', { number: instance.identificationNumber })}</p>
        </div>
        <p className={css.links}>
          <a href={telHref(phone)}>{phone}</a>
          <a href={`mailto:${email}`}>{email}</a>
          <TrustLink about="trust.why" />
          <a href={accessibilityHash()}>{t('accessibility.title')}</a>
          <a href={`/home/${currentLanguage()}/privacy/`}>{t('shell.privacy')}</a>
          {listChoices(instance).length > 0 && (
            <button type="button" className={css.choices} onClick={() => dispatchEvent(new Event(ASK_AGAIN))}>
              {t('consent.choices')}
            </button>
          )}
        </p>
      </div>
    </footer>
  )
}
