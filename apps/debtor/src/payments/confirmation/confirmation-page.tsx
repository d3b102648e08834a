import type { PaymentAnswer } from '@kvitt/domain/payments/payment.contract.ts'
import { groupInFours } from '@kvitt/domain/references.ts'
import { Amount } from '@kvitt/ui/values/amount.tsx'
import { Button } from '@kvitt/ui/components/button.tsx'
import { FactList, type Fact } from '@kvitt/ui/values/fact-list.tsx'
import { MessageBox } from '@kvitt/ui/feedback/message-box.tsx'
import { Skeleton } from '@kvitt/ui/feedback/skeleton.tsx'
import { formatDay } from '@kvitt/ui/date-text.ts'
import { currentLanguage } from '@kvitt/ui/language/speak.ts'
import { minorOf } from '@kvitt/ui/minor-of.ts'
import { formatMoney } from '@kvitt/ui/money-text.ts'
import { goTo } from '@kvitt/ui/routes.ts'
import { usePageTitle } from '@kvitt/ui/shell/page-title.ts'
import { useEffect } from 'react'
import { ReceiptButton } from '../../documents/receipt.tsx'
import { useInstance } from '../../instance.ts'
import type { DebtKey } from '../../session.ts'
import { AnswerLink } from '../../shell/answer-link.tsx'
import { Bar } from '../../shell/bar.tsx'
import { Footer } from '../../shell/footer.tsx'
import { t, type MessageId } from '../../text.ts'
import { debtHash, planConfirmationHash } from '../../views.ts'
import { CreditorStrip, useSubject, type Subject } from './confirmed-debt.tsx'
import css from './confirmation-page.module.css'
import { methodName } from '../../debts/method-name.ts'
import { useNewestPayment, type Outcome } from './newest-payment.ts'
import { OutcomeSign } from './outcome-sign.tsx'
import { useHeldWhilePressed } from './while-pressed.ts'

const HEADINGS: Readonly<Record<Outcome, MessageId>> = {
  waiting: 'confirmation.waiting',
  unsure: 'payment.unsure',
  received: 'payment.thank_you',
  approved: 'payment.thank_you',
  booked: 'payment.thank_you',
  failed: 'payment.failed',
  returned: 'payment.returned',
  paid: 'settled.paid',
  none: 'confirmation.none',
}

/** What is done, and what happens then. */
const NEXT: Readonly<Partial<Record<Outcome, MessageId>>> = {
  received: 'confirmation.next_received',
  approved: 'confirmation.next_approved',
  booked: 'confirmation.next_booked',
}

/** A claim and an instalment have no receipt to promise. */
const NEXT_WITHOUT_RECEIPT: typeof NEXT = {
  ...NEXT,
  received: 'confirmation.next_paid',
  approved: 'confirmation.next_moving',
}

export default function ConfirmationPage({ debtKey: key }: { debtKey: DebtKey }) {
  const instance = useInstance()
  const known = { newest: useNewestPayment(key), subject: useSubject(key) }
  const { newest, subject } = useHeldWhilePressed(known)
  const { isLong, isUnreachable } = newest
  const outcome = newest.outcome === 'failed' && subject?.isPaid ? 'paid' : newest.outcome
  const payment = outcome === 'paid' ? undefined : newest.payment
  const isUnknown = outcome === 'waiting' && !payment && !isUnreachable
  const heading = t(isUnreachable ? 'load_failed.unsure' : HEADINGS[outcome])
  const lead = isUnreachable ? t('load_failed.unsure_text') : leadOf(outcome, payment)
  usePageTitle(heading, instance?.name)

  const isDone = outcome in NEXT
  const option = payment?.paymentOption
  useEffect(() => {
    if (!isDone) return
    // Back must not lead to an address that starts the return from the bank again.
    const type = key.claimNumber === undefined ? 'INVOICE' : 'COLLECTION_BATCH'
    const state = { type, variant: option, paymentReference: key.reference, zip: key.zip }
    history.replaceState(state, '', planConfirmationHash(key))
  }, [isDone, option, key])

  if (!subject) return null
  return (
    <>
      <Bar signedIn place="invoices" />
      <main tabIndex={-1}>
        <CreditorStrip debtKey={key} subject={subject} />
        <div className={`page ${css.page}`}>
          <OutcomeSign outcome={outcome} />
          <h1 tabIndex={-1}>{heading}</h1>
          <p className={css.lead}>{lead}</p>
          {payment && (
            <p className={css.figure}>
              <Amount
                minor={minorOf(payment.amount)}
                currency={payment.currency}
                rule={isDone ? 'ok' : 'waiting'}
              />
            </p>
          )}
          {isUnknown && <Awaited />}
          <p className="spoken" role="status">
            {isUnreachable ? `${heading}. ${lead}` : announcementOf(outcome, payment)}
          </p>
          {outcome === 'waiting' && isLong && !isUnreachable && (
            <div className={css.block}>
              <MessageBox tone="info">
                <p>{t('confirmation.still_waiting')}</p>
              </MessageBox>
            </div>
          )}
          {payment && (
            <div className={`${css.block} ${css.facts}`}>
              <FactList facts={factsOf(outcome, payment, subject)} />
            </div>
          )}
          {isDone && (
            <div className={css.block}>
              <h2 className={css.next}>{t('confirmation.next')}</h2>
              <p className={css.nextText}>{t(nextOf(outcome, subject))}</p>
            </div>
          )}
          <Actions debtKey={key} subject={subject} outcome={outcome} isUnreachable={isUnreachable} />
        </div>
      </main>
      <Footer />
    </>
  )
}

