import type { Clock } from '../clock.ts'
import { amountText } from '../html.ts'
import type { Journal } from '../journal.ts'
import type { Refund } from './mobile-order.ts'

const PAID_AFTER_MS = 1_000

/** Money that goes back: made at once, paid a second later. */
export interface Refunds {
  create(refund: Omit<Refund, 'status' | 'createdAtMs'>): void
  find(id: string): Refund | undefined
  /** Those of one payment. */
  of(paymentReference: string): Refund[]
  passTime(): void
  replay(refund: Refund): void
}

export function openRefunds(
  journal: Pick<Journal, 'append'>,
  clock: Clock,
  report: (text: string) => void,
): Refunds {
  const refunds = new Map<string, Refund>()
  const keep = (refund: Refund) => {
    journal.append({ type: 'mobileRefund', refund })
    refunds.set(refund.id, refund)
  }
  return {
    create(refund) {
      keep({ ...refund, status: 'CREATED', createdAtMs: clock.now() })
      report(`Swish refund of ${amountText(refund.amount)} ${refund.currency}`)
    },
    find: (id) => refunds.get(id),
    of: (reference) => [...refunds.values()].filter((one) => one.originalPaymentReference === reference),
    passTime() {
      for (const refund of refunds.values()) {
        const isDue = refund.status === 'CREATED' && clock.now() >= refund.createdAtMs + PAID_AFTER_MS
        if (isDue) keep({ ...refund, status: 'PAID' })
      }
    },
    replay: (refund) => void refunds.set(refund.id, refund),
  }
}
