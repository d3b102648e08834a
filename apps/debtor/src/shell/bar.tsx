import { Icon, type IconName } from '@kvitt/ui/components/icon.tsx'
import { LanguageSwitch } from '@kvitt/ui/shell/language-switch.tsx'
import { useId, useRef } from 'react'
import { storageUrl, useInstance } from '../instance.ts'
import { isSignedIn } from '../session.ts'
import { cameFromDashboard, customerServiceHash, dashboardHash, homeHash } from '../views.ts'
import { t, type MessageId } from '../text.ts'
import css from './bar.module.css'

/** Which of the links leads to where one is. */
export type Place = 'invoices' | 'dashboard' | 'customer-service'

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

type BarProps = {
  /** Adds what only makes sense for somebody who is signed in. */
  signedIn?: boolean
  branded?: boolean
  place?: Place
}

/** The provider's bar: links on wide screens, a menu on narrow ones. */
export function Bar({ signedIn = false, branded = true, place }: BarProps) {
  const instance = useInstance()
  const logo = instance?.fileInformation.debtorPortalLogotypeFileName
  const hasLinks = signedIn && isSignedIn()
  return (
    <header className="bar">
      <SkipLink />
      <div className="page bar-row">
        {place === 'invoices' && cameFromDashboard() && (
          <button type="button" className={css.back} onClick={() => history.back()}>
            <Icon name="arrow-left" />
            <span className="spoken">{t('nav.back')}</span>
          </button>
        )}
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
        {hasLinks && <WideLinks place={place} />}
        <LanguageSwitch />
        {hasLinks && <LogOut />}
        {hasLinks && <Menu place={place} />}
      </div>
    </header>
  )
}

type Link = { href: string; text: MessageId; icon: IconName; isHere: boolean; isCurrent: boolean }

/** "My invoices" is marked on an invoice too, but is the current page on the list only. */
function linksOf(place: Place | undefined, firstText: MessageId): Link[] {
  return [
    {
      href: dashboardHash(),
      text: firstText,
      icon: 'document',
      isHere: place === 'dashboard' || place === 'invoices',
      isCurrent: place === 'dashboard',
    },
    {
      href: customerServiceHash(),
      text: 'nav.customer_service',
      icon: 'help',
      isHere: place === 'customer-service',
      isCurrent: place === 'customer-service',
    },
  ]
}

function WideLinks({ place }: { place: Place | undefined }) {
  return (
    <nav className={css.wide} aria-label={t('nav.menu')}>
      {linksOf(place, 'nav.my_invoices').map(({ href, text, isHere, isCurrent }) => (
        <a
          key={text}
          className={css.link}
          href={href}
          data-here={isHere || undefined}
          aria-current={isCurrent ? 'page' : undefined}
        >
          {t(text)}
        </a>
      ))}
    </nav>
  )
}

function LogOut() {
  return (
    <a className={css.out} href={homeHash()}>
      <Icon name="log-out" size={20} />
      {t('nav.log_out')}
    </a>
  )
}

/** On narrow screens: a native popover, so that Esc and a press outside close it and the focus goes back. */
function Menu({ place }: { place: Place | undefined }) {
  const id = useId()
  const list = useRef<HTMLElement>(null)
  const close = () => list.current?.hidePopover()
  return (
    <>
      <button type="button" className={css.menuButton} popoverTarget={id}>
        <Icon name="menu" />
        <span className="spoken">{t('nav.menu')}</span>
      </button>
      <nav ref={list} className={css.menu} id={id} popover="auto" aria-label={t('nav.menu')}>
        {linksOf(place, 'nav.all_invoices').map(({ href, text, icon, isCurrent }) => (
          <a
            key={text}
            className={css.item}
            href={href}
            aria-current={isCurrent ? 'page' : undefined}
            onClick={close}
          >
            <Icon name={icon} size={20} />
            {t(text)}
          </a>
        ))}
        <a className={css.item} href={homeHash()} onClick={close}>
          <Icon name="log-out" size={20} />
          {t('nav.log_out')}
        </a>
      </nav>
    </>
  )
}
