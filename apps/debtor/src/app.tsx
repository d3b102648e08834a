import { ToastRegion } from '@kvitt/ui/feedback/toast.tsx'
import { currentLanguage } from '@kvitt/ui/language/speak.ts'
import { goTo, readHash, useHash } from '@kvitt/ui/routes.ts'
import { useEffect, useRef, type ComponentType } from 'react'
import { latePage, useAhead, type LatePage } from './late-page.tsx'
import { ErrorBoundary } from './shell/error-boundary.tsx'
import { LoadFailedPage } from './shell/load-failed-page.tsx'
import { OfflineBar } from './shell/offline-bar.tsx'
import { OpeningPage } from './shell/opening-page.tsx'
import { HomePage } from './sign-in/home-page.tsx'
import { isIdentified } from './session.ts'
import { readView, type View } from './views.ts'

const AS_PAGE = { waiting: <OpeningPage />, failed: LoadFailedPage }
const InvoiceScreen = latePage(() => import('./invoices/invoice-screen-page.tsx'), AS_PAGE)
const DashboardPage = latePage(() => import('./invoices/dashboard-page.tsx'), AS_PAGE)
const ClaimScreen = latePage(() => import('./claims/claim-screen-page.tsx'), AS_PAGE)
const CustomerServicePage = latePage(() => import('./help/customer-service-page.tsx'), AS_PAGE)
const NotFoundPage = latePage(() => import('./shell/not-found-page.tsx'), AS_PAGE)
const AccessibilityPage = latePage(() => import('./shell/accessibility-page.tsx'), AS_PAGE)
const ConfirmationScreen = latePage(
  () => import('./payments/confirmation/confirmation-screen-page.tsx'),
  AS_PAGE,
)
const ErrorPage = latePage(() => import('./shell/error-page.tsx'), AS_PAGE)
/** What tells of trouble has to be there when the trouble is the connection. */
const AHEAD = [InvoiceScreen, ErrorPage]
const AHEAD_INSIDE = [...AHEAD, CustomerServicePage]

/** Pages by view, for those that have a chunk of their own. */
const PAGES: Partial<Record<View['name'], Pick<LatePage<never>, 'load'>>> = {
  invoice: InvoiceScreen,
  claim: ClaimScreen,
  'claim-confirmation': ClaimScreen,
  dashboard: DashboardPage,
  'customer-service': CustomerServicePage,
  accessibility: AccessibilityPage,
  'not-found': NotFoundPage,
  confirmation: ConfirmationScreen,
  error: ErrorPage,
}

/** Fetches the page that the address asks for. Never fails: whoever shows it says what went wrong. */
export async function loadPage(hash: string): Promise<void> {
  const loading = PAGES[readView(hash).name]?.load().then((page) => page.default.prepare?.())
  await loading?.catch(() => {})
}

function Screen({ view }: { view: View }) {
  switch (view.name) {
    case 'home':
      return <HomePage {...view} key={view.orderRef} />
    case 'invoice':
      return <InvoiceScreen address={view.key} autologin={view.autologin} />
    case 'claim':
    case 'claim-confirmation':
      return (
        <ClaimScreen
          address={view.key}
          autologin={view.autologin}
          isConfirmation={view.name === 'claim-confirmation'}
        />
      )
    case 'dashboard':
      return <DashboardPage page={view.page} limit={view.limit} />
    case 'customer-service':
      return <CustomerServicePage debtKey={view.key} />
    case 'accessibility':
      return <AccessibilityPage />
    case 'redirect':
      return <Redirect to={view.to} />
    case 'confirmation':
      return <ConfirmationScreen address={view.key} />
    case 'error':
      return <ErrorPage />
    case 'not-found':
      return <NotFoundPage />
  }
}

function Redirect({ to }: { to: string }) {
  useEffect(() => goTo(to, { replace: true }), [to])
  return <OpeningPage />
}

/** What makes a page another one; a changed query alone does not. */
function placeOf(view: View): string {
  return 'key' in view && view.key ? `${view.name}/${view.key.reference}/${view.key.zip}` : view.name
}

/** `Banner` stands over every page while one of the staff looks as the debtor would. */
export function App({ Banner }: { Banner?: ComponentType | undefined }) {
  const hash = useHash()
  const { language } = readHash(hash)
  const view = readView(hash)
  const place = placeOf(view)

  useEffect(() => {
    if (language !== currentLanguage()) location.reload()
  }, [language])
  const shown = useRef(place)
  useEffect(() => {
    // The first page begins at its top by itself, and where it was when it is loaded again.
    if (shown.current !== place) scrollTo(0, 0)
    shown.current = place
  }, [place])
  useAhead(view.name === 'home' ? AHEAD : AHEAD_INSIDE)

  return (
    <>
      <OfflineBar />
      {Banner && <Banner />}
      {/* Whoever has left takes along what they were told there. */}
      <ErrorBoundary key={`${place} ${isIdentified()}`} broken={<ErrorPage />}>
        <Screen view={view} />
      </ErrorBoundary>
      <ToastRegion />
    </>
  )
}
