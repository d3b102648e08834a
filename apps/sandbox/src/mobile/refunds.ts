import type { Clock } from '../clock.ts'
import type { Faults } from '../faults.ts'
import { amountText } from '../html.ts'
import type { Journal } from '../journal.ts'
import type { News, Notifications } from '../notifications.ts'
import type { Refund } from './mobile-order.ts'
import { misreport } from './phone.ts'

const ENDED_AFTER_MS = 1_000

/** Money that goes back: made at once, paid or failed a second later, and the merchant is told. */
export interface Refunds {
  create(refund: Omit<Refund, 'status' | 'createdAtMs' | 'endsInError'>): void
  find(id: string): Refund | undefined
  /** Every refund there ever was. */
  all(): Refund[]
  /** Those of one payment that have not failed. */
  of(paymentReference: string): Refund[]
  passTime(): void
  /** The refund as the API shows it, also to the callback. */
  describe(refund: Refund): object
  replay(refund: Refund): void
}

export interface RefundParts {
  journal: Pick<Journal, 'append'>
  faults: Pick<Faults, 'consume'>
  notifications: Pick<Notifications, 'noticeOf' | 'queue' | 'deliverDue'>
  clock: Clock
  report(text: string): void
}

export function openRefunds({ journal, faults, notifications, clock, report }: RefundParts): Refunds {
  const refunds = new Map<string, Refund>()

  /** Refund and notice go to disk in one write: a kill leaves both or neither. */
  function end(refund: Refund, end: Pick<Refund, 'status' | 'errorCode'>) {
    const ended = { ...refund, ...end, ...misreport(refund, faults) }
    const notice = notifications.noticeOf(() => newsOf(ended))
    journal.append(
      { type: 'mobileRefund', refund: ended },
      ...(notice ? [{ type: 'notice', target: 'mobile', notice }] : []),
    )
    refunds.set(ended.id, ended)
    report(`Swish refund ${ended.status === 'PAID' ? 'paid' : `failed, ${ended.errorCode}`}: ${sumOf(ended)}`)
    if (notice) notifications.queue(notice)
    notifications.deliverDue()
  }

  return {
    create(refund) {
      const made: Refund = {
        ...refund,
        status: 'CREATED',
        createdAtMs: clock.now(),
        ...(faults.consume('expire') ? { endsInError: 'TM01' } : {}),
      }
      journal.append({ type: 'mobileRefund', refund: made })
      refunds.set(made.id, made)
      report(`Swish refund of ${sumOf(made)}`)
    },
    find: (id) => refunds.get(id),
    all: () => [...refunds.values()],
    of: (reference) =>
      [...refunds.values()].filter(
        ({ originalPaymentReference: original, status }) => original === reference && status !== 'ERROR',
      ),
    passTime() {
      for (const refund of refunds.values()) {
        if (refund.status !== 'CREATED' || clock.now() < refund.createdAtMs + ENDED_AFTER_MS) continue
        end(
          refund,
          refund.endsInError ? { status: 'ERROR', errorCode: refund.endsInError } : { status: 'PAID' },
        )
      }
    },
    describe: describeRefund,
    replay: (refund) => void refunds.set(refund.id, refund),
  }
}

const sumOf = ({ amount, currency }: Refund) => `${amountText(amount)} ${currency}`

function newsOf(refund: Refund): News {
  const { id, callbackUrl, status } = refund
  return { orderId: id, uri: callbackUrl, status, headers: {}, body: describeRefund(refund) }
}

function describeRefund(refund: Refund): object {
  const { endsInError: _, misreported, createdAtMs, amount, errorCode, ...shown } = refund
  return {
    ...shown,
    ...misreported,
    amount: Number(misreported?.amount ?? amount),
    dateCreated: new Date(createdAtMs).toISOString(),
    errorCode: errorCode ?? null,
  }
}
