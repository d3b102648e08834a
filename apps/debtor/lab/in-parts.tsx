import type { OptionsAnswer, PlanAnswer } from '@kvitt/domain/part-payments/part-payment.contract.ts'
import { useState } from 'react'
import { queries } from '../src/calls.ts'
import { EndPlan } from '../src/part-payments/end-plan.tsx'
import { OfferCards } from '../src/part-payments/offer-cards.tsx'
import { OfferFacts, OngoingMeans } from '../src/part-payments/offer-facts.tsx'
import { OfferTable } from '../src/part-payments/offer-table.tsx'
import PlanCard from '../src/part-payments/plan-card.tsx'
import PlanMethod, { type Offer } from '../src/part-payments/plan-method.tsx'
import { StartPlan } from '../src/part-payments/start-plan.tsx'
import { planOptionsQuery, planQuery } from '../src/debts/part-calls.ts'
import { debtOfInvoice } from '../src/debts/debt.ts'
import css from './lab.module.css'
import { FAILED, type Part } from './part.ts'
import { Pressed } from './pressed.tsx'
import { invoice, keyOf, TODAY } from './samples.ts'

type Plan = OptionsAnswer['plans'][number]

const LEGAL = 'I have read the terms and the credit information, and I agree to them.'

/** What `months` of a credit of 2 317,50 kronor cost with these prices. */
function figuresOf(months: number, start: number, monthly: number) {
  const cost = start + monthly * months
  const month = Math.ceil(231_750 / months + monthly * 100) / 100
  return {
    currency: 'SEK',
    creditAmount: 2317.5,
    monthlyAmount: month,
    firstAmount: month + start,
    lastAmount: month,
    instalmentCount: months,
    firstDueDate: '2026-12-31',
    lastDueDate: '2027-11-30',
    totalToPay: 2317.5 + cost,
    totalCost: cost,
    totalInterest: 0,
    effectiveRate: months * 3.17,
    legalText: LEGAL,
    documents: { terms: 'terms', secci: 'secci' },
  }
}

const plan = (months: number, variant: Plan['variant'] = 'PART_PAYMENT'): Plan => ({
  id: `${variant} ${months}`,
  code: `${variant} ${months}`,
  variant,
  annuity: months,
  annuityData: { annuityTotalAmount: 0, annuityRetainerFeeAmount: 0, totalToPay: 0 },
  partPaymentPlanSetting: {
    debtorPortalTermsVisible: true,
    debtorPortalLegalVisible: true,
    addToExisting: false,
    partInvoicePaymentTerms: 30,
    priceStartFee: 95,
    priceAdministrationFee: 29,
    priceInterest: 0,
    priceInterestFreeDays: months === 3 ? 90 : 0,
  },
  ...figuresOf(months, 95, 29),
})
const ACCOUNT: NonNullable<OptionsAnswer['account']> = {
  id: 'account',
  enabled: true,
  code: 'ACCOUNT',
  variant: 'PART_PAYMENT_ACCOUNT',
  hasExisting: false,
  partPaymentAccountSetting: {
    accountInvoiceInstallmentThreshold: 200,
    accountInvoicePaymentTerms: 30,
    priceAdministrationFee: 29,
    priceInterest: 19.9,
    priceStartFee: 0,
    addToExisting: false,
    debtorPortalLegalVisible: true,
    debtorPortalTermsVisible: true,
  },
  ...figuresOf(14, 0, 29),
  effectiveRate: null,
}
const THREE = [plan(3), plan(6), plan(12)]
const OFFERS: Readonly<Record<string, OptionsAnswer>> = {
  three: { plans: THREE, account: null, offerVersion: '1' },
  six: {
    plans: [...THREE, plan(24), plan(36), plan(6, 'ONGOING_PAYMENT')],
    account: null,
    offerVersion: '1',
  },
  one: { plans: [plan(6)], account: ACCOUNT, offerVersion: '1' },
  none: { plans: [], account: null, offerVersion: '1' },
}
for (const [name, options] of Object.entries(OFFERS)) {
  queries.setQueryData(planOptionsQuery(keyOf(name)).queryKey, options)
}

