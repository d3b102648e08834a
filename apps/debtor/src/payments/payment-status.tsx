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

/**
 * The chip of specification section 4: completed at balance 0, pending when what is authorised equals the
 * balance (summed, A-12), otherwise by the option that was chosen.
 */
export function chipOf(balanceMinor: number, payments: readonly PaymentAnswer[]): Chip {
  const authorised = payments.filter((p) => p.status === 'AUTHORIZED')
  const authorisedMinor = authorised.reduce((sum, p) => sum + minorOf(p.amount), 0)
  if (balanceMinor === 0) return { title: 'payment.status_completed', icon: 'check', tone: 'ok' }
  if (authorisedMinor === balanceMinor)
    return { title: 'payment.status_pending', icon: 'clock', tone: 'info' }
  const option = (authorised[0] ?? payments[0])?.paymentOption
  return option === 'due-date'
    ? { title: 'payment.status_due_date', icon: 'calendar-tick', tone: 'ok' }
    : { title: 'payment.status_pay_now', icon: 'check', tone: 'ok' }
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
        {!onPayRest && !isUnsure && <p>{t('status.nothing_to_do')}</p>}
        {onPayRest && (
          <>
            <p>{t('status.left', { amount: formatMoney(balanceMinor, currency, currentLanguage()) })}</p>
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
  const amount = formatMoney(minorOf(payment.amount), payment.currency, language)
  const day = formatDay(payment.paymentDate)
  if (isReceived(payment)) return t('status.received', { amount, day })
  if (payment.outcomeUnknown) return t('payment.unsure_text')
  return payment.paymentOption === 'due-date'
    ? t('status.taken_on', { amount, day })
    : t('status.approved', { amount })
}
