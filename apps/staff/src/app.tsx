import { BlockFailed } from '@kvitt/office/parts/block-failed.tsx'
import { ErrorBoundary } from '@kvitt/office/frame/error-boundary.tsx'
import { Frame } from '@kvitt/office/frame/frame.tsx'
import { hashOf, usePlace, type Place } from '@kvitt/office/place.ts'
import type { OfficeProvider } from '@kvitt/office/provider.ts'
import { Gate, type GateState } from '@kvitt/office/session/gate.tsx'
import { hasJustSignedIn } from '@kvitt/office/session/sign-in.ts'
import { dropTokens } from '@kvitt/office/session/tokens.ts'
import { ListWaiting } from '@kvitt/office/list/list-states.tsx'
import { currentLanguage } from '@kvitt/ui/language/speak.ts'
import { rememberLanguage } from '@kvitt/ui/language/languages.ts'
import { goTo } from '@kvitt/ui/routes.ts'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useState } from 'react'
import { queries, whenSignedOut } from './calls.ts'
import {
  leaveSession,
  MeContext,
  meQuery,
  switchMembership,
  useRight,
  workplaceOf,
  type Me,
} from './shell/me.ts'
import { NotFound } from './shell/not-found.tsx'
import { addressOf, isAdmin, SIGN_IN, wantedHash } from './shell/portal.ts'
import { isViewHere, LETTERS, railGroups, type ViewName } from './shell/views.ts'
import { openTasksQuery } from './tasks/task-calls.ts'
import { t } from './text.ts'
import { withWords } from './words.ts'

const LaterStep = lazy(() => withWords(import('@kvitt/office/session/later-step.tsx')))
const IssuerPart = lazy(() => withWords(import('@kvitt/office/session/issuer-part.tsx')))

const PAGES = {
  dataProtection: lazy(() => withWords(import('./data-protection/data-protection-page.tsx'))),
  audit: lazy(() => withWords(import('./audit/audit-page.tsx'))),
  dashboard: lazy(() => withWords(import('./dashboard/dashboard-page.tsx'))),
  onboarding: lazy(() => withWords(import('./onboarding/onboarding-page.tsx'))),
  account: lazy(() => withWords(import('./account/account-page.tsx'))),
  todo: lazy(() => import('./tasks/to-do-page.tsx')),
  conversations: lazy(() => withWords(import('./conversations/conversations-page.tsx'))),
  disputes: lazy(() => withWords(import('./disputes/disputes-page.tsx'))),
  claims: lazy(() => withWords(import('./claims/claims-page.tsx'))),
  claim: lazy(() => withWords(import('./claims/claim-page.tsx'))),
  debtors: lazy(() => withWords(import('./debtors/debtors-page.tsx'))),
  debtor: lazy(() => withWords(import('./debtors/debtor-page.tsx'))),
  clients: lazy(() => withWords(import('./clients/clients-page.tsx'))),
  provider: lazy(() => withWords(import('./instance-providers/instance-provider-page.tsx'))),
  countries: lazy(() => withWords(import('./country-parameters/country-parameters-page.tsx'))),
  planSettings: lazy(() => withWords(import('./plan-settings/plan-settings-page.tsx'))),
  serviceProviders: lazy(() => withWords(import('./service-providers/service-providers-page.tsx'))),
  outbox: lazy(() => withWords(import('./outbox/outbox-page.tsx'))),
  runs: lazy(() => withWords(import('./runs/runs-page.tsx'))),
  batches: lazy(() => withWords(import('./bank/batches-page.tsx'))),
  bankAccounts: lazy(() => withWords(import('./bank/accounts-page.tsx'))),
  batch: lazy(() => withWords(import('./bank/batch-page.tsx'))),
  suspense: lazy(() => withWords(import('./bank/suspense-page.tsx'))),
  refunds: lazy(() => withWords(import('./refunds/refunds-page.tsx'))),
  plans: lazy(() => withWords(import('./plans/plans-page.tsx'))),
  plan: lazy(() => withWords(import('./plans/plan-page.tsx'))),
  payments: lazy(() => withWords(import('./payments/payments-page.tsx'))),
  payment: lazy(() => withWords(import('./payments/payment-page.tsx'))),
  settlements: lazy(() => withWords(import('./settlements/settlements-page.tsx'))),
  settlement: lazy(() => withWords(import('./settlements/settlement-page.tsx'))),
  payouts: lazy(() => withWords(import('./payouts/payouts-page.tsx'))),
  clientFunds: lazy(() => withWords(import('./client-funds/client-funds-page.tsx'))),
  receivables: lazy(() => withWords(import('./receivables/receivables-page.tsx'))),
  monthClosings: lazy(() => withWords(import('./month-close/month-close-page.tsx'))),
  payout: lazy(() => withWords(import('./payouts/payout-page.tsx'))),
  proposals: lazy(() => withWords(import('./proposals/proposals-page.tsx'))),
  proposal: lazy(() => withWords(import('./proposals/proposal-page.tsx'))),
  search: lazy(() => withWords(import('./search/search-page.tsx'))),
  figures: lazy(() => withWords(import('./figures/figures-page.tsx'))),
  imports: lazy(() => withWords(import('./imports/imports-page.tsx'))),
  import: lazy(() => withWords(import('./imports/import-page.tsx'))),
  users: lazy(() => withWords(import('./users/users-page.tsx'))),
  apiKeys: lazy(() => withWords(import('./api-keys/api-keys-page.tsx'))),
  webhooks: lazy(() => withWords(import('./webhooks/webhooks-page.tsx'))),
  webhook: lazy(() => withWords(import('./webhooks/webhook-page.tsx'))),
  settings: lazy(() => withWords(import('./settings/settings-page.tsx'))),
  invoices: lazy(() => withWords(import('./invoices/invoices-page.tsx'))),
  newInvoice: lazy(() => withWords(import('./invoices/new-invoice-page.tsx'))),
  invoice: lazy(() => withWords(import('./invoices/invoice-page.tsx'))),
}

