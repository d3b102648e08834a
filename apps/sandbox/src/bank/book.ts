import { randomUUID } from 'node:crypto'
import { amountText } from '../html.ts'
import type { Journal } from '../journal.ts'
import type { News, Notifications } from '../notifications.ts'
import { canBecome, isFinal, referenceOf, stateOf, twoDecimals } from './payment.ts'
import type { Payment, PaymentState, TransactionStatus } from './payment.ts'

/** The payments and their changes, each on disk before anybody can see it. */
export interface Book {
  add(payment: Payment): void
  find(paymentId: string): Payment | undefined
  findByToken(token: string): Payment | undefined
  /** Newest first. */
  payments(): Payment[]
  /** Those that may still change, oldest first. */
  openPayments(): Payment[]
  /** Changes what is not the status. */
  change(paymentId: string, change: Partial<Omit<Payment, 'status'>>): void
  /** False when the payment may not go there from where it is. Tells the client of the change. */
  changeStatus(paymentId: string, status: TransactionStatus, change?: Partial<Payment>): boolean
  replayPayment(payment: Payment): void
  replayChange(paymentId: string, change: Partial<Payment>): void
}

export function openBook(
  journal: Pick<Journal, 'append'>,
  notifications: Pick<Notifications, 'noticeOf' | 'queue' | 'deliverDue'>,
  report: (text: string) => void,
): Book {
  const payments = new Map<string, Payment>()
  const idsByToken = new Map<string, string>()
  const openIds = new Set<string>()

  function keep(payment: Payment) {
    payments.set(payment.paymentId, payment)
    idsByToken.set(payment.token, payment.paymentId)
    if (isFinal(payment.status)) openIds.delete(payment.paymentId)
    else openIds.add(payment.paymentId)
  }

  function replayChange(paymentId: string, change: Partial<Payment>) {
    const payment = payments.get(paymentId)
    if (payment) keep({ ...payment, ...change })
  }

  return {
    add(payment) {
      journal.append({ type: 'payment', payment })
      keep(payment)
      report(describe(payment))
    },
    find: (paymentId) => payments.get(paymentId),
    findByToken: (token) => payments.get(idsByToken.get(token) ?? ''),
    payments: () => [...payments.values()].reverse(),
    openPayments: () => [...openIds].flatMap((id) => payments.get(id) ?? []),
    change(paymentId, change) {
      journal.append({ type: 'change', paymentId, change })
      replayChange(paymentId, change)
    },
    changeStatus(paymentId, status, change = {}) {
      const payment = payments.get(paymentId)
      if (payment === undefined || !canBecome(payment.status, status)) return false
      const changed = { ...payment, ...change, status }
      const uri = changed.notificationUri
      const notice = uri === undefined ? undefined : notifications.noticeOf((id) => newsOf(changed, uri, id))
      // Status and notice go to disk in one write: a kill leaves both or neither.
      const entry = { type: 'change', paymentId, change: { ...change, status } }
      journal.append(entry, ...(notice ? [{ type: 'notice', target: 'bank', notice }] : []))
      keep(changed)
      report(describe(changed))
      if (notice) notifications.queue(notice)
      notifications.deliverDue()
      return true
    },
    replayPayment: keep,
    replayChange,
  }
}

function newsOf({ paymentId, status }: Payment, uri: string, eventId: string): News {
  return {
    orderId: paymentId,
    uri,
    status,
    headers: { 'x-request-id': randomUUID() },
    body: { paymentId, transactionStatus: status, eventId },
  }
}

const HAPPENED: Record<PaymentState, string> = {
  waiting: 'Created',
  signed: 'Signed',
  'due-date': 'Signed for its day',
  held: 'Signed and held',
  executed: 'Executed',
  rejected: 'Rejected by the bank',
  declined: 'Declined',
  expired: 'Expired',
  cancelled: 'Taken back by the client',
}

function describe(payment: Payment): string {
  const { amount, currency } = payment.instructedAmount
  return `${HAPPENED[stateOf(payment)]}: ${referenceOf(payment)}, ${amountText(twoDecimals(amount))} ${currency}`
}
