import type {
  EventAnswer,
  FinancialEventAnswer,
  InvoiceAnswer,
} from '@kvitt/domain/invoices/invoice.contract.ts'
import { useRef, type ComponentProps } from 'react'
import { queries } from '../src/calls.ts'
import { DocumentsAction } from '../src/documents/documents.tsx'
import ReceiptButton from '../src/documents/receipt-button.tsx'
import { CalculationAction, CalculationRow } from '../src/invoices/calculation.tsx'
import { DueLine, PausedLine } from '../src/invoices/due-line.tsx'
import { InvoiceHero } from '../src/invoices/invoice-hero.tsx'
import { InvoiceTag } from '../src/invoices/invoice-tag.tsx'
import { InvoiceTags } from '../src/invoices/invoice-tags.tsx'
import SettledCard from '../src/invoices/settled-card.tsx'
import SumList from '../src/invoices/sum-list.tsx'
import { Timeline } from '../src/invoices/timeline.tsx'
import { eventsQuery, financialEventsQuery } from '../src/debts/part-calls.ts'
import css from './lab.module.css'
import { FAILED, type Part } from './part.ts'
import { Pressed } from './pressed.tsx'
import { event, ENERGY, ENERGY_LOGO, INVOICES, invoice, keyOf, payment, TODAY } from './samples.ts'

const REMINDER = event('REMINDER', '2026-10-26', { topic: 'FINANCIAL', amount: 60, balance: 2377.5 })
const INTEREST = event('INTEREST', '2026-11-10', {
  topic: 'FINANCIAL',
  amount: 19.05,
  balance: 2396.55,
  interest: [
    { rate: '10', from: '2026-10-12', to: '2026-11-10', days: 30, principal: 2317.5, amount: 19.05 },
  ],
})
const LATE: EventAnswer[] = [
  event('EXPIRED', '2026-10-12'),
  REMINDER,
  INTEREST,
  event('PAYMENT', '2026-11-12', { amount: -500 }),
]
const HISTORIES: Readonly<Record<string, EventAnswer[]>> = {
  two: [event('PAYMENT', '2026-11-17', { topic: 'FINANCIAL', amount: -842, balance: 0 })],
  five: LATE,
  many: [
    ...LATE,
    event('REVERSAL', '2026-11-13', { topic: 'FINANCIAL', amount: 500 }),
    event('COLLECTION_NOTIFICATION', '2026-11-15'),
    event('COLLECTION', '2026-11-18', { topic: 'FINANCIAL', amount: 180 }),
  ],
}
for (const [name, events] of Object.entries(HISTORIES)) {
  queries.setQueryData(eventsQuery(keyOf(name)).queryKey, events)
}

const posted = (type: string, date: string, total: number, balance: number): FinancialEventAnswer => ({
  date,
  type,
  amounts: { total },
  balances: { total: balance },
  interest: [],
})
const overdue = INVOICES.overdue ?? invoice()
queries.setQueryData(financialEventsQuery(keyOf('overdue')).queryKey, [
  posted('INVOICE', '2026-09-11', 2317.5, 2317.5),
  posted('REMINDER', '2026-10-26', 60, 2377.5),
])
queries.setQueryData(financialEventsQuery(keyOf('paid')).queryKey, [
  posted('INVOICE', '2026-11-04', 842, 842),
  posted('PAYMENT', '2026-11-17', -842, 0),
])

function Hero({ invoice: of, pays }: { invoice: InvoiceAnswer; pays: boolean }) {
  const button = useRef<HTMLDivElement>(null)
  const key = keyOf(of.invoiceNumber)
  const withCopy = { ...of, documents: { invoiceWithAttachments: 'copy' } }
  return (
    <InvoiceHero
      invoice={of}
      logo={of.clientName === ENERGY ? ENERGY_LOGO : null}
      payRef={button}
      onPay={pays ? () => {} : undefined}
      actions={
        <>
          <CalculationAction invoiceKey={key} invoice={of} />
          <DocumentsAction invoiceKey={key} invoice={withCopy} />
        </>
      }
    />
  )
}