/** In the places of what the first answer brings. */
function Awaited() {
  return (
    <>
      <p className={css.figure}>
        <Skeleton width={12} height={3.75} />
      </p>
      <div className={css.block}>
        <Skeleton height={9.75} />
      </div>
    </>
  )
}

/** The words after the outcome; an invoice that is still owing is not called closed. */
function nextOf(outcome: Outcome, { balanceMinor, givesReceipt }: Subject): MessageId {
  if (outcome === 'received' && balanceMinor > 0) return 'confirmation.next_rest'
  const next = givesReceipt ? NEXT : NEXT_WITHOUT_RECEIPT
  return next[outcome] ?? 'confirmation.next_moving'
}

function leadOf(outcome: Outcome, payment: PaymentAnswer | undefined): string {
  switch (outcome) {
    case 'waiting':
      return t('confirmation.usually')
    case 'unsure':
      return t('payment.unsure_text')
    case 'paid':
      return t('confirmation.next_paid')
    case 'returned':
      return t('confirmation.next_rest')
    case 'received':
      return t('confirmation.received')
    case 'approved':
      return t('confirmation.approved')
    case 'booked':
      return t('confirmation.booked', { day: formatDay(payment?.paymentDate ?? '') })
    case 'failed':
      return t('confirmation.failed')
    case 'none':
      return t('confirmation.none_text')
  }
}

/** Said once for each change of the outcome, never for a poll. */
function announcementOf(outcome: Outcome, payment: PaymentAnswer | undefined): string {
  if (!payment || outcome === 'waiting' || outcome === 'unsure') return leadOf(outcome, payment)
  const amount = formatMoney(minorOf(payment.amount), payment.currency, currentLanguage())
  const heading = t(HEADINGS[outcome])
  return `${heading}${/[!?.]$/.test(heading) ? '' : '.'} ${leadOf(outcome, payment)} ${outcome === 'failed' ? '' : amount}`
}

function factsOf(outcome: Outcome, payment: PaymentAnswer, subject: Subject): Fact[] {
  const language = currentLanguage()
  const day = formatDay(payment.paymentDate)
  const isLater = payment.paymentOption === 'due-date'
  const facts: Fact[] = []
  if (outcome === 'waiting' || outcome === 'unsure') {
    const when = isLater ? day : t('pay.today', { day })
    facts.push({ id: 'day', name: t('confirmation.payment'), value: when })
  } else if (outcome !== 'failed' && outcome !== 'returned') {
    facts.push({ id: 'day', name: t(isLater ? 'confirmation.paid_later' : 'settled.paid_on'), value: day })
  }
  facts.push(
    { id: 'method', name: t('payment.method'), value: methodName(payment) },
    { id: 'reference', name: t('payment.reference'), value: groupInFours(subject.reference) },
  )
  if (outcome === 'received') {
    const left = formatMoney(subject.balanceMinor, subject.currency, language)
    facts.push({ id: 'left', name: t('invoice.balance'), value: left })
  }
  return facts
}

type ActionsProps = { debtKey: DebtKey; subject: Subject; outcome: Outcome; isUnreachable: boolean }

function Actions({ debtKey, subject, outcome, isUnreachable }: ActionsProps) {
  const goBack = () => goTo(debtHash(debtKey), { replace: outcome === 'failed' })
  const back = debtKey.claimNumber === undefined ? 'payment.return_to_invoice' : 'claim.return'
  return (
    <div className={`${css.block} ${css.actions}`}>
      <Button
        wide
        look={outcome === 'waiting' || outcome === 'unsure' ? 'secondary' : 'primary'}
        onClick={goBack}
      >
        {t(outcome === 'failed' ? 'login.retry' : back)}
      </Button>
      {outcome === 'received' && subject.receiptOf && (
        <ReceiptButton invoiceKey={debtKey} invoiceNumber={subject.receiptOf} look="secondary" />
      )}
      {(outcome === 'failed' || outcome === 'unsure') && (
        <p className={css.stopped}>
          <AnswerLink article={outcome === 'failed' ? 'ways-to-pay' : 'already-paid'} />
        </p>
      )}
      {outcome === 'waiting' && !isUnreachable && (
        <p className={css.stopped}>
          {t('confirmation.stopped')} <a href={debtHash(debtKey)}>{t('confirmation.other_way')}</a>
        </p>
      )}
    </div>
  )
}
