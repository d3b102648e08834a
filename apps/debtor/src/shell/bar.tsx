import { Icon } from '@kvitt/ui/components/icon.tsx'
import { LanguageSwitch } from '@kvitt/ui/shell/language-switch.tsx'
import { storageUrl, useInstance } from '../instance.ts'
import { homeHash } from '../views.ts'
import { t } from '../text.ts'
import css from './bar.module.css'

/** Past the bar to the content. The address below the hash is taken by the route, so it moves the focus itself. */
function SkipLink() {
  return (
    <a
      className="skip"
      href={location.hash}
      onClick={(event) => {
        event.preventDefault()
        document.querySelector('main')?.focus()
      }}
    >
      {t('nav.skip_to_content')}
    </a>
  )
}

/** The provider's bar. `signedIn` adds what only makes sense with an invoice on the screen. */
export function Bar({ signedIn = false, branded = true }: { signedIn?: boolean; branded?: boolean }) {
  const instance = useInstance()
  const logo = instance?.fileInformation.debtorPortalLogotypeFileName
  return (
    <header className="bar">
      <SkipLink />
      <div className="page bar-row">
        <span className="brand">
          {branded && instance ? (
            <>
              {logo && <img src={storageUrl(logo)} alt="" width={30} height={30} />}
              <span>{instance.shortName ?? instance.name}</span>
            </>
          ) : (
            t('shell.portal_name')
          )}
        </span>
        <LanguageSwitch />
        {signedIn && (
          <a className={css.out} href={homeHash()}>
            <Icon name="log-out" size={20} />
            <span className={css.outText}>{t('nav.log_out')}</span>
          </a>
        )}
      </div>
    </header>
  )
}
