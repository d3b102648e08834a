import type { InvoiceAnswer } from '@kvitt/domain/invoices/invoice.contract.ts'
import { canBePaid, canDispute, canHaveReceipt, isClosed } from '@kvitt/domain/invoices/invoice.ts'
import { showsPaymentStatus } from '@kvitt/domain/payments/payment.ts'
import type { PaymentAnswer } from '@kvitt/domain/payments/payment.contract.ts'
import { Skeleton } from '@kvitt/ui/feedback/skeleton.tsx'
import { minorOf } from '@kvitt/ui/minor-of.ts'
import { usePageTitle } from '@kvitt/ui/shell/page-title.ts'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { invoiceQuery, queries, reloadDebt } from '../calls.ts'
import { clientQuery } from '../debts/part-calls.ts'
import { DocumentsAction, DocumentsRow } from '../documents/documents.tsx'
import { ReceiptButton } from '../documents/receipt.tsx'
import { HelpPanel, openHelpTopic, type AskKind } from '../help/help-panel.tsx'
import { WrongCard } from '../help/wrong-card.tsx'
import { useInstance } from '../instance.ts'
import { latePage, useAhead } from '../late-page.tsx'
import { debtOfInvoice } from '../debts/debt.ts'
import { useCanPayHere } from '../payments/can-pay-here.ts'
import { PayBar } from '../payments/pay-bar.tsx'
import { PaymentMethods } from '../payments/payment-methods.tsx'
import { usePayments } from '../payments/use-payments.ts'
import type { InvoiceKey } from '../session.ts'
import { DebtLayout } from '../debts/debt-layout.tsx'
import { t } from '../text.ts'
import { withMoreWords } from '../words.ts'
import { invoiceHash } from '../views.ts'
import { CalculationAction, CalculationRow } from './calculation.tsx'
import { Dialogs, DIALOGS, type DialogName } from './invoice-dialogs-page.tsx'
import { InvoiceHero } from './invoice-hero.tsx'
import { runsInPlan, wasPaid } from './invoice-tags.tsx'
import { Timeline } from './timeline.tsx'

const PaymentStatusCard = latePage(() => withMoreWords(import('../payments/payment-status.tsx')), {
  waiting: <Skeleton height={8} />,
})
const SettledCard = latePage(() => withMoreWords(import('./settled-card.tsx')), {
  waiting: <Skeleton height={22} />,
})
const PlanMethod = latePage(() => withMoreWords(import('../part-payments/plan-method.tsx')), {
  waiting: <Skeleton height={20} />,
})
const PlanCard = latePage(() => withMoreWords(import('../part-payments/plan-card.tsx')), {
  waiting: <Skeleton height={40} />,
})
const Said = latePage(() => withMoreWords(import('../help/said.tsx')))
const AHEAD = [PaymentStatusCard, SettledCard, PlanMethod, ...DIALOGS]
/** The invoice is whole without it. */
const AdBlock = latePage(() => withMoreWords(import('../help/ad-block.tsx')), { failed: () => null })

export default function InvoicePage({ invoiceKey: address }: { invoiceKey: InvoiceKey }) {
  const data = queries.getQueryData(invoiceQuery(address).queryKey)
  const number = address.invoiceNumber ?? data?.invoiceNumber
  const { reference, zip } = address
  const key = { reference, zip, invoiceNumber: number }
  const invoice = useQuery(invoiceQuery(key))
  // Of every address that leads here, also of one that leads to what is shown already. After all effects: whoever
  // listens to the address begins in one of them, and would show the same page once more.
  useEffect(() => {
    const { reference, zip } = address
    const hash = invoiceHash({ reference, zip, invoiceNumber: number })
    const { hash: before } = location
    setTimeout(() => {
      if (location.hash === before && hash !== before) history.replaceState(history.state, '', hash)
    })
  }, [address, number])
  return invoice.data ? <Invoice invoiceKey={key} invoice={invoice.data} /> : null
}

function Invoice({ invoiceKey: key, invoice }: SubjectProps) {
  const instance = useInstance()
  const client = useQuery(clientQuery(key))
  const payments = usePayments(key, minorOf(invoice.balances.total) > 0)
  const [dialog, setDialog] = useState<DialogName>()
  const [asking, setAsking] = useState<AskKind>()
  const [disputeFailure, setDisputeFailure] = useState<string>()
  const heading = useRef<HTMLHeadingElement>(null)
  const heroButton = useRef<HTMLDivElement>(null)
  const paymentSection = useRef<HTMLElement>(null)
  usePageTitle(t('invoice.heading', { number: invoice.invoiceNumber }), instance?.name)
  useAhead(AHEAD)

  const logo = client.data?.logotypeDocumentFileName ?? null
  const debt = debtOfInvoice(key, invoice)
  const isOwing = debt.balanceMinor > 0 || runsInPlan(invoice)
  // What is paused or disputed can be paid, but nobody is urged to.
  const isAsked = invoice.statuses.main === 'ACTIVATED' && showsOptions(invoice, payments.data ?? [])
  const isPayable = useCanPayHere(debt, isAsked)
  const ways = {
    onContact: () => setDialog('contact'),
    onDispute: canDispute(invoice.statuses.main, debt.balanceMinor) ? () => setDialog('dispute') : undefined,
    onAsk: setAsking,
  }
  const showMethods = () => {
    heading.current?.focus({ preventScroll: true })
    paymentSection.current?.scrollIntoView()
  }

  return (
    <>
      <DebtLayout
        paymentRef={paymentSection}
        hero={
          <InvoiceHero
            invoice={invoice}
            logo={logo}
            payRef={heroButton}
            onPay={isPayable ? showMethods : undefined}
            actions={<HeroActions invoiceKey={key} invoice={invoice} />}
          />
        }
        payment={
          <>
            <PaymentArea
              invoiceKey={key}
              invoice={invoice}
              payments={payments.data}
              isAsking={payments.isPending}
              headingRef={heading}
            />
            {isOwing && !isClosed(invoice.statuses.main) && <WrongCard failure={disputeFailure} {...ways} />}
            <Said debt={debt} about={invoice} logo={logo} asking={asking} onAsk={setAsking} />
          </>
        }
        rows={<Rows invoiceKey={key} invoice={invoice} />}
      >
        {isOwing && <InvoiceTimeline invoiceKey={key} invoice={invoice} />}
        <HelpPanel isClosed={isClosed(invoice.statuses.main)} client={client.data} {...ways} />
        {instance?.isProductOwner && <AdBlock />}
      </DebtLayout>
      {isPayable && (
        <PayBar debt={debt} payButton={heroButton} methods={paymentSection} onPay={showMethods} />
      )}
      <Dialogs
        open={dialog}
        invoiceKey={key}
        invoice={invoice}
        logo={logo}
        onClose={() => setDialog(undefined)}
        onDisputeFailed={setDisputeFailure}
      />
    </>
  )
}

