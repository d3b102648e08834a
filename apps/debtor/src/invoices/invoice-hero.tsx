import type { InvoiceAnswer } from '@kvitt/domain/invoices/invoice.contract.ts'
import { isClosed, isOpen } from '@kvitt/domain/invoices/invoice.ts'
import { Amount } from '@kvitt/ui/values/amount.tsx'
import { Button } from '@kvitt/ui/components/button.tsx'
import { currentLanguage } from '@kvitt/ui/language/speak.ts'
import { minorOf } from '@kvitt/ui/minor-of.ts'
import { formatMoney } from '@kvitt/ui/money-text.ts'
import type { ReactNode, RefObject } from 'react'
import { useInstance } from '../instance.ts'
import { CreditorPlate } from '../debts/creditor-plate.tsx'
import { t } from '../text.ts'
import { DueLine, PausedLine } from './due-line.tsx'
import css from './invoice-hero.module.css'
import { InvoiceTags, isSettled, wasPaid } from './invoice-tags.tsx'

type HeroProps = {
  invoice: InvoiceAnswer
  /** Stored file of the creditor's logo. */
  logo: string | null
  payRef: RefObject<HTMLDivElement | null>
  /** Undefined when there is nothing to choose; the button is then left out. */
  onPay: (() => void) | undefined
  actions: ReactNode
}

/** Who, how much, until when: the first thing on the page and the largest figure on it. */
export function InvoiceHero({ invoice, logo, payRef, onPay, actions }: HeroProps) {
  const instance = useInstance()
  const balanceMinor = minorOf(invoice.balances.total)
  const currency = invoice.currency.invoiceCurrency
  const owesNothing = isSettled(invoice)
  const isOver = owesNothing || isClosed(invoice.statuses.main)
  return (
    <div className={css.hero}>
      <InvoiceTags invoice={invoice} />
      <div className={css.who}>
        <CreditorPlate name={invoice.clientName} logo={logo} />
        <div>
          <h1 className={css.number} tabIndex={-1}>
            {t('invoice.heading', { number: invoice.invoiceNumber })}
          </h1>
          <p className={css.creditor}>{invoice.clientName}</p>
        </div>
      </div>
      <div>
        <p className={css.label}>
          {t(isOver && balanceMinor > 0 ? 'invoice.closed_amount' : 'invoice.total_due')}
        </p>
        <p className={css.figure}>
          <Amount
            minor={balanceMinor}
            currency={currency}
            rule={owesNothing ? 'ok' : isOver ? 'waiting' : 'brand'}
          />
        </p>
      </div>
      {isOver ? (
        <Over invoice={invoice} />
      ) : (
        <>
          {/* What is paid in parts has a due date for each of them. */}
          {!invoice.isPartPayment && (
            <DueLine expireDate={invoice.dates.expireDate} today={invoice.dates.today} />
          )}
          <PausedLine status={invoice.statuses.main} disputed="invoice.disputed_paused" />
        </>
      )}
      {onPay && (
        <div className={css.pay} ref={payRef}>
          <Button wide iconAfter="arrow-down" onClick={onPay}>
            {t('payment.pay_amount', { amount: formatMoney(balanceMinor, currency, currentLanguage()) })}
          </Button>
        </div>
      )}
      {!isOver && instance && (
        <p className={css.sentence}>
          {t('invoice.who_is_who', {
            // A name that ends in a full stop would end the sentence twice.
            client: invoice.clientName.replace(/\.$/, ''),
            provider: instance.shortName ?? instance.name,
          })}
        </p>
      )}
      <div className={css.actions}>{actions}</div>
    </div>
  )
}

/** The description of a closed invoice; one that nobody has paid gets no thanks. */
function Over({ invoice }: { invoice: InvoiceAnswer }) {
  const thanks = wasPaid(invoice) && invoice.collectionBatchNumber === null
  return (
    <p className={css.strong}>
      {thanks && (
        <>
          {t('payment.thank_you')}
          <br />
        </>
      )}
      {isOpen(invoice.statuses.main) ? null : t('invoice.is_closed')}
    </p>
  )
}
