import { Icon } from '@kvitt/ui/components/icon.tsx'
import { goTo } from '@kvitt/ui/routes.ts'
import { usePageTitle } from '@kvitt/ui/shell/page-title.ts'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { leaveSession, loginProvidersQuery } from '../calls.ts'
import { storageUrl, useInstance } from '../instance.ts'
import { Bar } from '../shell/bar.tsx'
import { Footer, telHref } from '../shell/footer.tsx'
import { OpeningPage } from '../shell/opening-page.tsx'
import { t } from '../text.ts'
import { invoiceHash } from '../views.ts'
import css from './home-page.module.css'
import type { LoginState } from './invoice-door.tsx'
import { ReferenceForm } from './reference-form.tsx'
import { ServerDown } from './server-down.tsx'

type HomeProps = { reference: string; zip: string; invoiceNumber: string; autologin: boolean }

/** Start page. Whoever comes here is logged out first; a link with reference and zip goes on by itself. */
export function HomePage({ reference, zip, invoiceNumber, autologin }: HomeProps) {
  const goesOn = autologin && reference !== '' && zip !== ''
  useEffect(() => {
    if (goesOn) goTo(invoiceHash({ reference, zip, invoiceNumber }), { replace: true })
    else leaveSession()
  }, [goesOn, reference, zip, invoiceNumber])
  return goesOn ? <OpeningPage /> : <Home reference={reference} zip={zip} invoiceNumber={invoiceNumber} />
}

function Home(props: Omit<HomeProps, 'autologin'>) {
  const instance = useInstance()
  const [failedBefore] = useState(() => (history.state as LoginState | null)?.loginFailed === true)
  usePageTitle(t('home.title'), instance?.name)
  return (
    <div className={css.split}>
      <div className={css.half}>
        <Bar />
        <main className={css.main} tabIndex={-1}>
          <h1 tabIndex={-1}>{t('home.title')}</h1>
          {instance && <p className={css.lead}>{t('home.trust', { provider: instance.name })}</p>}
          <WaysIn {...props} failedBefore={failedBefore} />
          <p className={css.safety}>
            <Icon name="shield" size={20} />
            {t('home.safety')}
          </p>
        </main>
        <Footer />
      </div>
      <Background />
    </div>
  )
}

function WaysIn(props: Omit<HomeProps, 'autologin'> & { failedBefore: boolean }) {
  const providers = useQuery(loginProvidersQuery)
  // The form is what nearly every provider has; it does not wait for the answer.
  const isOffered = providers.data?.some((p) => p.enabled && p.code === 'PAYMENT_REFERENCE') ?? true
  if (providers.error && !providers.data) return <ServerDown onRetry={() => void providers.refetch()} />
  return isOffered ? <ReferenceForm key={`${props.reference}/${props.zip}`} {...props} /> : <NoWayIn />
}

function NoWayIn() {
  const contact = useInstance()?.contactInformation
  return (
    <div className={css.card}>
      <h2>{t('home.closed_title')}</h2>
      <p>{t('home.closed_text')}</p>
      {contact && (
        <p className={css.links}>
          <a href={telHref(contact.phone)}>{contact.phone}</a>
          <a href={`mailto:${contact.email}`}>{contact.email}</a>
        </p>
      )}
    </div>
  )
}

/** The provider's picture beside the form: decoration on wide screens, loaded when everything else is there. */
function Background() {
  const name = useInstance()?.fileInformation.debtorPortalLoginBackgroundFileName
  const [isLate, setLate] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), 300)
    return () => clearTimeout(timer)
  }, [])
  if (!name) return null
  return (
    <div
      className={css.picture}
      style={isLate ? { backgroundImage: `url("${storageUrl(name)}")` } : undefined}
      aria-hidden="true"
    />
  )
}