const instalment = (
  number: number,
  dueDate: string,
  invoiceNumber: string | null,
  balance: number | null,
) => ({
  number,
  dueDate,
  amount: number === 1 ? 510.25 : 415.25,
  principal: 386.25,
  interest: 0,
  fees: number === 1 ? 124 : 29,
  invoiceNumber,
  paymentReference: invoiceNumber && `2601${invoiceNumber}20`,
  balance,
})
const RUNNING: PlanAnswer = {
  id: 'plan',
  status: 'ACTIVE',
  code: 'PLAN_6',
  variant: 'PART_PAYMENT',
  annuity: 6,
  currency: 'SEK',
  startDate: '2026-08-20',
  endDate: null,
  withdrawUntil: null,
  canWithdraw: false,
  creditAmount: 2317.5,
  totalToPay: 2586.5,
  notInvoiced: 1158.75,
  instalments: [
    instalment(1, '2026-09-30', '261777', 0),
    instalment(2, '2026-10-31', '261740', 415.25),
    instalment(3, '2026-11-30', '261741', 415.25),
    instalment(4, '2026-12-31', null, null),
    instalment(5, '2027-01-31', null, null),
    instalment(6, '2027-02-28', null, null),
  ],
  documents: { terms: 'terms', secci: null },
}
const NEW: PlanAnswer = {
  ...RUNNING,
  startDate: TODAY,
  canWithdraw: true,
  withdrawUntil: '2026-12-03',
  notInvoiced: 2317.5,
  instalments: RUNNING.instalments.map((i) => ({
    ...i,
    invoiceNumber: null,
    paymentReference: null,
    balance: null,
  })),
}
const ENDED: PlanAnswer = { ...RUNNING, status: 'COMPLETED', notInvoiced: 0 }
queries.setQueryData(planQuery(keyOf('running')).queryKey, RUNNING)
queries.setQueryData(planQuery(keyOf('new')).queryKey, NEW)

const debt = (name: string) => debtOfInvoice(keyOf(name), invoice({ owed: 2317.5 }))
const method = (name: string, kind: 'plans' | 'account' = 'plans') => (
  <div className={`${css.field} ${css.card}`}>
    <PlanMethod debt={debt(name)} kind={kind} onOutdated={() => {}} />
  </div>
)

function Compared({ as, offers }: { as: 'cards' | 'beside' | 'above'; offers: readonly Offer[] }) {
  const [chosen, setChosen] = useState(offers[0]?.code ?? '')
  const comparison = { offers, chosen, onChoose: setChosen }
  return (
    <div className={`${css.field} ${css.card}`}>
      {as === 'cards' ? <OfferCards {...comparison} /> : <OfferTable {...comparison} layout={as} />}
      <OngoingMeans offers={offers} />
    </div>
  )
}

const start = (press: string | undefined, offer: Offer = plan(6)) => {
  const form = <StartPlan debt={debt('three')} offer={offer} offerVersion="1" onOutdated={() => {}} />
  return (
    <div className={`${css.field} ${css.card}`}>{press ? <Pressed name={press}>{form}</Pressed> : form}</div>
  )
}
const end = (press: string, of: PlanAnswer) => (
  <Pressed name={press}>
    <EndPlan debtKey={keyOf('running')} plan={of} />
  </Pressed>
)
const SIX = [...THREE, plan(24), plan(36), plan(6, 'ONGOING_PAYMENT')]

/** Paying in parts: what is offered, the agreement, and a plan that runs. */
export const PLAN_PARTS: readonly Part[] = [
  {
    name: 'PlanMethod',
    place: 'payment',
    states: {
      'three plans': () => method('three'),
      'six plans': () => method('six'),
      'one plan': () => method('one'),
      'an account': () => method('one', 'account'),
      none: () => method('none'),
      loading: () => method('loading'),
      failed: { show: () => method('failed'), calls: FAILED },
    },
  },
  {
    name: 'OfferCards, OfferTable',
    states: {
      cards: () => <Compared as="cards" offers={SIX} />,
      'table, names beside': () => <Compared as="beside" offers={THREE} />,
      'table, names above': () => <Compared as="above" offers={[...THREE, plan(24)]} />,
    },
  },
  {
    name: 'OfferFacts',
    place: 'payment',
    isTogether: true,
    states: {
      'of a plan': () => <OfferFacts offer={plan(3)} isBesideTable={false} />,
      'of an account': () => <OfferFacts offer={ACCOUNT} isBesideTable={false} />,
      'beside a table': () => <OfferFacts offer={plan(3)} isBesideTable />,
    },
  },
  {
    name: 'StartPlan',
    place: 'payment',
    isTogether: true,
    states: {
      'not agreed to': () => start(undefined),
      'pressed without agreeing': () => start('Start part payment'),
      'agreed to': () => start(LEGAL),
    },
  },
  {
    name: 'PlanCard',
    place: 'payment',
    states: {
      running: () => <PlanCard debtKey={keyOf('running')} title="blocked.plan_title" today={TODAY} />,
      'just begun': () => <PlanCard debtKey={keyOf('new')} title="claim.in_parts" today={TODAY} />,
      loading: () => <PlanCard debtKey={keyOf('loading')} title="blocked.plan_title" today={TODAY} />,
      failed: {
        show: () => <PlanCard debtKey={keyOf('failed')} title="blocked.plan_title" today={TODAY} />,
        calls: FAILED,
      },
    },
  },
  {
    name: 'EndPlan',
    states: {
      'paying all that is left': () => end('Pay all that is left', RUNNING),
      'changing one’s mind': () => end('Cancel the part payment', NEW),
      'over already': () => end('', ENDED),
    },
  },
]