type TimelineProps = Omit<ComponentProps<typeof Timeline>, 'debtKey' | 'currency'>
const SENT = { day: '2026-09-11', amountMinor: 231_750 }

const history = (name: string, more: TimelineProps = { sent: SENT }) => (
  <Timeline debtKey={keyOf(name)} currency="SEK" {...more} />
)
const narrow = (name: string, more?: TimelineProps) => <div className={css.narrow}>{history(name, more)}</div>
const ENDED: TimelineProps = { sent: SENT, end: 'invoice.is_closed' }

const settled = (name: string, of: InvoiceAnswer, hasReceipt: boolean) => (
  <SettledCard
    invoiceKey={keyOf(name)}
    invoice={of}
    payments={[payment({ status: 'COMPLETED', receivedAmount: 842 })]}
    receipt={
      hasReceipt && <ReceiptButton invoiceKey={keyOf(name)} invoiceNumber={of.invoiceNumber} look="primary" />
    }
  />
)

/** How an invoice stands, what its sum is made of, and what has happened to it. */
export const INVOICE_PARTS: readonly Part[] = [
  {
    name: 'InvoiceHero',
    place: 'facts',
    isTogether: true,
    states: Object.fromEntries(
      Object.entries(INVOICES).map(([name, of]) => [
        name,
        () => <Hero invoice={of} pays={['due', 'overdue'].includes(name)} />,
      ]),
    ),
  },
  {
    name: 'InvoiceTags, InvoiceTag',
    isTogether: true,
    states: Object.fromEntries(
      Object.entries(INVOICES).map(([name, of]) => [
        name,
        () => (
          <>
            <InvoiceTags invoice={of} />
            <InvoiceTag invoice={of} />
          </>
        ),
      ]),
    ),
  },
  {
    name: 'DueLine, PausedLine',
    isTogether: true,
    states: {
      ahead: () => <DueLine expireDate="2026-12-04" today={TODAY} />,
      today: () => <DueLine expireDate={TODAY} today={TODAY} />,
      past: () => <DueLine expireDate="2026-10-11" today={TODAY} />,
      paused: () => <PausedLine status="PAUSED" disputed="invoice.disputed_paused" />,
      disputed: () => <PausedLine status="DISPUTED" disputed="invoice.disputed_paused" />,
    },
  },
  {
    name: 'Calculation, SumList',
    place: 'facts',
    isTogether: true,
    states: {
      'row, opened': () => (
        <Pressed name="calculated">
          <CalculationRow invoiceKey={keyOf('overdue')} invoice={overdue} />
        </Pressed>
      ),
      'postings that come to the balance': () => <SumList invoiceKey={keyOf('overdue')} invoice={overdue} />,
      'postings that are not known': () => <SumList invoiceKey={keyOf('unknown')} invoice={overdue} />,
      'action, opened': () => (
        <Pressed name="calculated">
          <CalculationAction invoiceKey={keyOf('overdue')} invoice={overdue} />
        </Pressed>
      ),
    },
  },
  {
    name: 'Timeline',
    place: 'facts',
    states: {
      loading: () => history('loading'),
      failed: { show: () => history('failed'), calls: FAILED },
      'two events': () => history('two', { sent: { day: '2026-11-04', amountMinor: 84_200 } }),
      'five events': () => history('five'),
      'more than five': () => history('many'),
      'with an end': () => history('two', { ...ENDED, sent: { day: '2026-11-04', amountMinor: 84_200 } }),
      'more than five with an end': () => history('many', ENDED),
      'five in a narrow place': () => narrow('five'),
      'more than five with an end in a narrow place': () => narrow('many', ENDED),
    },
  },
  {
    name: 'SettledCard',
    place: 'payment',
    states: {
      'paid, with a receipt': () => settled('paid', INVOICES.paid ?? invoice(), true),
      'its events are loading': () => settled('loading', INVOICES.paid ?? invoice(), false),
      stopped: () => settled('stopped', INVOICES.stopped ?? invoice(), false),
      'a part of a plan that has ended': () =>
        settled('part', { ...(INVOICES.stopped ?? invoice()), type: 'PART_INVOICE' }, false),
    },
  },
]
