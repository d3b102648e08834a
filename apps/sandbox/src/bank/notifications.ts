import { randomUUID } from 'node:crypto'
import { setMaxListeners } from 'node:events'
import type { Clock } from '../clock.ts'
import type { Faults } from '../faults.ts'
import type { Journal } from '../journal.ts'
import type { Payment, TransactionStatus } from './payment.ts'

/** One status change that the client is to hear about. */
export interface Notice {
  eventId: string
  paymentId: string
  uri: string
  transactionStatus: TransactionStatus
  nextAtMs: number
  giveUpAtMs: number
  /** How many copies the first attempt sends at the same time. */
  copies: number
  /** Waits for the payment's next notice, so that the two arrive in the wrong order. */
  waitsForNext?: boolean
}

export interface Notifications {
  /** The notice of a payment's new status, or undefined when nobody asked for one or it is to be lost. */
  noticeOf(payment: Payment): Notice | undefined
  /** Takes a notice that is already in the journal. */
  queue(notice: Notice): void
  forget(eventId: string): void
  /** Sends what is due; answers at once. */
  deliverDue(): void
  waiting(): number
  stop(): void
}

const RETRY_AFTER_MS = [1_000, 2_000, 5_000, 10_000, 30_000, 60_000]
const LATE_MS = 10_000
const SEND_WAIT_MS = 10_000
const GIVE_UP_MS = 24 * 3_600_000

interface QueuedNotice extends Notice {
  attempts: number
  sending: boolean
  after?: string
}

export function openNotifications(
  journal: Pick<Journal, 'append'>,
  faults: Pick<Faults, 'consume'>,
  clock: Clock,
  report: (text: string) => void,
): Notifications {
  const queued = new Map<string, QueuedNotice>()
  const stopping = new AbortController()
  setMaxListeners(0, stopping.signal)

  function finish(notice: QueuedNotice, outcome: 'delivered' | 'given up') {
    queued.delete(notice.eventId)
    journal.append({ type: 'noticeDone', eventId: notice.eventId, outcome })
    report(`Client told ${notice.transactionStatus}: ${outcome}`)
  }

  async function deliver(notice: QueuedNotice): Promise<void> {
    notice.sending = true
    const copies = notice.attempts === 0 ? notice.copies : 1
    const sends = Array.from({ length: copies }, () => send(notice, stopping.signal))
    const arrived = (await Promise.all(sends)).every(Boolean)
    if (stopping.signal.aborted) return
    notice.sending = false
    if (arrived) return finish(notice, 'delivered')
    if (clock.now() >= notice.giveUpAtMs) return finish(notice, 'given up')
    const delayMs = RETRY_AFTER_MS[Math.min(notice.attempts, RETRY_AFTER_MS.length - 1)] ?? 60_000
    notice.attempts += 1
    notice.nextAtMs = clock.now() + delayMs
    report(`Client told ${notice.transactionStatus}: not taken, again in ${delayMs / 1000} s`)
  }

  function deliverDue() {
    for (const notice of queued.values()) {
      const blocked = notice.after !== undefined && queued.has(notice.after)
      if (notice.sending || blocked || clock.now() < notice.nextAtMs) continue
      void deliver(notice).then(deliverDue)
    }
  }

  return {
    noticeOf(payment) {
      if (payment.notificationUri === undefined) return undefined
      if (faults.consume('drop-callback')) return undefined
      const isLate = faults.consume('late-callback')
      const partner = [...queued.values()].some((other) => isWaitingFor(other, payment.paymentId))
      const waitsForNext = !partner && faults.consume('reorder-callbacks')
      return {
        eventId: randomUUID(),
        paymentId: payment.paymentId,
        uri: payment.notificationUri,
        transactionStatus: payment.status,
        nextAtMs: clock.now() + (isLate || waitsForNext ? LATE_MS : 0),
        giveUpAtMs: clock.now() + GIVE_UP_MS,
        copies: faults.consume('duplicate-callback') ? 2 : 1,
        ...(waitsForNext ? { waitsForNext } : {}),
      }
    },
    queue(notice) {
      for (const earlier of queued.values()) {
        if (!isWaitingFor(earlier, notice.paymentId)) continue
        earlier.after = notice.eventId
        earlier.nextAtMs = clock.now()
      }
      queued.set(notice.eventId, { ...notice, attempts: 0, sending: false })
    },
    forget: (eventId) => void queued.delete(eventId),
    deliverDue,
    waiting: () => queued.size,
    stop: () => stopping.abort(),
  }
}

function isWaitingFor(notice: QueuedNotice, paymentId: string): boolean {
  return notice.paymentId === paymentId && notice.waitsForNext === true && notice.after === undefined
}

async function send(notice: QueuedNotice, stopped: AbortSignal): Promise<boolean> {
  const { paymentId, transactionStatus, eventId } = notice
  try {
    const response = await fetch(notice.uri, {
      method: 'POST',
      redirect: 'manual',
      signal: AbortSignal.any([stopped, AbortSignal.timeout(SEND_WAIT_MS)]),
      headers: { 'content-type': 'application/json', 'x-request-id': randomUUID() },
      body: JSON.stringify({ paymentId, transactionStatus, eventId }),
    })
    await response.body?.cancel()
    return response.ok
  } catch {
    return false
  }
}
