import { Icon } from '@kvitt/ui/components/icon.tsx'
import { MessageBox } from '@kvitt/ui/feedback/message-box.tsx'
import { Skeleton } from '@kvitt/ui/feedback/skeleton.tsx'
import { goTo } from '@kvitt/ui/routes.ts'
import { usePageTitle } from '@kvitt/ui/shell/page-title.ts'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { leaveSession, loginProvidersQuery } from '../calls.ts'
import { storageUrl, useInstance } from '../instance.ts'
import { latePage } from '../late-page.tsx'
import { Bar } from '../shell/bar.tsx'
import { Footer } from '../shell/footer.tsx'
import { telHref } from '../shell/tel-href.ts'
import { TrustLink } from '../shell/trust-link.tsx'
import { t, type MessageId } from '../text.ts'
import { homeHash, type HomeView, type LoginState } from '../views.ts'
import { withMoreWords } from '../words.ts'
import { BrowserAdvice } from './browser-advice.tsx'
import css from './home-page.module.css'
import { MethodChoice, type Way } from './method-choice.tsx'
import { ReferenceForm } from './reference-form.tsx'
import { ServerDown } from './server-down.tsx'

const EidPanel = latePage(() => withMoreWords(import('../electronic-id/eid-panel.tsx')), {
  waiting: <Skeleton height={15} />,
})

type FormProps = Omit<HomeView, 'name'>

/** The ways in that the provider offers, the strongest first; undefined until that is known. */
function useWays() {
  const providers = useQuery(loginProvidersQuery)
  const offers = (code: string) => providers.data?.some((p) => p.enabled && p.code === code) ?? false
  const ways: Way[] = []
  if (offers('BANKID')) ways.push('eid')
  if (offers('PAYMENT_REFERENCE')) ways.push('reference')
  if (ways.length === 2) ways.push('company')
  const isDown = providers.error !== null && !providers.data
  return { ways: providers.data ? ways : undefined, isDown, retry: () => void providers.refetch() }
}

function headingOf(way: Way | undefined, hasChoice: boolean): MessageId {
  if (way === 'eid') return 'eid.title'
  if (!hasChoice || way === undefined) return 'home.title'
  return way === 'company' ? 'login.as_company' : 'login.by_reference'
}

/** Choosing a way to log in is a step of its own: Back returns to the choice. */
type ChoiceState = { readonly way: Way }

const wayInHistory = (): Way | undefined => (history.state as Partial<ChoiceState> | null)?.way

/**
 * Start page. Whoever comes here is logged out first; the return from an electronic ID goes on with its order, and asks
 * whoever is logged in (threat csrf.sessionswap).
 */
export function HomePage(props: FormProps) {
  const instance = useInstance()
  useEffect(() => void (props.orderRef || leaveSession()), [props.orderRef])
  const [{ loginFailed: failedBefore, sessionOver }] = useState(
    () => (history.state as LoginState | null) ?? {},
  )
  const { ways, isDown, retry } = useWays()
  const hasChoice = (ways?.length ?? 0) > 1
  const [chosen, setChosen] = useState<Way | undefined>(() => {
    if (props.orderRef !== '') return 'eid'
    if (wayInHistory()) return wayInHistory()
    return failedBefore || props.reference !== '' ? 'reference' : undefined
  })
  const way = chosen && ways?.includes(chosen) ? chosen : hasChoice ? undefined : ways?.[0]
  const heading = headingOf(way, hasChoice)
  usePageTitle(t(heading), instance?.name)
  useEffect(() => {
    const follow = () => setChosen(wayInHistory())
    addEventListener('popstate', follow)
    return () => removeEventListener('popstate', follow)
  }, [])
  const choose = (next: Way) => {
    history.pushState({ way: next } satisfies ChoiceState, '')
    setChosen(next)
  }
  const goBack = () => {
    if (props.orderRef !== '') goTo(homeHash(), { replace: true })
    else if (wayInHistory()) return history.back()
    setChosen(undefined)
  }
  return (
    <div className={css.split}>
      <div className={css.half}>
        <BrowserAdvice />
        <Bar />
        <main className={css.main} tabIndex={-1}>
          {hasChoice && way && (
            <p className={css.back}>
              <button type="button" className={css.backButton} onClick={goBack}>
                <Icon name="arrow-left" size={20} />
                {t('choice.other')}
              </button>
            </p>
          )}
          <div className={heading === 'home.title' ? css.welcome : undefined}>
            <h1 tabIndex={-1}>{t(heading)}</h1>
            {instance && heading === 'home.title' && (
              <p className={css.lead}>{t('home.trust', { provider: instance.name })}</p>
            )}
          </div>
          {sessionOver && <SessionOver />}
          {isDown ? (
            <ServerDown onRetry={retry} />
          ) : !ways ? (
            <Skeleton height={15} />
          ) : way === undefined ? (
            hasChoice ? (
              <MethodChoice ways={ways} onChoose={choose} />
            ) : (
              <NoWayIn />
            )
          ) : (
            <WayIn {...props} way={way} failedBefore={failedBefore} isOnly={!hasChoice} onCancel={goBack} />
          )}
          <div className={css.safety}>
            <Icon name="shield" size={20} />
            <div>
              <p>{t('home.safety')}</p>
              <TrustLink about="trust.genuine" />
            </div>
          </div>
        </main>
        <Footer />
      </div>
      <Background />
    </div>
  )
}

function SessionOver() {
  return (
    <MessageBox tone="info" role="status">
      <p>{t('login.session_over')}</p>
    </MessageBox>
  )
}

type WayInProps = FormProps & {
  way: Way
  failedBefore: LoginState['loginFailed']
  isOnly: boolean
  onCancel: () => void
}

function WayIn({ way, isOnly, onCancel, orderRef, ...form }: WayInProps) {
  const { reference, zip, invoiceNumber } = form
  if (way !== 'eid') return <ReferenceForm key={`${way}/${reference}/${zip}`} {...form} onCancel={onCancel} />
  const wanted = reference ? { reference, zip, invoiceNumber: invoiceNumber || undefined } : undefined
  return <EidPanel wanted={wanted} orderRef={orderRef} onCancel={isOnly ? undefined : onCancel} />
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
      data-picture={name}
      style={isLate ? { backgroundImage: `url("${storageUrl(name)}")` } : undefined}
      aria-hidden="true"
    />
  )
}
