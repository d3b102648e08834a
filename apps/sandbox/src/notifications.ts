import { randomUUID } from 'node:crypto'
import { setMaxListeners } from 'node:events'
import type { Clock } from './clock.ts'
import type { Faults, Target } from './faults.ts'
import type { Journal } from './journal.ts'

/** What has become of an order, in the words of its protocol. */
export interface News {
  orderId: string
  uri: string
  status: string
  headers: Record<string, string>
  body: object
}

/** One change of status that the client is to hear about. */
export interface Notice extends News {
  eventId: string
  nextAtMs: number
  giveUpAtMs: number
  /** How many copies the first attempt sends at the same time. */
  copies: number
  /** Waits for the order's next notice, so that the two arrive in the wrong order. */
  waitsForNext?: boolean
}

export interface Notifications {
  /** The notice of an order's new status, or undefined when it is to be lost. */
  noticeOf(news: (eventId: string) => News): Notice | undefined
  /** Takes a notice that is already in the journal. */
  queue(notice: Notice): void
  forget(eventId: string): void
  /** Sends what is due; answers at once. */
  deliverDue(): void
  waiting(): number
  stop(): void
}

const LATE_MS = 10_000
const SEND_WAIT_MS = 10_000
const GIVE_UP_MS = 24 * 3_600_000

interface QueuedNotice extends Notice {
  attempts: number
  sending: boolean
  after?: string
}

export interface NotificationParts {
  /** Whose news they are. */
  target: Target
  journal: Pick<Journal, 'append' | 'saved'>
  faults: Pick<Faults, 'consume'>
  clock: Clock
  report(text: string): void
  /** The pauses between attempts; the last one is kept. */
  retryAfterMs: readonly number[]
  /** After so many attempts nobody tries again. */
  mostAttempts: number
}

/** Tells the client about its orders until it has taken the news. */
export function openNotifications(parts: NotificationParts): Notifications {
  const { target, journal, faults, clock, report, retryAfterMs, mostAttempts } = parts
  const queued = new Map<string, QueuedNotice>()
  const stopping = new AbortController()
  setMaxListeners(0, stopping.signal)

  function finish(notice: QueuedNotice, outcome: 'delivered' | 'given up') {
    queued.delete(notice.eventId)
    journal.append({ type: 'noticeDone', target, eventId: notice.eventId, outcome })
    report(`Client told ${notice.status}: ${outcome}`)
  }

  async function deliver(notice: QueuedNotice): Promise<void> {
    notice.sending = true
    const copies = notice.attempts === 0 ? notice.copies : 1
    await journal.saved()
    const sends = Array.from({ length: copies }, () => send(notice, stopping.signal))
    const arrived = (await Promise.all(sends)).every(Boolean)
    if (stopping.signal.aborted) return
    notice.sending = false
    if (arrived) return finish(notice, 'delivered')
    const isLast = notice.attempts + 1 >= mostAttempts
    if (isLast || clock.now() >= notice.giveUpAtMs) return finish(notice, 'given up')
    const delayMs = retryAfterMs[Math.min(notice.attempts, retryAfterMs.length - 1)] ?? 60_000
    notice.attempts += 1
    notice.nextAtMs = clock.now() + delayMs
    report(`Client told ${notice.status}: not taken, again in ${delayMs / 1000} s`)
  }

  function deliverDue() {
    for (const notice of queued.values()) {
      const blocked = notice.after !== undefined && queued.has(notice.after)
      if (notice.sending || blocked || clock.now() < notice.nextAtMs) continue
      void deliver(notice).then(deliverDue)
    }
  }

  return {
    noticeOf(newsOf) {
      const eventId = randomUUID()
      const news = newsOf(eventId)
      if (faults.consume('drop-callback')) return undefined
      const isLate = faults.consume('late-callback')
      const partner = [...queued.values()].some((other) => isWaitingFor(other, news.orderId))
      const waitsForNext = !partner && faults.consume('reorder-callbacks')
      return {
        ...news,
        eventId,
        nextAtMs: clock.now() + (isLate || waitsForNext ? LATE_MS : 0),
        giveUpAtMs: clock.now() + GIVE_UP_MS,
        copies: faults.consume('duplicate-callback') ? 2 : 1,
        ...(waitsForNext ? { waitsForNext } : {}),
      }
    },
    queue(notice) {
      for (const earlier of queued.values()) {
        if (!isWaitingFor(earlier, notice.orderId)) continue
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

function isWaitingFor(notice: QueuedNotice, orderId: string): boolean {
  return notice.orderId === orderId && notice.waitsForNext === true && notice.after === undefined
}

async function send(notice: QueuedNotice, stopped: AbortSignal): Promise<boolean> {
  const ends = new AbortController()
  // Not AbortSignal.any of a timeout: Node 20 forgets that one when garbage is collected.
  const end = (): void => ends.abort()
  const late = setTimeout(end, SEND_WAIT_MS)
  stopped.addEventListener('abort', end)
  try {
    const response = await fetch(notice.uri, {
      method: 'POST',
      redirect: 'manual',
      signal: ends.signal,
      headers: { 'content-type': 'application/json', ...notice.headers },
      body: JSON.stringify(notice.body),
    })
    await response.body?.cancel()
    return response.ok
  } catch {
    return false
  } finally {
    clearTimeout(late)
    stopped.removeEventListener('abort', end)
  }
}
