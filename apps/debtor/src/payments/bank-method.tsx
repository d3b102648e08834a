import { date } from '@kvitt/domain/calendar.ts'
import { canPayOnDueDate } from '@kvitt/domain/invoices/invoice.ts'
import type { PaymentOption } from '@kvitt/domain/payments/payment.ts'
import { Icon } from '@kvitt/ui/components/icon.tsx'
import { formatDay } from '@kvitt/ui/date-text.ts'
import { currentLanguage } from '@kvitt/ui/language/speak.ts'
import { formatMoney } from '@kvitt/ui/money-text.ts'
import { useState } from 'react'
import { t } from '../text.ts'
import css from './bank-method.module.css'
import type { Debt } from '../debts/debt.ts'
import { PayButton } from './pay-button.tsx'
import methodCss from './payment-methods.module.css'
import { openPayment } from './start-payment.ts'

export type MethodProps = { debt: Debt; onOutdated: (why: string) => void }

/** Pay now or on the due date, when that lies ahead; the due date is then the one preselected. */
export function BankMethod({ debt, onOutdated }: MethodProps) {
  const { key, balanceMinor, currency, expireDate, today } = debt
  const hasChoice = canPayOnDueDate(date(expireDate), date(today))
  const [wished, setWished] = useState<PaymentOption>('due-date')
  const option = hasChoice ? wished : 'pay-now'
  const language = currentLanguage()
  const amount = formatMoney(balanceMinor, currency, language)
  const todayText = formatDay(today)
  const open = async () => {
    sessionStorage.setItem('payment_option', option)
    const paymentDate = option === 'pay-now' ? today : expireDate
    location.assign(
      await openPayment({ key, provider: 'DIRECT_BANK', option, paymentDate, amountMinor: balanceMinor }),
    )
    return true
  }
  return (
    <>
      {hasChoice ? (
        <fieldset className={css.options}>
          <legend className="spoken">{t('pay.when')}</legend>
          <OptionRow
            option="due-date"
            chosen={option}
            onChoose={setWished}
            day={formatDay(expireDate, 'weekday')}
          />
          <OptionRow
            option="pay-now"
            chosen={option}
            onChoose={setWished}
            day={t('pay.today', { day: todayText })}
          />
        </fieldset>
      ) : (
        <p>{t('pay.you_pay_today', { day: todayText })}</p>
      )}
      <PayButton open={open} downText="pay.bank_down" onOutdated={onOutdated}>
        {option === 'pay-now'
          ? t('pay.button_now', { amount })
          : t('pay.button_on', { amount, day: formatDay(expireDate, 'dayMonth') })}
      </PayButton>
      <p className={css.note}>
        <Icon name="outside" size={16} />
        {t('pay.note')}
      </p>
    </>
  )
}

type OptionRowProps = {
  option: PaymentOption
  chosen: PaymentOption
  onChoose: (option: PaymentOption) => void
  day: string
}

function OptionRow({ option, chosen, onChoose, day }: OptionRowProps) {
  return (
    <label className={css.option}>
      <input
        type="radio"
        className={`${methodCss.radio} ${css.small}`}
        name="payment-option"
        value={option}
        checked={option === chosen}
        onChange={() => onChoose(option)}
      />
      <span>
        <span className={css.title}>
          {t(option === 'pay-now' ? 'payment.pay_now' : 'payment.pay_on_due_date')}
        </span>{' '}
        <span className={css.day}>{day}</span>
      </span>
    </label>
  )
}
