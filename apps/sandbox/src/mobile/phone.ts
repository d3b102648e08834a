import { randomBytes } from 'node:crypto'
import type { Clock } from '../clock.ts'
import type { Faults } from '../faults.ts'
import { amountText } from '../html.ts'
import type { Journal } from '../journal.ts'
import type { News, Notifications } from '../notifications.ts'
import {
  errorText,
  isAsynchronousError,
  isUndecided,
  mobileStateOf,
  type MobileOrder,
  type SwishRequest,
} from './mobile-order.ts'

/** The app gives up on a request that asked the phone by itself after this; one with a token lives longer. */
const ASKED_LIFE_MS = 3 * 60_000
const TOKEN_LIFE_MS = 5.5 * 60_000
/** The merchant simulator's own pause. */
const TRIGGERED_AFTER_MS = 4_000

/** The mobile payment service behind its API: requests, and what the payer does with them. */
export interface Phone {
  create(id: string, request: SwishRequest): MobileOrder
  find(id: string): MobileOrder | undefined
  /** Newest first. */
  orders(): MobileOrder[]
  /** The payer approves, on this day of the product. False when it can no longer be decided. */
  approve(id: string, paidOn: string): boolean
  /** The payer declines, or with `errorCode` the request ends with that error. */
  decline(id: string, errorCode?: string): boolean
  /** The merchant takes an open request back. */
  cancel(id: string): boolean
  findPaid(paymentReference: string): MobileOrder | undefined
  passTime(): void
  /** The request as the API shows it, also to the callback. */
  describe(order: MobileOrder): object
  replay(order: MobileOrder): void
}

export interface PhoneParts {
  journal: Pick<Journal, 'append'>
  faults: Pick<Faults, 'consume'>
  notifications: Pick<Notifications, 'noticeOf' | 'queue' | 'deliverDue'>
  clock: Clock
  report(text: string): void
}

export function openPhone(parts: PhoneParts): Phone {
  const { journal, faults, clock, report } = parts
  const orders = new Map<string, MobileOrder>()

  /** Order and notice go to disk in one write: a kill leaves both or neither. */
  function change(order: MobileOrder, changes: Partial<MobileOrder>): true {
    const changed = { ...order, ...changes }
    const notice = parts.notifications.noticeOf(() => newsOf(changed))
    journal.append(
      { type: 'mobile', order: changed },
      ...(notice ? [{ type: 'notice', target: 'mobile', notice }] : []),
    )
    orders.set(changed.id, changed)
    report(describeLine(changed))
    if (notice) parts.notifications.queue(notice)
    parts.notifications.deliverDue()
    return true
  }

  return {
    create(id, request) {
      const order = newOrder(id, request, parts)
      journal.append({ type: 'mobile', order })
      orders.set(id, order)
      report(describeLine(order))
      return order
    },
    find: (id) => orders.get(id),
    orders: () => [...orders.values()].reverse(),
    approve(id, paidOn) {
      const order = orders.get(id)
      if (order === undefined || !isUndecided(order)) return false
      if (order.status === 'CREATED' && clock.now() >= order.expiresAtMs) return false
      const { errorCode: _, ...rest } = order
      return change(rest, {
        status: 'PAID',
        paidAtMs: clock.now(),
        paidOn,
        paymentReference: randomBytes(16).toString('hex').toUpperCase(),
        ...misreport(order, faults),
      })
    },
    decline(id, errorCode) {
      const order = orders.get(id)
      if (order === undefined || !isUndecided(order)) return false
      if (errorCode !== undefined) return change(order, { status: 'ERROR', errorCode })
      const { errorCode: _, ...rest } = order
      return change(rest, { status: 'DECLINED' })
    },
    cancel(id) {
      const order = orders.get(id)
      if (order?.status !== 'CREATED') return false
      return change(order, { status: 'CANCELLED' })
    },
    findPaid: (reference) => [...orders.values()].find((order) => order.paymentReference === reference),
    passTime() {
      const nowMs = clock.now()
      for (const order of orders.values()) {
        if (order.status !== 'CREATED') continue
        const { triggered } = order
        if (triggered && nowMs >= triggered.atMs) {
          change(order, { status: 'ERROR', errorCode: triggered.errorCode })
        } else if (nowMs >= order.expiresAtMs) change(order, { status: 'ERROR', errorCode: 'TM01' })
      }
    },
    describe: describeOrder,
    replay: (order) => void orders.set(order.id, order),
  }
}

function newOrder(id: string, request: SwishRequest, { clock, faults }: PhoneParts): MobileOrder {
  const nowMs = clock.now()
  const isAsked = request.payerAlias !== undefined
  const life = isAsked ? ASKED_LIFE_MS : TOKEN_LIFE_MS
  return {
    ...request,
    id,
    ...(isAsked ? {} : { token: randomBytes(16).toString('hex') }),
    status: 'CREATED',
    createdAtMs: nowMs,
    expiresAtMs: faults.consume('expire') ? nowMs : nowMs + life,
    ...(isAsynchronousError(request.message)
      ? { triggered: { errorCode: request.message, atMs: nowMs + TRIGGERED_AFTER_MS } }
      : {}),
  }
}

function newsOf(order: MobileOrder): News {
  const { id, callbackUrl, callbackIdentifier, status } = order
  return {
    orderId: id,
    uri: callbackUrl,
    status,
    headers: callbackIdentifier === undefined ? {} : { callbackIdentifier },
    body: describeOrder(order),
  }
}

function describeOrder(order: MobileOrder): object {
  const { amount, currency } = { ...order, ...order.misreported }
  return {
    id: order.id,
    payeePaymentReference: order.payeePaymentReference,
    paymentReference: order.paymentReference ?? null,
    callbackUrl: order.callbackUrl,
    payerAlias: order.payerAlias ?? null,
    payeeAlias: order.payeeAlias,
    amount: Number(amount),
    currency,
    message: order.message,
    status: order.status,
    dateCreated: new Date(order.createdAtMs).toISOString(),
    datePaid: datePaid(order),
    errorCode: order.errorCode ?? null,
    errorMessage: order.errorCode === undefined ? null : errorText(order.errorCode),
  }
}

/** Noon of the product's day: no zone makes another day of it. */
function datePaid({ paidAtMs, paidOn }: MobileOrder): string | null {
  if (paidAtMs === undefined) return null
  return paidOn === undefined ? new Date(paidAtMs).toISOString() : `${paidOn}T12:00:00.000Z`
}

function describeLine(order: MobileOrder): string {
  const word = { ...WORDS, failed: `Swish error ${order.errorCode}` }[mobileStateOf(order)]
  return `${word}: ${order.message}, ${amountText(order.amount)} ${order.currency}`
}

const WORDS = {
  waiting: 'Swish asks',
  executed: 'Swish paid',
  declined: 'Swish declined',
  expired: 'Swish gave up waiting',
  cancelled: 'Swish taken back',
  unknown: 'Swish does not know',
}

/** What the service says was moved, when it has been told to lie. */
export function misreport(
  order: Pick<MobileOrder, 'amount'>,
  faults: Pick<Faults, 'consume'>,
): Pick<MobileOrder, 'misreported'> {
  const misreported: MobileOrder['misreported'] = {}
  if (faults.consume('wrong-amount')) {
    const [whole = '0', decimals = '00'] = order.amount.split('.')
    misreported.amount = `${BigInt(whole) + 1n}.${decimals}`
  }
  if (faults.consume('wrong-currency')) misreported.currency = 'EUR'
  return Object.keys(misreported).length > 0 ? { misreported } : {}
}
