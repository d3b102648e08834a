/** People who pay and people who read, at a rate: a payment that is not acknowledged is asked for again with its key, as a browser does. */
import { randomUUID } from 'node:crypto'
import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

export type Wishes = {
  readonly address: string
  readonly payments: number
  readonly reads: number
  /** Invoices that have been paid before, from the first on, and how many there are. */
  readonly paid: number
  readonly invoices: number
}

/** What one call came to: a status, or 0 for none. */
type Call = {
  readonly at: number
  readonly ms: number
  readonly kind: 'payment' | 'read'
  readonly status: number
}

export type Load = {
  /** The payments that were acknowledged: identifier, and the number of the invoice. */
  readonly acknowledged: ReadonlyMap<string, number>
  /** How many invoices have been tried, those before included. */
  tried(): number
  /** What happened from `from` on, in the clock of performance.now(). */
  since(from: number): Seen
  /** Nothing new begins; what is under way is waited for. */
  stop(): Promise<void>
}

export type Seen = {
  /** The longest time without a payment being acknowledged, in milliseconds, up to now. */
  readonly writeGapMs: number
  readonly readGapMs: number
  readonly acknowledged: number
  readonly read: number
  /** Calls that came to nothing good, by kind and status; `0` is none within the patience. */
  readonly failed: Readonly<Record<string, number>>
  readonly slowestMs: number
}

/** As long as the program itself may take, and a moment. */
const PATIENCE_MS = 31_000
const AGAIN_MS = 2_000
/** Of each kind; more who come meanwhile go away again, or whoever measures would be what is slow. */
const MOST_UNDER_WAY = 60
/** After that somebody goes home. */
const GIVE_UP_MS = 120_000

const referenceOf = (n: number): string => `${100_000_000_000 + n}/${10_000 + (n % 9_000)}`
const day = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Stockholm' })

const agent = new Agent({ keepAlive: true, maxSockets: 2 * MOST_UNDER_WAY })

type Sent = { readonly method?: string; readonly headers?: Record<string, string>; readonly body?: string }

/** Status 0 when there was no answer. */
function ask(
  url: string,
  { method = 'GET', headers = {}, body = '' }: Sent,
): Promise<{ status: number; body: string }> {
  return new Promise((settle) => {
    const nothing = (): void => settle({ status: 0, body: '' })
    const call = request(
      url,
      { method, agent, headers, signal: AbortSignal.timeout(PATIENCE_MS) },
      (answer) => {
        let received = ''
        answer.setEncoding('utf8').on('data', (part: string) => (received += part))
        answer.on('end', () => settle({ status: answer.statusCode ?? 0, body: received }))
        answer.on('error', nothing)
      },
    )
    call.on('error', nothing)
    call.end(body)
  })
}

function longestGap(from: number, times: readonly number[]): number {
  const ends = [from, ...times.filter((at) => at >= from), performance.now()]
  return Math.round(Math.max(...ends.slice(1).map((at, place) => at - (ends[place] ?? at))))
}

/** What calls came to, from a moment on. */
function sum(seen: readonly Call[], from: number): Seen {
  const good = (kind: Call['kind'], status: number) =>
    seen.filter((one) => one.kind === kind && one.status === status)
  const timesOf = (some: readonly Call[]): number[] => some.map(({ at }) => at)
  const [paid, got] = [good('payment', 201), good('read', 200)]
  const failed: Record<string, number> = {}
  for (const { kind, status } of seen)
    if (status < 200 || status > 299) failed[`${kind} ${status}`] = (failed[`${kind} ${status}`] ?? 0) + 1
  return {
    writeGapMs: longestGap(from, timesOf(paid)),
    readGapMs: longestGap(from, timesOf(got)),
    acknowledged: paid.length,
    read: got.length,
    failed,
    slowestMs: Math.round(Math.max(0, ...[...paid, ...got].map(({ ms }) => ms))),
  }
}

/** Begins at once. */
export function startLoad({ address, payments, reads, paid: before, invoices }: Wishes): Load {
  const acknowledged = new Map<string, number>()
  const calls: Call[] = []
  let next = before
  const over = new AbortController()

  async function timed(kind: Call['kind'], url: string, init: Sent = {}) {
    const began = performance.now()
    const answer = await ask(url, init)
    calls.push({ at: performance.now(), ms: performance.now() - began, kind, status: answer.status })
    return answer
  }
  async function pay(): Promise<void> {
    const n = ++next
    if (n > invoices) throw new Error('there are no invoices left')
    const key = randomUUID()
    const body = JSON.stringify({
      paymentDate: day.format(new Date()),
      amount: ((10_000 + (n % 90_000)) / 100).toFixed(2),
      redirectUri: `${address}/`,
    })
    const headers = {
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(body)),
      'idempotency-key': key,
    }
    const url = `${address}/api/public/invoices/${referenceOf(n)}/payment-requests`
    for (const until = performance.now() + GIVE_UP_MS; performance.now() < until; await sleep(AGAIN_MS)) {
      const answer = await timed('payment', url, { method: 'POST', headers, body })
      if (answer.status !== 201) continue
      acknowledged.set((JSON.parse(answer.body) as { id: string }).id, n)
      return
    }
  }
  async function read(): Promise<void> {
    await timed(
      'read',
      `${address}/api/public/invoices/${referenceOf(1 + Math.floor(Math.random() * invoices))}`,
    )
  }
  /** When we were late, those that were due are made up for. */
  async function repeat(perSecond: number, work: () => Promise<void>): Promise<void> {
    const began = performance.now()
    const mine = new Set<Promise<void>>()
    for (let n = 0; !over.signal.aborted; n++) {
      const due = began + (n * 1000) / perSecond
      if (due > performance.now()) await sleep(due - performance.now())
      if (mine.size >= MOST_UNDER_WAY) continue
      const one = work()
      mine.add(one)
      void one.finally(() => mine.delete(one))
    }
    await Promise.all(mine)
  }
  const both = Promise.all([repeat(payments, pay), repeat(reads, read)])
  return {
    acknowledged,
    tried: () => next,
    since: (from) =>
      sum(
        calls.filter(({ at }) => at >= from),
        from,
      ),
    async stop() {
      over.abort()
      await both
    },
  }
}
