import { ActDialog } from '@kvitt/office/form/act-dialog.tsx'
import { Bar } from '@kvitt/office/frame/bar.tsx'
import { useKeys } from '@kvitt/office/keys/keys.ts'
import { ListWaiting } from '@kvitt/office/list/list-states.tsx'
import { BlockFailed } from '@kvitt/office/parts/block-failed.tsx'
import { OfficeButton } from '@kvitt/office/parts/office-button.tsx'
import { hashOf } from '@kvitt/office/place.ts'
import { formatDay } from '@kvitt/ui/date-text.ts'
import { minorOf } from '@kvitt/ui/minor-of.ts'
import { goTo } from '@kvitt/ui/routes.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { gatewayName } from '../shell/gateway-name.ts'
import { Facts } from '../shell/facts.tsx'
import { Hero } from '../shell/hero.tsx'
import { useMe } from '../shell/me.ts'
import { isAdmin } from '../shell/portal.ts'
import { usePageName } from '../shell/use-page-name.ts'
import { t } from '../text.ts'
import { reloadInvoices } from '../invoices/invoice-calls.ts'
import { paymentQuery, reversePayment, type Payment } from './payment-calls.ts'
import { PaymentActs } from './payment-acts.tsx'
import { PaymentChip } from './payment-chip.tsx'

/** One payment: how much, on what, and the way that it took. */
export default function PaymentPage({ id }: { id: string }) {
  const found = useQuery(paymentQuery(id))
  usePageName(t('view.payments'))
  useKeys({ Escape: () => goTo(hashOf({ view: 'payments' })) })
  const payment = found.data
  const crumb = { href: hashOf({ view: 'payments' }), text: t('view.payments') }
  if (!payment) {
    return (
      <>
        <Bar title={t('payment.payment')} crumb={crumb} />
        {found.isError ? (
          <BlockFailed error={found.error} onRetry={() => void found.refetch()} />
        ) : (
          <ListWaiting />
        )}
      </>
    )
  }
  const { subject, debtor, way, gateway, bookedOn, valueOn } = payment
  const isInvoice = subject.type === 'invoices'
  return (
    <>
      <Bar title={t('payment.payment')} crumb={crumb} chip={<PaymentChip status={payment.status} />} />
      <Hero label={t('act.amount')} minor={minorOf(payment.amount)} currency={payment.currency}>
        <Facts
          rows={[
            {
              id: 'subject',
              name: t('payment.for'),
              value: (
                <a href={hashOf({ view: isInvoice ? 'invoices' : 'claims', id: subject.id })}>
                  {t(isInvoice ? 'dispute.of_invoice' : 'dispute.of_claim', { number: subject.number })}
                </a>
              ),
            },
            {
              id: 'debtor',
              name: t('invoice.debtor'),
              value: <a href={hashOf({ view: 'debtors', id: debtor.id })}>{debtor.name}</a>,
            },
            { id: 'reference', name: t('invoice.reference'), value: subject.paymentReference },
            {
              id: 'way',
              name: t('payment.way'),
              value: [t(`payment.way.${way}`), gateway && gatewayName(gateway)].filter(Boolean).join(', '),
            },
            { id: 'value', name: t('payment.value_on'), value: valueOn && formatDay(valueOn) },
            { id: 'booked', name: t('payment.booked_on'), value: bookedOn && formatDay(bookedOn) },
          ]}
        />
      </Hero>
      {isAdmin && <PaymentActs payment={payment} />}
      {way === 'DIRECT' && payment.status === 'COMPLETED' && <TakeBack payment={payment} />}
    </>
  )
}

/** What staff entered by mistake is taken back, with the reason why. */
function TakeBack({ payment: { id, subject, debtor } }: { payment: Payment }) {
  const { rights } = useMe()
  const [isOpen, setOpen] = useState(false)
  if (!rights.includes('direct_payment')) return null
  const named = { number: subject.number, name: debtor.name }
  const form = {
    title: t('payment.reverse.title'),
    consequence: t('payment.reverse.text', named),
    commit: t('payment.reverse.commit'),
    done: t('payment.reverse.done', named),
    fields: [
      { name: 'reason', type: 'text', look: 'area', label: t('act.reason'), mandatory: true },
    ] as const,
  }
  return (
    <>
      <OfficeButton onClick={() => setOpen(true)}>{t('payment.reverse')}</OfficeButton>
      {isOpen && (
        <ActDialog
          form={form}
          onCommit={({ reason = '' }, key) => reversePayment(id, reason, key)}
          onClose={() => setOpen(false)}
          onDone={() => {
            setOpen(false)
            void reloadInvoices()
          }}
        />
      )}
    </>
  )
}