/** A view with an id is about one of what it lists. Each portal has the views of its own rail, and no other's. */
function View({ place: { view, id } }: { place: Place }) {
  if (!isViewHere(view)) return <NotFound />
  switch (view as ViewName | 'account' | 'search' | '') {
    case 'account':
      return <PAGES.account />
    case '':
      return isAdmin ? <AdminHome /> : <PAGES.todo id={id} />
    case 'todo':
    case 'tasks':
      return <PAGES.todo id={id} />
    case 'data-protection':
      return <PAGES.dataProtection />
    case 'audit':
      return <PAGES.audit id={id} />
    case 'dashboard':
      return <AdminHome />
    case 'onboarding':
      return <PAGES.onboarding />
    case 'disputes':
      return <PAGES.disputes id={id} />
    case 'conversations':
      return <PAGES.conversations id={id} />
    case 'claims':
      return id ? <PAGES.claim key={id} id={id} /> : <PAGES.claims />
    case 'debtors':
      return id ? <PAGES.debtor key={id} id={id} /> : <PAGES.debtors />
    case 'search':
      return <PAGES.search />
    case 'figures':
      return <PAGES.figures />
    case 'imports':
      return id ? <PAGES.import key={id} id={id} /> : <PAGES.imports />
    case 'users':
      return <PAGES.users id={id} />
    case 'api-keys':
      return <PAGES.apiKeys id={id} />
    case 'webhooks':
      return id ? <PAGES.webhook key={id} id={id} /> : <PAGES.webhooks />
    case 'settings':
      return <PAGES.settings />
    case 'plans':
      return id ? <PAGES.plan key={id} id={id} /> : <PAGES.plans />
    case 'payments':
      return id ? <PAGES.payment key={id} id={id} /> : <PAGES.payments />
    case 'payment-batches':
      if (id === 'accounts') return <PAGES.bankAccounts />
      return id ? <PAGES.batch key={id} id={id} /> : <PAGES.batches />
    case 'suspense':
      return <PAGES.suspense id={id} />
    case 'refunds':
      return <PAGES.refunds id={id} />
    case 'settlements':
      return id ? <PAGES.settlement key={id} id={id} /> : <PAGES.settlements />
    case 'payouts':
      return id ? <PAGES.payout key={id} id={id} /> : <PAGES.payouts />
    case 'client-funds':
      return <PAGES.clientFunds />
    case 'receivables':
      return <PAGES.receivables />
    case 'month-closings':
      return <PAGES.monthClosings id={id} />
    case 'proposals':
      return id ? <PAGES.proposal key={id} id={id} /> : <PAGES.proposals />
    case 'invoices':
      if (id === 'new') return isAdmin ? <NotFound /> : <PAGES.newInvoice />
      return id ? <PAGES.invoice key={id} id={id} /> : <PAGES.invoices />
    default:
      return <SetUpView view={view} id={id} />
  }
}

