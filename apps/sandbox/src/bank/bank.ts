import { randomBytes, randomUUID } from 'node:crypto'
import type { Clock } from '../clock.ts'
import type { Faults } from '../faults.ts'
import { amountText } from '../html.ts'
import type { Journal } from '../journal.ts'
import type { Notifications } from './notifications.ts'
import { canBecome, isFinal, referenceOf, stateOf, twoDecimals } from './payment.ts'
import type { Amount, Initiation, Payment, PaymentState, TransactionStatus } from './payment.ts'

/** The link to sign a payment lives this long. */
export const LINK_LIFE_MS = 30 * 60_000
/** A payment signed for today is executed by itself after this. */
export const EXECUTION_DELAY_MS = 3_000

/** The bank's book of payments. Acts that are not allowed in the payment's status answer false. */
export interface Bank {
  initiate(initiation: Initiation): Payment
  find(paymentId: string): Payment | undefined
  findByToken(token: string): Payment | undefined
  /** Newest first. */
  payments(): Payment[]
  /** The payer looks at the signing page. */
  open(paymentId: string): void
  sign(paymentId: string, hold: boolean): Promise<boolean>
  decline(paymentId: string): boolean
  /** The client takes the payment back; true also when it had done so before. */
  cancel(paymentId: string): boolean
  /** Executes signed payments dated `day` or earlier; held ones only when asked to. */
  settle(day: string, includeHeld: boolean): Payment[]
  /** Lets expired links die and executes what is due by itself. */
  passTime(): Promise<void>
  replayPayment(payment: Payment): void
  replayChange(paymentId: string, change: Partial<Payment>): void
}

export interface BankParts {
  journal: Pick<Journal, 'append'>
  faults: Pick<Faults, 'consume'>
  notifications: Notifications
  clock: Clock
  /** The product's business day, `YYYY-MM-DD`. */
  today(): Promise<string>
  report(text: string): void
}

