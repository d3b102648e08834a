import type { InvoiceAnswer } from '@kvitt/domain/invoices/invoice.contract.ts'
import { isClosed } from '@kvitt/domain/invoices/invoice.ts'
import { minorOf } from '@kvitt/ui/minor-of.ts'
import { DueTag } from '../debts/due-tag.tsx'
import { PlanTag } from '../debts/plan-tag.tsx'
import { StateTag, type Look } from '../debts/state-tag.tsx'
import css from './invoice-tags.module.css'

const PAID: Look = ['ok', 'tick', 'tag.paid']
const CREDITED: Look = ['neutral', 'document', 'tag.credited']
const STOPPED: Look = ['neutral', 'close', 'status.stopped']
/** What holds an invoice. */
export const HELD: Readonly<Record<string, Look>> = {
  DISPUTED: ['info', 'flag', 'tag.disputed'],
  PAUSED: ['info', 'pause', 'status.paused'],
  PENDING_AUTHORIZATION: ['info', 'clock', 'tag.pending'],
}

/** How an invoice is over: by money, by a credit of all of it, or because nobody asks for it any more. */
export const endOf = ({ statuses, isCredited }: InvoiceAnswer): Look =>
  isCredited ? CREDITED : statuses.main === 'STOPPED' ? STOPPED : PAID

/** Of one that is over. */
export const wasPaid = (invoice: InvoiceAnswer): boolean => endOf(invoice) === PAID

/** Behind a plan: what it does not owe itself is billed in parts, and not paid. */
export const runsInPlan = ({ isPartPayment, statuses }: InvoiceAnswer): boolean =>
  isPartPayment && !isClosed(statuses.main)

/** Is there nothing to pay any more, now or in parts to come? */
export const isSettled = (invoice: InvoiceAnswer): boolean =>
  minorOf(invoice.balances.total) === 0 && !runsInPlan(invoice)

/** The tags of an invoice (specification section 2); one inside a claim is never called paid (D-29). */
export function InvoiceTags({ invoice }: { invoice: InvoiceAnswer }) {
  const { main: status } = invoice.statuses
  const isOver = isClosed(status) || isSettled(invoice)
  const inClaim = invoice.collectionBatchNumber !== null
  return (
    <p className={css.tags}>
      <StateTag look={HELD[status]} />
      {inClaim ? (
        <StateTag look={['info', 'document', 'tag.in_claim']} />
      ) : (
        isOver && <StateTag look={endOf(invoice)} />
      )}
      {!isOver && !invoice.isPartPayment && (
        <DueTag expireDate={invoice.dates.expireDate} today={invoice.dates.today} />
      )}
      {invoice.partPaymentVariant && <PlanTag variant={invoice.partPaymentVariant} />}
    </p>
  )
}