/** What the operator's work rests on, and how it runs. */
function SetUpView({ view, id }: { view: string; id: string }) {
  switch (view as ViewName) {
    case 'clients':
      return <PAGES.clients id={id} />
    case 'instance-providers':
      return <PAGES.provider />
    case 'country-parameters':
      return <PAGES.countries id={id} />
    case 'outbox':
      return <PAGES.outbox id={id} />
    case 'jobs':
      return <PAGES.runs id={id} />
    case 'service-providers':
      return <PAGES.serviceProviders />
    case 'part-payment-plans':
      return <PAGES.planSettings key={id} family="plans" id={id} />
    case 'part-payment-accounts':
      return <PAGES.planSettings key={id} family="accounts" id={id} />
    default:
      return <NotFound />
  }
}

/** Whoever decides alone begins with what is to be decided. */
function AdminHome() {
  return useRight('see') ? <PAGES.dashboard /> : <PAGES.proposals />
}

type AppProps = { provider: OfficeProvider; gate: GateState | 'open' }

export function App({ provider, gate: first }: AppProps) {
  const [gate, setGate] = useState(first)
  const { view, language } = usePlace()
  useEffect(() => {
    whenSignedOut(() => {
      dropTokens()
      queries.clear()
      setGate(hasJustSignedIn(Date.now()) ? 'over' : 'asking')
    })
  }, [])
  if (view === 'logout' && gate === 'open') setGate('signed-out')
  useEffect(() => {
    if (view === 'logout') leaveSession()
  }, [view])
  useEffect(() => {
    if (language === undefined || language === currentLanguage()) return
    rememberLanguage(language)
    location.reload()
  }, [language])
  if (gate === 'open' && view !== 'login' && view !== 'logout') return <Portal provider={provider} />
  const state = gate === 'open' ? 'asking' : gate
  return (
    <Gate
      laterStep={LaterStep}
      issuerPart={IssuerPart}
      key={state}
      state={state}
      provider={provider}
      signIn={SIGN_IN}
      debtorPortal={addressOf('debtor')}
      wanted={wantedHash()}
    />
  )
}

/** Every view stands in the frame, which waits until it is known who is here. */
function Portal({ provider }: { provider: OfficeProvider }) {
  const me = useQuery(meQuery)
  const place = usePlace()
  const open = useQuery({ ...openTasksQuery, enabled: me.data?.rights.includes('see') === true })
  if (me.data === undefined) {
    return me.isError ? (
      <main>
        <BlockFailed error={me.error} onRetry={() => void me.refetch()} />
      </main>
    ) : (
      <main aria-busy="true" />
    )
  }
  return (
    <MeContext value={me.data}>
      <Frame
        provider={provider}
        owner={workplaceOf(me.data.membership, provider.name)}
        groups={railGroups(open.data, me.data.rights)}
        current={place.view === '' ? (isAdmin ? 'dashboard' : 'todo') : place.view}
        person={personOf(me.data, provider.name)}
        letters={LETTERS}
        onSearch={(text) => goTo(hashOf({ view: 'search' }, { q: text }))}
      >
        <ErrorBoundary key={`${place.view}/${place.id}`}>
          <Suspense fallback={<ListWaiting />}>
            <View place={place} />
          </Suspense>
        </ErrorBoundary>
      </Frame>
    </MeContext>
  )
}

function personOf({ person, membership, memberships }: Me, provider: string) {
  return {
    name: person.name,
    role: t(`role.${membership.role}`),
    membershipId: membership.id,
    memberships: memberships.map((each) => ({
      id: each.id,
      name: workplaceOf(each, provider),
      role: t(`role.${each.role}`),
    })),
    onSwitch: (id: string) => {
      const chosen = memberships.find((each) => each.id === id)
      if (chosen) void switchMembership(chosen)
    },
  }
}