export function openBank({ journal, faults, notifications, clock, today, report }: BankParts): Bank {
  const payments = new Map<string, Payment>()
  const idsByToken = new Map<string, string>()
  const openIds = new Set<string>()

  function keep(payment: Payment) {
    payments.set(payment.paymentId, payment)
    idsByToken.set(payment.token, payment.paymentId)
    if (isFinal(payment.status)) openIds.delete(payment.paymentId)
    else openIds.add(payment.paymentId)
  }

  /** Status and notice go to disk in one write: a kill leaves both or neither. */
  function changeStatus(payment: Payment, status: TransactionStatus, change: Partial<Payment> = {}): boolean {
    if (!canBecome(payment.status, status)) return false
    const changed = { ...payment, ...change, status }
    const notice = notifications.noticeOf(changed)
    const entry = { type: 'change', paymentId: payment.paymentId, change: { ...change, status } }
    journal.append(entry, ...(notice ? [{ type: 'notice', notice }] : []))
    keep(changed)
    report(describe(changed))
    if (notice) notifications.queue(notice)
    notifications.deliverDue()
    return true
  }

  const openPayments = () => [...openIds].flatMap((id) => payments.get(id) ?? [])

  function execute(payment: Payment): boolean {
    return changeStatus(payment, 'ACSC')
  }

  return {
    initiate(initiation) {
      const nowMs = clock.now()
      const payment: Payment = {
        ...initiation,
        paymentId: randomUUID(),
        authorisationId: randomUUID(),
        token: randomBytes(24).toString('base64url'),
        createdAtMs: nowMs,
        expiresAtMs: faults.consume('expire') ? nowMs : nowMs + LINK_LIFE_MS,
        status: 'RCVD',
        scaStatus: 'received',
        held: false,
      }
      journal.append({ type: 'payment', payment })
      keep(payment)
      report(describe(payment))
      return payment
    },
    find: (paymentId) => payments.get(paymentId),
    findByToken: (token) => payments.get(idsByToken.get(token) ?? ''),
    payments: () => [...payments.values()].reverse(),
    open(paymentId) {
      const payment = payments.get(paymentId)
      if (payment?.scaStatus !== 'received') return
      journal.append({ type: 'change', paymentId, change: { scaStatus: 'started' } })
      keep({ ...payment, scaStatus: 'started' })
    },
    async sign(paymentId, hold) {
      const day = await today()
      const payment = payments.get(paymentId)
      if (payment?.status !== 'RCVD' || clock.now() >= payment.expiresAtMs) return false
      const isLater = (payment.requestedExecutionDate ?? day) > day
      return changeStatus(payment, isLater || hold ? 'ACCP' : 'ACSP', {
        scaStatus: 'finalised',
        held: hold,
        futureDated: isLater,
        executionDate: isLater ? (payment.requestedExecutionDate ?? day) : day,
        ...(isLater || hold ? {} : { executesAtMs: clock.now() + EXECUTION_DELAY_MS }),
        ...misreport(payment.instructedAmount, faults),
      })
    },
    decline(paymentId) {
      const payment = payments.get(paymentId)
      if (payment?.status !== 'RCVD') return false
      return changeStatus(payment, 'RJCT', { scaStatus: 'failed', ending: 'declined' })
    },
    cancel(paymentId) {
      const payment = payments.get(paymentId)
      if (payment === undefined) return false
      if (payment.status === 'CANC') return true
      if (payment.status !== 'RCVD' && payment.futureDated !== true) return false
      const scaStatus = payment.status === 'RCVD' ? 'failed' : payment.scaStatus
      return changeStatus(payment, 'CANC', { scaStatus, ending: 'cancelled' })
    },
    settle(day, includeHeld) {
      const due = openPayments().filter(
        (payment) => (payment.executionDate ?? '9999') <= day && (includeHeld || !payment.held),
      )
      return due.filter(execute)
    },
    async passTime() {
      const nowMs = clock.now()
      for (const payment of openPayments()) {
        if (payment.status === 'RCVD' && nowMs >= payment.expiresAtMs) {
          changeStatus(payment, 'RJCT', { scaStatus: 'failed', ending: 'expired' })
        }
        if (payment.status === 'ACSP' && nowMs >= (payment.executesAtMs ?? nowMs)) execute(payment)
      }
      const waitsForItsDay = (payment: Payment) => payment.status === 'ACCP' && !payment.held
      if (!openPayments().some(waitsForItsDay)) return
      const day = await today()
      for (const payment of openPayments().filter(waitsForItsDay)) {
        if ((payment.executionDate ?? '9999') <= day) execute(payment)
      }
    },
    replayPayment: keep,
    replayChange(paymentId, change) {
      const payment = payments.get(paymentId)
      if (payment) keep({ ...payment, ...change })
    },
  }
}

const HAPPENED: Record<PaymentState, string> = {
  waiting: 'Created',
  signed: 'Signed',
  'due-date': 'Signed for its day',
  held: 'Signed and held',
  executed: 'Executed',
  declined: 'Declined',
  expired: 'Expired',
  cancelled: 'Taken back by the client',
}

function describe(payment: Payment): string {
  const { amount, currency } = payment.instructedAmount
  return `${HAPPENED[stateOf(payment)]}: ${referenceOf(payment)}, ${amountText(twoDecimals(amount))} ${currency}`
}

function misreport(real: Amount, faults: Pick<Faults, 'consume'>): { misreported?: Partial<Amount> } {
  const misreported: Partial<Amount> = {}
  if (faults.consume('wrong-amount')) misreported.amount = oneMore(real.amount)
  if (faults.consume('wrong-currency')) misreported.currency = real.currency === 'EUR' ? 'SEK' : 'EUR'
  return Object.keys(misreported).length > 0 ? { misreported } : {}
}

function oneMore(amount: string): string {
  const [whole = '0', decimals] = amount.split('.')
  return `${BigInt(whole) + 1n}${decimals === undefined ? '' : `.${decimals}`}`
}
