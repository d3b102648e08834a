import type { InvoiceAnswer } from '@kvitt/domain/invoices/invoice.contract.ts'
import { isClosed } from '@kvitt/domain/invoices/invoice.ts'
import { Tag } from '@kvitt/ui/components/tag.tsx'
import { minorOf } from '@kvitt/ui/money-text.ts'
import { DueTag } from '../shell/due-tag.tsx'
import { PlanTag } from '../shell/plan-tag.tsx'
import { t } from '../text.ts'
import css from './invoice-tags.module.css'

/** The one tag of a list's row: what holds the invoice, else how it stands with its due date. */
export function InvoiceTag({ invoice }: { invoice: InvoiceAnswer }) {
  const status = invoice.statuses.main
  if (isClosed(status)) {
    const isPaid = minorOf(invoice.balances.total) === 0 && status === 'CLOSED'
    return (
      <Tag tone={isPaid ? 'ok' : 'neutral'} icon="tick">
        {t(isPaid ? 'tag.paid' : 'status.closed')}
      </Tag>
    )
  }
  if (status === 'DISPUTED') {
    return (
      <Tag tone="info" icon="flag">
        {t('tag.disputed')}
      </Tag>
    )
  }
  if (status === 'PAUSED') {
    return (
      <Tag tone="info" icon="pause">
        {t('status.paused')}
      </Tag>
    )
  }
  if (invoice.isPartPayment && invoice.partPaymentVariant) {
    return <PlanTag variant={invoice.partPaymentVariant} />
  }
  return <DueTag expireDate={invoice.dates.expireDate} today={invoice.dates.today} />
}

/** Behind a plan: what it does not owe itself is billed in parts, and not paid. */
export const runsInPlan = ({ isPartPayment, statuses }: InvoiceAnswer): boolean =>
  isPartPayment && !isClosed(statuses.main)

/** The tags of an invoice (specification section 2); one inside a claim is never called paid (D-29). */
export function InvoiceTags({ invoice }: { invoice: InvoiceAnswer }) {
  const status = invoice.statuses.main
  const isSettled = minorOf(invoice.balances.total) === 0 && !runsInPlan(invoice)
  const inClaim = invoice.collectionBatchNumber !== null
  return (
    <p className={css.tags}>
      {inClaim && (
        <Tag tone="info" icon="document">
          {t('tag.in_claim')}
        </Tag>
      )}
      {status === 'PENDING_AUTHORIZATION' && (
        <Tag tone="info" icon="clock">
          {t('tag.pending')}
        </Tag>
      )}
      {isSettled && !inClaim && (
        <Tag tone="ok" icon="tick">
          {t('tag.paid')}
        </Tag>
      )}
      {!isSettled && isClosed(status) && (
        <Tag tone="neutral" icon="tick">
          {t('status.closed')}
        </Tag>
      )}
      {!isSettled && !isClosed(status) && !invoice.isPartPayment && (
        <DueTag expireDate={invoice.dates.expireDate} today={invoice.dates.today} />
      )}
      {status === 'DISPUTED' && (
        <Tag tone="info" icon="flag">
          {t('tag.disputed')}
        </Tag>
      )}
      {status === 'PAUSED' && (
        <Tag tone="info" icon="pause">
          {t('status.paused')}
        </Tag>
      )}
      {invoice.partPaymentVariant && <PlanTag variant={invoice.partPaymentVariant} />}
    </p>
  )
}
