import type { PaymentAnswer } from '@kvitt/domain/payments/payment.contract.ts'
import { MessageBox } from '@kvitt/ui/feedback/message-box.tsx'
import { currentLanguage } from '@kvitt/ui/language/speak.ts'
import { minorOf } from '@kvitt/ui/minor-of.ts'
import { formatMoney } from '@kvitt/ui/money-text.ts'
import { t } from '../text.ts'

/** Why what had been paid is owed again. */
export default function ReturnedPayment({ payment }: { payment: PaymentAnswer }) {
  const amount = formatMoney(minorOf(payment.amount), payment.currency, currentLanguage())
  return (
    <MessageBox tone="info" heading={t('payment.returned')}>
      <p>{t(payment.moved ? 'payment.moved_text' : 'payment.returned_text', { amount })}</p>
    </MessageBox>
  )
}
