import type { Clock } from './clock.ts'
import { isCalendarDay, stockholmDay } from './clock.ts'
import { answerJson, answerSentence, isRecord } from './serve.ts'
import type { Answer } from './serve.ts'
import { readLedgerReport } from './verdict.ts'
import type { LedgerReport } from './verdict.ts'

/** The product as the sandbox sees it: its business day and its demo-only calls, on loopback. */
export interface Product {
  /** The product's business day `YYYY-MM-DD`; see `askToday` for what happens when it does not answer. */
  today(): Promise<string>
  /** The first day after today on which something happens by itself there; undefined when it does not say. */
  nextEvent(): string | undefined
  /** How far its firm is; undefined when it stands without one, which can be asked for. */
  firm(): Progress | undefined
  /** Whether the product answered when it was last asked for its day. */
  isAnswering(): boolean
  /** How its books stood when they were asked for; undefined when it does not say. */
  ledger(): Promise<LedgerAnswer | undefined>
  forward(method: 'GET' | 'POST' | 'DELETE', path: string, body?: object): Promise<Answer>
}

/** Days of the firm's past that were lived through, of all. */
export interface Progress {
  days: number
  of: number
  isMade: boolean
}

export interface LedgerAnswer {
  report: LedgerReport
  /** What happened here after this moment need not be in the report. */
  askedAtMs: number
}

const CACHE_MS = 1_500
const CLOCK_WAIT_MS = 1_000
/** The books are read again this long after they were read. */
const LEDGER_CACHE_MS = 3_000
/** What was known longer ago says nothing of what has happened since: whoever asks waits. */
const LEDGER_OLD_MS = 10_000
const LEDGER_WAIT_MS = 10_000
const FORWARD_WAIT_MS = 120_000

/** Reads the books at most every few seconds, and answers with what was known just before meanwhile. */
function openLedger(base: string, clock: Clock): Product['ledger'] {
  let books: { answer: LedgerAnswer | undefined; readAtMs: number } | undefined
  let reading: Promise<LedgerAnswer | undefined> | undefined

  async function ask(): Promise<LedgerAnswer | undefined> {
    const askedAtMs = clock.now()
    let report: LedgerReport | undefined
    try {
      const response = await fetch(`${base}/api/demo/ledger`, { signal: AbortSignal.timeout(LEDGER_WAIT_MS) })
      report = response.ok ? readLedgerReport(await response.json()) : undefined
    } catch {
      report = undefined
    }
    const answer = report && { report, askedAtMs }
    books = { answer, readAtMs: clock.now() }
    return answer
  }

  return () => {
    const ageMs = clock.now() - (books?.readAtMs ?? Number.NEGATIVE_INFINITY)
    if (ageMs < LEDGER_CACHE_MS) return Promise.resolve(books?.answer)
    reading ??= ask().finally(() => {
      reading = undefined
    })
    return ageMs < LEDGER_OLD_MS ? Promise.resolve(books?.answer) : reading
  }
}

function readProgress(told: unknown): Progress | undefined {
  if (!isRecord(told)) return undefined
  const { days, of, isMade } = told
  return typeof days === 'number' && typeof of === 'number'
    ? { days, of, isMade: isMade === true }
    : undefined
}

export function connectProduct(productPort: number, clock: Clock): Product {
  const base = `http://127.0.0.1:${productPort}`
  let known = stockholmDay(clock.now())
  let answering = false
  let next: string | undefined
  let firm: Progress | undefined
  let askedAtMs = Number.NEGATIVE_INFINITY
  let asking: Promise<string> | undefined

  /** The demo's clock only moves forward, so a product that is down is never taken back in time. */
  async function askToday(): Promise<string> {
    try {
      const response = await fetch(`${base}/api/demo/clock`, { signal: AbortSignal.timeout(CLOCK_WAIT_MS) })
      const value: unknown = await response.json()
      if (!response.ok || !isRecord(value) || typeof value['today'] !== 'string') throw new Error('no clock')
      known = value['today']
      next = isCalendarDay(value['nextEvent']) ? value['nextEvent'] : undefined
      firm = readProgress(value['firm'])
      answering = true
    } catch {
      answering = false
      const real = stockholmDay(clock.now())
      if (real > known) known = real
    }
    askedAtMs = clock.now()
    return known
  }

  return {
    ledger: openLedger(base, clock),
    today() {
      if (clock.now() - askedAtMs < CACHE_MS) return Promise.resolve(known)
      asking ??= askToday().finally(() => {
        asking = undefined
      })
      return asking
    },
    nextEvent: () => next,
    firm: () => firm,
    isAnswering: () => answering,
    async forward(method, path, body) {
      let response: Response
      let text: string
      try {
        response = await fetch(base + path, {
          method,
          signal: AbortSignal.timeout(FORWARD_WAIT_MS),
          ...(body ? { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } } : {}),
        })
        text = await response.text()
      } catch {
        return answerSentence(
          503,
          `The product does not answer on port ${productPort}; start it and try again.`,
        )
      }
      askedAtMs = Number.NEGATIVE_INFINITY
      if (response.status === 404) {
        return answerSentence(404, 'The product does not offer this call; it exists only while DEMO is on.')
      }
      if (response.status === 204 || text === '') return answerJson(200, {})
      return { status: response.status, headers: { 'content-type': 'application/json' }, body: text }
    },
  }
}
