import type { CollectAnswer, StartAnswer } from '@kvitt/domain/electronic-id/electronic-id.contract.ts'
import { BrowserBanner } from '../src/sign-in/browser-banner.tsx'
import type { EidOrder } from '../src/electronic-id/eid-order.ts'
import EidPanel from '../src/electronic-id/eid-panel.tsx'
import { EidSteps } from '../src/electronic-id/eid-steps.tsx'
import Letter from '../src/sign-in/letter.tsx'
import LoginFailed from '../src/sign-in/login-failed.tsx'
import { MethodChoice } from '../src/sign-in/method-choice.tsx'
import { ReferenceForm } from '../src/sign-in/reference-form.tsx'
import { ServerDown } from '../src/sign-in/server-down.tsx'
import type { Refused } from '../src/views.ts'
import { FAILED, type Calls, type Guise, type Part } from './part.ts'
import { Pressed } from './pressed.tsx'

const PHONE = 'Mozilla/5.0 (Linux; Android 15) Chrome/140 Mobile Safari/537.36'

type Filled = { reference?: string; zip?: string; failed?: true }

const form = ({ reference = '', zip = '', failed }: Filled = {}) => (
  <ReferenceForm reference={reference} zip={zip} invoiceNumber="" failedBefore={failed} onCancel={() => {}} />
)
const sent = (filled: Filled) => <Pressed name="Log in">{form(filled)}</Pressed>
/** A question about each reference is asked once, and goes on when somebody has looked away from it. */
const pairOf = (reference: string): Filled => ({ reference, zip: '11122' })

/** A refusal because of too many tries; with `challenge` where others have made them. */
const throttled = (challenge?: 'offered'): Refused => ({
  code: 'login_throttled',
  message: 'Too many attempts with wrong details. Try again in 35 minutes.',
  params: { retryAfterSeconds: '2100', ...(challenge && { challenge }) },
})
const failed = (refused: Refused | true) => (
  <LoginFailed
    refused={refused}
    tried={{ reference: '260123174521', zip: '11122' }}
    onInvoice={() => {}}
    onRetry={() => {}}
    onCancel={() => {}}
  />
)
/** Without end: no number solves it. */
const ENDLESS = { challenge: 'a', nonce: '', target: '', iterations: 1000, tries: 1e9, expiresAt: '' }
const pressed = (calls: Calls) => ({
  show: () => <Pressed name="Calculate">{failed(throttled('offered'))}</Pressed>,
  calls,
})

const STARTED: StartAnswer = { orderRef: 'order', autoStartToken: 'token', qrCode: 'bankid.lab.0' }
const told = (change: Partial<CollectAnswer>): Calls => ({
  'bankid/auth': STARTED,
  'bankid/collect': {
    orderRef: 'order',
    status: 'pending',
    hintCode: 'userSign',
    messageCode: 'RFA9',
    message: 'Enter your security code in the BankID app and select Identify.',
    qrCode: null,
    idToken: null,
    tokenType: null,
    debtorName: null,
    ...change,
  } satisfies CollectAnswer,
})
const panel = (orderRef: string, calls: Calls, guise: Guise = {}, isOnlyWay = false) => ({
  show: () => <EidPanel wanted={undefined} orderRef={orderRef} onCancel={isOnlyWay ? undefined : () => {}} />,
  calls,
  guise,
})
const PENDING: EidOrder = {
  phase: 'pending',
  orderRef: 'order',
  autoStartToken: 'token',
  qrCode: 'bankid.lab.0',
  hintCode: 'outstandingTransaction',
  message: null,
}

/** The ways in. */
export const SIGN_IN_PARTS: readonly Part[] = [
  {
    name: 'MethodChoice',
    place: 'payment',
    states: {
      'three ways': () => <MethodChoice ways={['eid', 'reference', 'company']} onChoose={() => {}} />,
      'one way': () => <MethodChoice ways={['reference']} onChoose={() => {}} />,
    },
  },
  {
    name: 'ReferenceForm',
    place: 'payment',
    states: {
      empty: () => form(),
      'sent empty': () => sent({}),
      'with wrong signs': () => sent({ reference: '12A', zip: '1#' }),
      checking: () => sent(pairOf('260115774523')),
      refused: () => form({ ...pairOf('260115774523'), failed: true }),
      'tried too often': {
        show: () => sent(pairOf('260123174521')),
        calls: {
          '/api/': Response.json(
            { code: 'login_throttled', message: 'Too many tries. Try again in 10 minutes.' },
            { status: 400 },
          ),
        },
      },
      'no answer': { show: () => sent(pairOf('260130574529')), calls: FAILED },
      'where to find them': () => <Pressed name="Where">{form()}</Pressed>,
    },
  },
  {
    name: 'LoginFailed',
    place: 'payment',
    states: {
      'nobody has it': () => failed(true),
      'tried too often': () => failed(throttled()),
      'others have tried too often': () => failed(throttled('offered')),
      calculating: pressed({ 'public/challenges': ENDLESS }),
      'the calculation failed': pressed(FAILED),
    },
  },
  { name: 'Letter', place: 'payment', isTogether: true, states: { letter: () => <Letter /> } },
  {
    name: 'ServerDown',
    place: 'payment',
    isTogether: true,
    states: {
      'in the form': () => <ServerDown />,
      'in its place': () => <ServerDown onRetry={() => {}} />,
    },
  },
  {
    name: 'EidPanel',
    place: 'payment',
    states: {
      starting: panel('', {}),
      'a code': panel('', { 'bankid/auth': STARTED }),
      'the app on this phone': panel('', { 'bankid/auth': STARTED }, { userAgent: PHONE }),
      'back from the app': panel('order', told({})),
      failed: panel(
        'order',
        told({
          status: 'failed',
          hintCode: 'expiredTransaction',
          message: 'The BankID app is not responding.',
        }),
      ),
      'failed, and the only way': panel('', FAILED, {}, true),
      'given up': panel(
        'order',
        told({ status: 'failed', hintCode: 'userCancel', message: 'Action cancelled.' }),
      ),
    },
  },
  {
    name: 'EidSteps',
    place: 'payment',
    isTogether: true,
    states: {
      'the app is to be opened': () => <EidSteps order={PENDING} />,
      'the code has been read': () => <EidSteps order={{ ...PENDING, qrCode: null }} />,
      finishing: () => <EidSteps order={{ phase: 'finishing' }} />,
    },
  },
  {
    name: 'BrowserBanner',
    states: {
      'in another app': { show: () => <BrowserBanner />, guise: { userAgent: `${PHONE} Instagram` } },
    },
  },
]
