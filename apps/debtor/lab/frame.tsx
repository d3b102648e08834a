import { ApiUnreachable } from '@kvitt/ui/api.ts'
import { ConsentBanner } from '../src/extras/consent-banner.tsx'
import { AllInvoicesLink } from '../src/debts/all-invoices-link.tsx'
import AccessibilityPage from '../src/shell/accessibility-page.tsx'
import { AnswerLink } from '../src/shell/answer-link.tsx'
import { Bar } from '../src/shell/bar.tsx'
import { CreditorPlate } from '../src/debts/creditor-plate.tsx'
import { DebtLayout } from '../src/debts/debt-layout.tsx'
import { DueTag } from '../src/debts/due-tag.tsx'
import ErrorPage from '../src/shell/error-page.tsx'
import { Footer } from '../src/shell/footer.tsx'
import { LatePartFailed } from '../src/shell/late-part-failed.tsx'
import { LoadFailedPage } from '../src/shell/load-failed-page.tsx'
import { MissingDocument } from '../src/debts/missing-document.tsx'
import NotFoundPage from '../src/shell/not-found-page.tsx'
import { ActButton } from '../src/shell/act-button.tsx'
import { OfflineBar } from '../src/shell/offline-bar.tsx'
import PeekBanner from '../src/peek/peek-banner.tsx'
import { OpeningPage } from '../src/shell/opening-page.tsx'
import { PhoneSentence } from '../src/shell/phone-sentence.tsx'
import { PlanTag } from '../src/debts/plan-tag.tsx'
import { StateTag } from '../src/debts/state-tag.tsx'
import TrustDialog from '../src/shell/trust-dialog.tsx'
import { TrustLink } from '../src/shell/trust-link.tsx'
import SwitchInvoicePage from '../src/sign-in/switch-invoice-page.tsx'
import { useRef } from 'react'
import css from './lab.module.css'
import type { Part } from './part.ts'
import { Opened } from './pressed.tsx'
import { ENERGY, ENERGY_LOGO, GYM, INSTANCE, keyOf, TODAY } from './samples.ts'

const LOOK = {
  staff: 'Demo Support',
  debtor: 'Alva Provlund',
  openedAt: '2026-11-20T12:00:00.000Z',
  endsAt: '2026-11-20T12:10:00.000Z',
}

function Layout() {
  const box = (text: string) => <p className={css.field}>{text}</p>
  return (
    <DebtLayout
      paymentRef={useRef(null)}
      hero={box('The hero')}
      payment={
        <>
          <h2 id="payment-heading">Paying</h2>
          {box('The payment')}
        </>
      }
      rows={<p className={css.row}>A row</p>}
    >
      {box('What has happened')}
      {box('Help')}
    </DebtLayout>
  )
}

function Banner() {
  localStorage.removeItem('consent')
  return (
    <ConsentBanner provider={INSTANCE.name} choices={['visits', 'chat', 'recording']} onSaid={() => {}} />
  )
}

const trust = (about: 'trust.genuine' | 'trust.why') => (
  <Opened show={(onClose) => <TrustDialog about={about} onClose={onClose} />} />
)
const VARIANTS = ['PART_PAYMENT', 'ONGOING_PAYMENT', 'PART_PAYMENT_ACCOUNT'] as const

/** What stands around every page, and the pages that are a message. */
export const FRAME_PARTS: readonly Part[] = [
  {
    name: 'Bar',
    place: 'around',
    states: {
      'nobody is here': () => <Bar />,
      'without a brand': () => <Bar branded={false} />,
      'on the list': () => <Bar signedIn place="dashboard" />,
      'at customer service': () => <Bar signedIn place="customer-service" />,
    },
  },
  { name: 'Footer', place: 'around', states: { 'of a provider': () => <Footer /> } },
  {
    name: 'OfflineBar',
    place: 'around',
    states: { offline: { show: () => <OfflineBar />, guise: { onLine: false } } },
  },
  {
    name: 'PeekBanner',
    place: 'around',
    states: { looking: () => <PeekBanner peek={LOOK} /> },
  },
  {
    name: 'ActButton',
    states: { on: () => <ActButton>Pay</ActButton>, off: () => <ActButton isOff>Pay</ActButton> },
  },
  { name: 'ConsentBanner', place: 'around', states: { asking: () => <Banner /> } },
  { name: 'DebtLayout', place: 'whole', states: { columns: () => <Layout /> } },
  { name: 'AllInvoicesLink', isTogether: true, states: { link: () => <AllInvoicesLink /> } },
  {
    name: 'CreditorPlate',
    isTogether: true,
    states: {
      'a logo': () => <CreditorPlate name={ENERGY} logo={ENERGY_LOGO} />,
      'a small logo': () => <CreditorPlate name={ENERGY} logo={ENERGY_LOGO} isSmall />,
      'a letter': () => <CreditorPlate name={GYM} logo={null} />,
      'a small letter': () => <CreditorPlate name={GYM} logo={null} isSmall />,
    },
  },
  {
    name: 'DueTag, PlanTag, StateTag',
    isTogether: true,
    states: {
      ahead: () => <DueTag expireDate="2026-12-04" today={TODAY} />,
      overdue: () => <DueTag expireDate="2026-10-11" today={TODAY} />,
      paused: () => <StateTag look={['info', 'pause', 'status.paused']} />,
      ...Object.fromEntries(VARIANTS.map((variant) => [variant, () => <PlanTag variant={variant} />])),
    },
  },
  {
    name: 'MissingDocument, PhoneSentence, TrustLink',
    isTogether: true,
    states: {
      'an invoice is gone': () => (
        <MissingDocument failure={{ code: 'document_not_found' }} text="invoice.document_missing" />
      ),
      'no answer': () => <MissingDocument failure={new ApiUnreachable()} text="invoice.document_missing" />,
      'a phone number': () => (
        <p>
          <PhoneSentence id="login.call_instead" phone={INSTANCE.contactInformation.phone} />
        </p>
      ),
      'a way to the answers': () => (
        <p>
          <AnswerLink article="other-question" />{' '}
          <AnswerLink article="lost-letter" text="support.lost_letter" />{' '}
          <AnswerLink article="bankid-trouble" text="support.bankid" />
        </p>
      ),
      'a link': () => <TrustLink about="trust.genuine" />,
    },
  },
  { name: 'LatePartFailed', states: { failed: () => <LatePartFailed onRetry={() => {}} /> } },
  {
    name: 'TrustDialog',
    states: { 'is it genuine': () => trust('trust.genuine'), 'why it came': () => trust('trust.why') },
  },
  {
    name: 'Pages that are a message',
    place: 'whole',
    states: {
      'our own fault': () => <ErrorPage />,
      'nothing could be loaded': () => <LoadFailedPage onRetry={() => {}} />,
      opening: () => <OpeningPage />,
      'not found': () => <NotFoundPage />,
      'another invoice': () => <SwitchInvoicePage next={keyOf('261222')} />,
      accessibility: () => <AccessibilityPage />,
    },
  },
]