type SubjectProps = { invoiceKey: InvoiceKey; invoice: InvoiceAnswer }

/** The same two on wide and on narrow screens. */
function HeroActions(props: SubjectProps) {
  return (
    <>
      <CalculationAction {...props} />
      <DocumentsAction {...props} />
    </>
  )
}

function Rows(props: SubjectProps) {
  return (
    <>
      <CalculationRow {...props} />
      <DocumentsRow {...props} />
    </>
  )
}

function InvoiceTimeline({ invoiceKey, invoice }: SubjectProps) {
  const { dates, totals, currency } = invoice
  return (
    <Timeline
      debtKey={invoiceKey}
      currency={currency.invoiceCurrency}
      sent={{ day: dates.sentDate ?? dates.invoiceDate, amountMinor: minorOf(totals.totalToPay) }}
      end={isClosed(invoice.statuses.main) ? 'invoice.is_closed' : undefined}
    />
  )
}

function isInClaim(invoice: InvoiceAnswer): boolean {
  return invoice.collectionBatchNumber !== null || invoice.collection_batch_number !== null
}

/** Payment options, unless something has been signed already (specification section 4). */
function showsOptions(invoice: InvoiceAnswer, payments: readonly PaymentAnswer[]): boolean {
  return (
    !showsPaymentStatus(payments) &&
    canBePaid({
      status: invoice.statuses.main,
      balanceMinor: minorOf(invoice.balances.total),
      isPartPayment: invoice.isPartPayment,
      inClaim: isInClaim(invoice),
    })
  )
}

type PaymentAreaProps = {
  invoiceKey: InvoiceKey
  invoice: InvoiceAnswer
  payments: readonly PaymentAnswer[] | undefined
  isAsking: boolean
  headingRef: React.RefObject<HTMLHeadingElement | null>
}

/** What stands where one pays: the settled card, the state of a signed payment, a reason, or the methods. */
function PaymentArea(props: PaymentAreaProps) {
  const { invoiceKey, invoice, payments = [], isAsking, headingRef } = props
  const [paysRest, setPaysRest] = useState(false)
  const balanceMinor = minorOf(invoice.balances.total)
  const status = invoice.statuses.main
  if (isClosed(status) || (balanceMinor <= 0 && !runsInPlan(invoice))) {
    return (
      <SettledCard
        invoiceKey={invoiceKey}
        invoice={invoice}
        payments={payments}
        receipt={
          canHaveReceipt({
            status,
            type: invoice.type,
            balanceMinor,
            isPartPayment: invoice.isPartPayment,
          }) && (
            <ReceiptButton
              invoiceKey={invoiceKey}
              invoiceNumber={invoice.invoiceNumber}
              look={wasPaid(invoice) ? 'primary' : 'secondary'}
            />
          )
        }
      />
    )
  }
  const isSigned = showsPaymentStatus(payments) || status === 'PENDING_AUTHORIZATION'
  const isUnderWay = payments.some((p) => p.status === 'AUTHORIZED' || p.outcomeUnknown)
  const canPayRest = isSigned && status !== 'PENDING_AUTHORIZATION' && !isUnderWay
  const showsPlan = invoice.isPartPayment && !isUnderWay
  if (isSigned && !showsPlan && !(canPayRest && paysRest)) {
    return (
      <PaymentStatusCard
        balanceMinor={balanceMinor}
        currency={invoice.currency.invoiceCurrency}
        payments={payments}
        onPayRest={canPayRest ? () => setPaysRest(true) : undefined}
      />
    )
  }
  if (invoice.isPartPayment) {
    const { today } = invoice.dates
    return <PlanCard debtKey={invoiceKey} title="blocked.plan_title" today={today} />
  }
  return (
    <PaymentMethods
      debt={debtOfInvoice(invoiceKey, invoice)}
      payments={payments}
      renderPlans={(props) => <PlanMethod {...props} />}
      isAsking={isAsking}
      headingRef={headingRef}
      onNeedTime={() => openHelpTopic('respite')}
      onChanged={() => void reloadDebt(invoiceKey)}
    />
  )
}
