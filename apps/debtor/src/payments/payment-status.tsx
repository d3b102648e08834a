import type { PaymentAnswer } from '@kvitt/domain/payments/payment.contract.ts'
import { isReceived, showsPaymentStatus } from '@kvitt/domain/payments/payment.ts'
import { Button } from '@kvitt/ui/components/button.tsx'
import { Icon, type IconName } from '@kvitt/ui/components/icon.tsx'
import { formatDay } from '@kvitt/ui/date-text.ts'
import { currentLanguage } from '@kvitt/ui/language/speak.ts'
import { minorOf } from '@kvitt/ui/minor-of.ts'
import { formatMoney } from '@kvitt/ui/money-text.ts'
import { t, type MessageId } from '../text.ts'
import css from './payment-status.module.css'

type Chip = { readonly title: MessageId; readonly icon: IconName; readonly tone: 'ok' | 'info' }

const sumOf = (payments: readonly PaymentAnswer[]): number =>
  payments.reduce((sum, { amount }) => sum + minorOf(amount), 0)

const underWay = (payments: readonly PaymentAnswer[]): PaymentAnswer[] =>
  payments.filter(({ status }) => status === 'AUTHORIZED')

/**
 * The chip of specification section 4: completed at balance 0, pending when what is authorised equals the
 * balance (summed, A-12), otherwise by the option that was chosen. Only what has come is called paid, and
 * as long as something is left only a part of it is.
 */
export function chipOf(balanceMinor: number, payments: readonly PaymentAnswer[]): Chip {
  const authorised = underWay(payments)
  if (balanceMinor === 0) return { title: 'payment.status_completed', icon: 'check', tone: 'ok' }
  // Without any, somebody else says that one waits for its authorisation.
  if (payments.length === 0 || sumOf(authorised) === balanceMinor)
    return { title: 'payment.status_pending', icon: 'clock', tone: 'info' }
  const [first] = authorised
  if (!first) return { title: 'payment.status_part', icon: 'check', tone: 'ok' }
  return first.paymentOption === 'due-date'
    ? { title: 'payment.status_due_date', icon: 'calendar-tick', tone: 'ok' }
    : { title: 'payment.status_pay_now', icon: 'clock', tone: 'info' }
}

/** What nobody has paid or approved yet, in minor units. */
export function uncoveredOf(balanceMinor: number, payments: readonly PaymentAnswer[]): number {
  return Math.max(0, balanceMinor - sumOf(underWay(payments)))
}

const UNSURE: Chip = { title: 'payment.unsure', icon: 'clock', tone: 'info' }

type StatusProps = {
  balanceMinor: number
  currency: string
  payments: readonly PaymentAnswer[]
  /** Given when nothing is on its way any more but something is still owed. */
  onPayRest: (() => void) | undefined
}

/** What has been signed and what will happen, in the place of the payment methods. */
export default function PaymentStatusCard({ balanceMinor, currency, payments, onPayRest }: StatusProps) {
  const isUnsure = payments.some((p) => p.outcomeUnknown && !isReceived(p))
  const signed = payments.filter((p) => showsPaymentStatus([p]))
  const chip = isUnsure ? UNSURE : chipOf(balanceMinor, signed)
  const uncovered = uncoveredOf(balanceMinor, signed)
  const left = { amount: formatMoney(uncovered, currency, currentLanguage()) }
  return (
    <div className={css.card}>
      <span className={css.sign} data-tone={chip.tone}>
        <Icon name={chip.icon} size={20} />
      </span>
      <div className={css.text}>
        <h2 id="payment-heading" className={css.title} tabIndex={-1}>
          {t(chip.title)}
        </h2>
        {signed.map((payment) => (
          <p key={payment.id}>{sentenceOf(payment)}</p>
        ))}
        {!onPayRest && !isUnsure && (
          <p>
            {uncovered > 0 && signed.length > 0 ? t('status.left_then', left) : t('status.nothing_to_do')}
          </p>
        )}
        {onPayRest && (
          <>
            <p>{t('status.left', left)}</p>
            <Button wide onClick={onPayRest}>
              {t('status.pay_rest')}
            </Button>
          </>
        )}
      </div>
    </div>
  )
}

function sentenceOf(payment: PaymentAnswer): string {
  const language = currentLanguage()
  const money = (amount: number): string => formatMoney(minorOf(amount), payment.currency, language)
  const amount = money(payment.amount)
  const day = formatDay(payment.paymentDate)
  if (isReceived(payment)) return t('status.received', { amount: money(payment.receivedAmount), day })
  if (payment.outcomeUnknown) return t('payment.unsure_text')
  return payment.paymentOption === 'due-date'
    ? t('status.taken_on', { amount, day })
    : t('status.approved', { amount })
}
