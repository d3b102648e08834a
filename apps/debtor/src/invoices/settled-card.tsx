import type { InvoiceAnswer } from '@kvitt/domain/invoices/invoice.contract.ts'
import { INSTALMENT_TYPES } from '@kvitt/domain/part-payments/part-payment.ts'
import type { PaymentAnswer } from '@kvitt/domain/payments/payment.contract.ts'
import { isReceived } from '@kvitt/domain/payments/payment.ts'
import { groupInFours } from '@kvitt/domain/references.ts'
import { FactList, type Fact } from '@kvitt/ui/values/fact-list.tsx'
import { Icon } from '@kvitt/ui/components/icon.tsx'
import { Skeleton } from '@kvitt/ui/feedback/skeleton.tsx'
import { formatDay } from '@kvitt/ui/date-text.ts'
import { currentLanguage } from '@kvitt/ui/language/speak.ts'
import { minorOf } from '@kvitt/ui/minor-of.ts'
import { formatMoney } from '@kvitt/ui/money-text.ts'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { financialEventsQuery } from '../debts/part-calls.ts'
import { methodName } from '../debts/method-name.ts'
import type { InvoiceKey } from '../session.ts'
import { t } from '../text.ts'
import { wasPaid } from './invoice-tags.tsx'
import css from './settled-card.module.css'

type PaidProps = { invoiceKey: InvoiceKey; invoice: InvoiceAnswer; payments: readonly PaymentAnswer[] }

/** For a part of another debt; they are stopped when what they asked for goes back to it. */
const PARTS = Object.values(INSTALMENT_TYPES)

/** Takes the place of the payment area when nothing can or need be paid. */
export default function SettledCard(props: PaidProps & { receipt: ReactNode }) {
  const { invoiceKey, invoice, payments, receipt } = props
  const isPaid = wasPaid(invoice)
  return (
    <div className={css.card}>
      <div className={css.head}>
        <span className={css.sign} data-paid={isPaid || undefined}>
          <Icon name="check" size={20} />
        </span>
        <h2 id="payment-heading" tabIndex={-1}>
          {t(isPaid ? 'settled.paid' : 'settled.stopped')}
        </h2>
      </div>
      {invoice.statuses.main === 'STOPPED' && PARTS.includes(invoice.type) && (
        <p>{t('settled.plan_ended')}</p>
      )}
      {isPaid && <PaidFacts invoiceKey={invoiceKey} invoice={invoice} payments={payments} />}
      {receipt}
    </div>
  )
}

function PaidFacts({ invoiceKey, invoice, payments }: PaidProps) {
  const events = useQuery(financialEventsQuery(invoiceKey))
  if (events.isPending) return <Skeleton height={15.25} />
  const language = currentLanguage()
  const money = (minor: number) => formatMoney(minor, invoice.currency.invoiceCurrency, language)
  const paid = events.data?.filter((event) => event.type === 'PAYMENT') ?? []
  const paidMinor = paid.reduce((sum, event) => sum + Math.abs(minorOf(event.amounts.total)), 0)
  const lastDay = paid.at(-1)?.date
  const facts: Fact[] = [
    { id: 'amount', name: t('invoice.amount'), value: money(minorOf(invoice.totals.totalToPay)) },
  ]
  if (paidMinor > 0) facts.push({ id: 'paid', name: t('settled.paid_amount'), value: money(paidMinor) })
  if (lastDay) facts.push({ id: 'day', name: t('settled.paid_on'), value: formatDay(lastDay) })
  const completed = payments.find(isReceived)
  if (completed) facts.push({ id: 'method', name: t('payment.method'), value: methodName(completed) })
  facts.push({ id: 'reference', name: t('payment.reference'), value: groupInFours(invoice.paymentReference) })
  return <FactList facts={facts} />
}
