import type { ClaimAnswer } from '@kvitt/domain/claims/claim.contract.ts'
import { canDisputeClaim } from '@kvitt/domain/claims/claim.ts'
import { showsPaymentStatus } from '@kvitt/domain/payments/payment.ts'
import { Amount } from '@kvitt/ui/values/amount.tsx'
import { Button } from '@kvitt/ui/components/button.tsx'
import { MessageBox } from '@kvitt/ui/feedback/message-box.tsx'
import { Skeleton } from '@kvitt/ui/feedback/skeleton.tsx'
import { currentLanguage } from '@kvitt/ui/language/speak.ts'
import { minorOf } from '@kvitt/ui/minor-of.ts'
import { formatMoney } from '@kvitt/ui/money-text.ts'
import { usePageTitle } from '@kvitt/ui/shell/page-title.ts'
import { useQuery } from '@tanstack/react-query'
import { useRef, useState, type ReactNode, type RefObject } from 'react'
import { reloadDebt } from '../calls.ts'
import { claimQuery, clientQuery } from '../debts/part-calls.ts'
import { CLAIM_TOPICS } from '../help/claim-topics.ts'
import { HelpPanel, openHelpTopic, type AskKind } from '../help/help-panel.tsx'
import { WrongCard } from '../help/wrong-card.tsx'
import { useInstance } from '../instance.ts'
import { latePage, useAhead } from '../late-page.tsx'
import { DueLine, PausedLine } from '../invoices/due-line.tsx'
import heroCss from '../invoices/invoice-hero.module.css'
import { Timeline } from '../invoices/timeline.tsx'
import { useCanPayHere } from '../payments/can-pay-here.ts'
import { PayBar } from '../payments/pay-bar.tsx'
import { PaymentMethods } from '../payments/payment-methods.tsx'
import { usePayments } from '../payments/use-payments.ts'
import type { DebtKey } from '../session.ts'
import { CreditorPlate } from '../debts/creditor-plate.tsx'
import { debtOfClaim } from '../debts/debt.ts'
import { DebtLayout } from '../debts/debt-layout.tsx'
import { t } from '../text.ts'
import { withMoreWords } from '../words.ts'
import { Dialogs, DIALOGS, type DialogName } from './claim-dialogs-page.tsx'
import { ClaimCopyAction, ClaimCopyRow, DetailsAction } from './claim-papers.tsx'
import { ClaimTag, isOver, wasPaid } from './claim-tag.tsx'

const PaymentStatusCard = latePage(() => withMoreWords(import('../payments/payment-status.tsx')), {
  waiting: <Skeleton height={8} />,
})
const PlanMethod = latePage(() => withMoreWords(import('../part-payments/plan-method.tsx')), {
  waiting: <Skeleton height={20} />,
})
const PlanCard = latePage(() => withMoreWords(import('../part-payments/plan-card.tsx')), {
  waiting: <Skeleton height={40} />,
})
const Said = latePage(() => withMoreWords(import('../help/said.tsx')))
const AHEAD = [PaymentStatusCard, PlanMethod, ...DIALOGS]

export default function ClaimPage({ claimKey }: { claimKey: DebtKey }) {
  const claim = useQuery(claimQuery(claimKey))
  return claim.data ? <Claim claimKey={claimKey} claim={claim.data} /> : null
}

type ClaimProps = { claimKey: DebtKey; claim: ClaimAnswer }

function Claim({ claimKey: key, claim }: ClaimProps) {
  const instance = useInstance()
  const client = useQuery(clientQuery(key))
  const payments = usePayments(key, minorOf(claim.balanceTotal) > 0)
  const [dialog, setDialog] = useState<DialogName>()
  const [asking, setAsking] = useState<AskKind>()
  const [disputeFailure, setDisputeFailure] = useState<string>()
  const heading = useRef<HTMLHeadingElement>(null)
  const heroButton = useRef<HTMLDivElement>(null)
  const paymentSection = useRef<HTMLElement>(null)
  usePageTitle(t('claim.heading', { number: claim.collectionBatchNumber }), instance?.name)
  useAhead(AHEAD)

  const debt = debtOfClaim(key, claim)
  const isSigned = showsPaymentStatus(payments.data ?? [])
  // What is paused or disputed can be paid, but nobody is urged to.
  const owesHere = debt.balanceMinor > 0 && ['OPEN', 'RESUME'].includes(claim.status) && !claim.isPartPayment
  const isPayable = useCanPayHere(debt, owesHere && !isSigned)
  const canDispute = canDisputeClaim(claim.status, debt.balanceMinor)
  const ways = {
    onContact: () => setDialog('contact'),
    onDispute: canDispute ? () => setDialog('dispute') : undefined,
    onAsk: setAsking,
  }
  const logo = client.data?.logotypeDocumentFileName ?? null
  const showMethods = () => {
    heading.current?.focus({ preventScroll: true })
    paymentSection.current?.scrollIntoView()
  }
  const openDetails = () => setDialog('details')
  return (
    <>
      <DebtLayout
        paymentRef={paymentSection}
        hero={
          <ClaimHero
            claim={claim}
            logo={logo}
            payRef={heroButton}
            onPay={isPayable ? showMethods : undefined}
            actions={<Actions claimKey={key} claim={claim} onOpen={openDetails} />}
          />
        }
        payment={
          <>
            <PaymentArea claimKey={key} claim={claim} payments={payments} headingRef={heading} />
            {debt.balanceMinor > 0 && !isOver(claim) && (
              <WrongCard disputes="claim.dispute" failure={disputeFailure} {...ways} />
            )}
            <Said debt={debt} about={claim} logo={logo} asking={asking} onAsk={setAsking} />
          </>
        }
        rows={<Rows claimKey={key} claim={claim} onOpen={openDetails} />}
      >
        {debt.balanceMinor > 0 && <ClaimTimeline claimKey={key} claim={claim} />}
        <HelpPanel isClosed={isOver(claim)} client={client.data} others={CLAIM_TOPICS} {...ways} />
      </DebtLayout>
      {isPayable && (
        <PayBar debt={debt} payButton={heroButton} methods={paymentSection} onPay={showMethods} />
      )}
      <Dialogs
        open={dialog}
        claimKey={key}
        claim={claim}
        logo={logo}
        onClose={() => setDialog(undefined)}
        onDisputeFailed={setDisputeFailure}
      />
    </>
  )
}

