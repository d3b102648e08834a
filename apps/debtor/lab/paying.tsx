import type { AccountAnswer } from '@kvitt/domain/invoices/invoice.contract.ts'
import type { PaymentAnswer, PaymentMethodAnswer } from '@kvitt/domain/payments/payment.contract.ts'
import { ApiRefusal } from '@kvitt/ui/api.ts'
import { useRef } from 'react'
import { queries } from '../src/calls.ts'
import PlanMethod from '../src/part-payments/plan-method.tsx'
import { BankMethod } from '../src/payments/bank-method.tsx'
import { CreditorStrip, useSubject } from '../src/payments/confirmation/confirmed-debt.tsx'
import MobileMethod from '../src/payments/mobile-method.tsx'
import NoMethods from '../src/payments/no-methods.tsx'
import { OutcomeSign } from '../src/payments/confirmation/outcome-sign.tsx'
import { PayBar } from '../src/payments/pay-bar.tsx'
import { PayButton } from '../src/payments/pay-button.tsx'
import { PaymentMethods } from '../src/payments/payment-methods.tsx'
import PaymentStatusCard from '../src/payments/payment-status.tsx'
import ReturnedPayment from '../src/payments/returned-payment.tsx'
import TransferMethod from '../src/payments/transfer-method.tsx'
import { debtOfInvoice, type Debt } from '../src/debts/debt.ts'
import { accountQuery, clientQuery, methodsQuery } from '../src/debts/part-calls.ts'
import { invoiceQuery } from '../src/calls.ts'
import css from './lab.module.css'
import { FAILED, type Part } from './part.ts'
import { Pressed } from './pressed.tsx'
import { CLIENT, invoice, keyOf, payment } from './samples.ts'

type Method = PaymentMethodAnswer
const method = (code: Method['code'], more: Partial<Method> = {}): Method => ({
  code,
  enabled: true,
  reasonCode: null,
  promotion: null,
  ...more,
})
const off = (code: Method['code'], reasonCode: string) => method(code, { enabled: false, reasonCode })
const BANK = method('DIRECT_PAYMENT_BANK')
const SWISH = method('DIRECT_PAYMENT_MOBILE')
const TRANSFER = method('BANK_TRANSFER')
const PLANS = method('PART_PAYMENT_PLAN')

const ACCOUNT: AccountAnswer = {
  accountNumber: '9990-0110',
  receiverName: 'Nordklar Demo Inkasso AB',
  bankName: 'Demobanken',
  iban: null,
  bic: null,
}
const FOREIGN: AccountAnswer = {
  ...ACCOUNT,
  accountNumber: null,
  bankName: 'Demopankki',
  iban: 'FI0599990000000111',
  bic: 'DEMOFIHHXXX',
}

const METHODS: Readonly<Record<string, Method[]>> = {
  all: [BANK, SWISH, TRANSFER, PLANS],
  off: [
    off('DIRECT_PAYMENT_BANK', 'provider_unavailable'),
    off('DIRECT_PAYMENT_MOBILE', 'payment_in_progress'),
    TRANSFER,
    off('PART_PAYMENT_PLAN', 'other'),
  ],
  promoted: [
    method('DIRECT_PAYMENT_BANK', { promotion: 'RECOMMENDED' }),
    method('DIRECT_PAYMENT_MOBILE', { promotion: 'NEW' }),
    TRANSFER,
  ],
  none: [],
  'none, an account': [],
}
for (const [name, methods] of Object.entries(METHODS)) {
  queries.setQueryData(methodsQuery(keyOf(name)).queryKey, methods)
}
for (const name of ['all', 'off', 'promoted', 'none, an account']) {
  queries.setQueryData(accountQuery(keyOf(name)).queryKey, ACCOUNT)
}
queries.setQueryData(accountQuery(keyOf('foreign')).queryKey, FOREIGN)
queries.setQueryData(invoiceQuery(keyOf('all')).queryKey, invoice())
queries.setQueryData(clientQuery(keyOf('all')).queryKey, CLIENT)

const debt = (name: string, change: Parameters<typeof invoice>[0] = {}): Debt =>
  debtOfInvoice(keyOf(name), invoice(change))
const OVERDUE = { due: '2026-10-11' }
const request = (change: Partial<PaymentAnswer> = {}) =>
  payment({
    status: 'IN_PROGRESS',
    serviceProviderCode: 'SWISH',
    qrCode: 'Dlab',
    externalLink: 'swish://paymentrequest?token=lab',
    ...change,
  })
const PHONE = { userAgent: 'Mozilla/5.0 (Linux; Android 15) Chrome/140 Mobile Safari/537.36' }

function Methods({ of, payments = [] }: { of: Debt; payments?: readonly PaymentAnswer[] }) {
  return (
    <PaymentMethods
      debt={of}
      payments={payments}
      renderPlans={(props) => <PlanMethod {...props} />}
      isAsking={false}
      headingRef={useRef(null)}
      onNeedTime={() => {}}
      onChanged={() => {}}
    />
  )
}

const choose = (name: string) => () => (
  <Pressed name={name}>
    <Methods of={debt('all')} />
  </Pressed>
)

function Status({ owed = 842, ...of }: Partial<PaymentAnswer> & { owed?: number }) {
  return (
    <PaymentStatusCard
      balanceMinor={owed * 100}
      currency="SEK"
      payments={[payment(of)]}
      onPayRest={undefined}
    />
  )
}

const pressed = (open: () => Promise<boolean>) => (
  <Pressed name="Pay">
    <PayButton open={open} downText="pay.bank_down" onOutdated={() => {}}>
      Pay 842,00 kr
    </PayButton>
  </Pressed>
)
const refuse = (code: string) => () =>
  Promise.reject(new ApiRefusal(400, { code, message: 'The payer has another request open.' }))

/** Both buttons that it gives way to are out of sight. */
function Bar() {
  const place = useRef<HTMLDivElement>(null)
  return (
    <>
      <div ref={place} hidden />
      <PayBar debt={debt('all')} payButton={place} methods={place} onPay={() => {}} />
    </>
  )
}

function Strip() {
  const subject = useSubject(keyOf('all'))
  return subject && <CreditorStrip debtKey={keyOf('all')} subject={subject} />
}

const mobile = (begun?: PaymentAnswer) => (
  <div className={`${css.field} ${css.card}`}>
    <MobileMethod debt={debt('all')} begun={begun} onOutdated={() => {}} />
  </div>
)
const transfer = (of: Debt) => (
  <div className={`${css.field} ${css.card}`}>
    <TransferMethod debt={of} />
  </div>
)
const RETURNED = payment({ status: 'COMPLETED', receivedAmount: 0 })
const OUTCOMES = ['waiting', 'received', 'failed', 'returned'] as const

/** Everything between an invoice and its money. */
export const PAYING_PARTS: readonly Part[] = [
  {
    name: 'PaymentMethods',
    place: 'payment',
    states: {
      'the bank is chosen': () => <Methods of={debt('all')} />,
      'Swish is chosen': choose('Swish'),
      'a transfer is chosen': choose('Bank transfer'),
      'disabled with reasons': () => <Methods of={debt('off')} />,
      promoted: () => <Methods of={debt('promoted')} />,
      'paid back': () => <Methods of={debt('all')} payments={[RETURNED]} />,
      none: () => <Methods of={debt('none')} />,
      loading: () => <Methods of={debt('loading')} />,
      failed: { show: () => <Methods of={debt('failed')} />, calls: FAILED },
    },
  },
  {
    name: 'ReturnedPayment',
    place: 'payment',
    states: {
      'gone back': () => <ReturnedPayment payment={RETURNED} />,
      moved: () => <ReturnedPayment payment={{ ...RETURNED, moved: true }} />,
    },
  },
  {
    name: 'BankMethod',
    place: 'payment',
    states: {
      'the due date is ahead': () => (
        <div className={`${css.field} ${css.card}`}>
          <BankMethod debt={debt('all')} onOutdated={() => {}} />
        </div>
      ),
      'the due date is over': () => (
        <div className={`${css.field} ${css.card}`}>
          <BankMethod debt={debt('all', OVERDUE)} onOutdated={() => {}} />
        </div>
      ),
    },
  },
  {
    name: 'MobileMethod',
    place: 'payment',
    states: {
      'on a computer': () => mobile(),
      'on a phone': { show: () => mobile(), guise: PHONE },
      'a code': () => mobile(request()),
      'the app': { show: () => mobile(request()), guise: PHONE },
      'nobody knows': () => mobile(request({ id: 'unknown', outcomeUnknown: true })),
      failed: () => mobile(request({ id: 'failed', status: 'FAILED' })),
    },
  },
  {
    name: 'TransferMethod',
    place: 'payment',
    isTogether: true,
    states: {
      'in SEK, with an OCR line': () => transfer(debt('all')),
      'in EUR, with IBAN and BIC': () => transfer(debt('foreign', { currency: 'EUR', owed: 22_793.4 })),
      loading: () => transfer(debt('loading')),
    },
  },
  {
    name: 'TransferMethod without an account',
    place: 'payment',
    states: { failed: { show: () => transfer(debt('failed')), calls: FAILED } },
  },
  {
    name: 'NoMethods',
    place: 'payment',
    isTogether: true,
    states: {
      'nothing at all': () => <NoMethods debt={debt('none')} />,
      'but an account': () => <NoMethods debt={debt('none, an account')} />,
    },
  },
  {
    name: 'PayButton',
    place: 'payment',
    isTogether: true,
    states: {
      opening: () => pressed(() => new Promise(() => {})),
      'the bank is down': () => pressed(refuse('provider_unavailable')),
      refused: () => pressed(refuse('payer_has_open_request')),
      'no answer': () => pressed(() => Promise.reject(new TypeError('no answer'))),
    },
  },
  {
    name: 'PaymentStatusCard',
    place: 'payment',
    states: {
      'paid now': () => <Status owed={900} />,
      'on the due date': () => <Status owed={900} paymentOption="due-date" paymentDate="2026-12-04" />,
      pending: () => <Status />,
      completed: () => <Status owed={0} status="COMPLETED" receivedAmount={842} />,
      'nobody knows': () => <Status status="IN_PROGRESS" outcomeUnknown />,
      'a rest is owed': () => (
        <PaymentStatusCard
          balanceMinor={6_000}
          currency="SEK"
          payments={[payment({ status: 'COMPLETED', receivedAmount: 842 })]}
          onPayRest={() => {}}
        />
      ),
    },
  },
  {
    name: 'OutcomeSign',
    isTogether: true,
    states: Object.fromEntries(OUTCOMES.map((outcome) => [outcome, () => <OutcomeSign outcome={outcome} />])),
  },
  { name: 'CreditorStrip', states: { 'of an invoice': () => <Strip /> } },
  { name: 'PayBar', states: { 'on a narrow screen': () => <Bar /> } },
]