type PapersProps = ClaimProps & { onOpen: () => void }

function Actions({ onOpen, ...subject }: PapersProps) {
  return (
    <>
      <DetailsAction onOpen={onOpen} />
      <ClaimCopyAction {...subject} />
    </>
  )
}

/** The same two on narrow screens. */
function Rows({ onOpen, ...subject }: PapersProps) {
  return (
    <>
      <div className={heroCss.rowActions}>
        <DetailsAction onOpen={onOpen} />
      </div>
      <ClaimCopyRow {...subject} />
    </>
  )
}

function ClaimTimeline({ claimKey, claim }: ClaimProps) {
  const end = isOver(claim) ? 'claim.closed' : undefined
  return <Timeline debtKey={claimKey} currency={claim.currency} end={end} />
}

type HeroProps = {
  claim: ClaimAnswer
  logo: string | null
  payRef: RefObject<HTMLDivElement | null>
  onPay: (() => void) | undefined
  actions: ReactNode
}

/** Who, how much, until when; and what a claim is, for whoever meets one for the first time. */
export function ClaimHero({ claim, logo, payRef, onPay, actions }: HeroProps) {
  const balanceMinor = minorOf(claim.balanceTotal)
  const amount = formatMoney(balanceMinor, claim.currency, currentLanguage())
  return (
    <div className={heroCss.hero}>
      <p>
        <ClaimTag claim={claim} />
      </p>
      <div className={heroCss.who}>
        <CreditorPlate name={claim.clientName} logo={logo} />
        <div>
          <h1 className={heroCss.number} tabIndex={-1}>
            {t('claim.heading', { number: claim.collectionBatchNumber })}
          </h1>
          <p className={heroCss.creditor}>{claim.clientName}</p>
        </div>
      </div>
      <div>
        <p className={heroCss.label}>
          {t(isOver(claim) && balanceMinor > 0 ? 'claim.closed_amount' : 'invoice.total_due')}
        </p>
        <p className={heroCss.figure}>
          <Amount
            minor={balanceMinor}
            currency={claim.currency}
            rule={balanceMinor === 0 ? 'ok' : isOver(claim) ? 'waiting' : 'brand'}
          />
        </p>
      </div>
      {/* What is paid in parts has a due date for each of them. */}
      {balanceMinor > 0 && !isOver(claim) && !claim.isPartPayment && (
        <DueLine expireDate={claim.expireDate} today={claim.today} ahead="claim.due_by_day" />
      )}
      {balanceMinor > 0 && <PausedLine status={claim.status} disputed="claim.disputed_paused" />}
      {onPay && (
        <div className={heroCss.pay} ref={payRef}>
          <Button wide iconAfter="arrow-down" onClick={onPay}>
            {t('payment.pay_amount', { amount })}
          </Button>
        </div>
      )}
      {!isOver(claim) && <p className={heroCss.sentence}>{t('claim.what')}</p>}
      <div className={heroCss.actions}>{actions}</div>
    </div>
  )
}

type AreaProps = ClaimProps & {
  payments: ReturnType<typeof usePayments>
  headingRef: RefObject<HTMLHeadingElement | null>
}

/** What stands where one pays: nothing more to do, the state of a signed payment, or the methods. */
function PaymentArea({ claimKey, claim, payments, headingRef }: AreaProps) {
  const [paysRest, setPaysRest] = useState(false)
  const debt = debtOfClaim(claimKey, claim)
  const made = payments.data ?? []
  // What a plan has billed is not owed here, and not paid either.
  if (isOver(claim) || (debt.balanceMinor <= 0 && !claim.isPartPayment)) {
    const isPaid = wasPaid(claim)
    return (
      <MessageBox
        tone={isPaid ? 'ok' : 'info'}
        heading={<span id="payment-heading">{t(isPaid ? 'settled.paid' : 'claim.closed')}</span>}
      >
        <p>{t(isPaid ? 'payment.thank_you' : 'claim.nothing_to_pay')}</p>
      </MessageBox>
    )
  }
  const isSigned = showsPaymentStatus(made)
  const isUnderWay = made.some((p) => p.status === 'AUTHORIZED' || p.outcomeUnknown)
  const canPayRest = isSigned && !isUnderWay
  const showsPlan = claim.isPartPayment && !isUnderWay
  if (isSigned && !showsPlan && !(canPayRest && paysRest)) {
    return (
      <PaymentStatusCard
        balanceMinor={debt.balanceMinor}
        currency={debt.currency}
        payments={made}
        onPayRest={canPayRest ? () => setPaysRest(true) : undefined}
      />
    )
  }
  if (claim.isPartPayment) return <PlanCard debtKey={claimKey} title="claim.in_parts" today={claim.today} />
  return (
    <PaymentMethods
      debt={debt}
      payments={made}
      renderPlans={(props) => <PlanMethod {...props} />}
      isAsking={payments.isPending}
      headingRef={headingRef}
      onNeedTime={() => openHelpTopic('respite')}
      onChanged={() => void reloadDebt(claimKey)}
    />
  )
}
