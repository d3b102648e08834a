/** A counterparty that does not answer is left alone for a while, so that whoever waits hears so at once (T-NET-PSP). */
import { Counter, Gauge, Histogram, type Registry } from 'prom-client'

const CALLS = new Counter({
  name: 'kvitt_gateway_calls_total',
  help: 'Calls to a counterparty: answered (also with a refusal), silent (no answer), not_asked (the circuit breaker is open)',
  labelNames: ['gateway', 'outcome'],
  registers: [],
})
const SECONDS = new Histogram({
  name: 'kvitt_gateway_seconds',
  help: 'How long a counterparty took to answer, or was waited for in vain',
  labelNames: ['gateway'],
  buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
  registers: [],
})
const OPEN = new Gauge({
  name: 'kvitt_gateway_circuit_open',
  help: '1 while a counterparty has given no answer five times in a row, the last time within half an hour, else 0; all but BankID are left alone meanwhile',
  labelNames: ['gateway'],
  aggregator: 'max',
  registers: [],
  collect() {
    for (const [gateway, seen] of SILENT) if (seen() !== 'silent') endSilence(gateway)
  },
})
/** Those that were silent when they were called last. Nobody may call them again for hours: it says nothing for ever. */
const SILENT = new Map<string, () => Seen>()

function endSilence(gateway: string): void {
  SILENT.delete(gateway)
  OPEN.set({ gateway }, 0)
}

/** Lets `registry` tell of all counterparties that this process has called. */
export function measureCounterparties(registry: Registry): void {
  for (const metric of [CALLS, SECONDS, OPEN]) registry.registerMetric(metric)
}

const FAILURES = 5
const REST_MS = 15_000

type WatchOptions = {
  /** In metrics: the code of the counterparty. */
  readonly name: string
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** True when the counterparty gave no answer. A refusal is an answer. */
  readonly isSilence: (error: unknown) => boolean
}

export type CircuitBreakerOptions = WatchOptions & {
  /** What is thrown instead of asking. */
  readonly notAsked: () => Error
}

/** What is known of a counterparty from the calls of this process. */
export type Seen = 'answers' | 'silent' | 'unknown'

/** How long an answer says that the counterparty is there, and silence that it is not. */
const LATELY_MS = 30 * 60_000

/** Calls go through it unchanged; `seen` tells what came of them lately. */
export function openWatch({ name, now, isSilence }: WatchOptions) {
  for (const outcome of ['answered', 'silent', 'not_asked']) CALLS.inc({ gateway: name, outcome }, 0)
  endSilence(name)
  let failures = 0
  let failedAtMs = Number.NEGATIVE_INFINITY
  let answeredAtMs = Number.NEGATIVE_INFINITY
  const answered = (): void => {
    failures = 0
    answeredAtMs = now()
    CALLS.inc({ gateway: name, outcome: 'answered' })
    endSilence(name)
  }
  const watched = async <Result>(ask: () => Promise<Result>): Promise<Result> => {
    const tookSeconds = SECONDS.startTimer({ gateway: name })
    try {
      const result = await ask()
      answered()
      return result
    } catch (error) {
      if (isSilence(error)) {
        failures += 1
        failedAtMs = now()
        CALLS.inc({ gateway: name, outcome: 'silent' })
        if (failures >= FAILURES) {
          OPEN.set({ gateway: name }, 1)
          SILENT.set(name, seen)
        }
      } else answered()
      throw error
    } finally {
      tookSeconds()
    }
  }
  /** Has it been silent so often in a row that this is no chance? */
  const isSilent = (): boolean => failures >= FAILURES
  function seen(): Seen {
    if (isSilent() && now() - failedAtMs < LATELY_MS) return 'silent'
    return now() - answeredAtMs < LATELY_MS ? 'answers' : 'unknown'
  }
  return Object.assign(watched, { isSilent, seen })
}

/**
 * Calls go through it: after five in a row without an answer none is made for 15 seconds, then one at a time until one
 * is answered.
 */
export function openCircuitBreaker({ name, now, isSilence, notAsked }: CircuitBreakerOptions) {
  const watched = openWatch({ name, now, isSilence })
  let restsUntilMs = 0
  const guarded = async <Result>(ask: () => Promise<Result>): Promise<Result> => {
    if (watched.isSilent()) {
      if (now() < restsUntilMs) {
        CALLS.inc({ gateway: name, outcome: 'not_asked' })
        throw notAsked()
      }
      // This call is the probe; the others wait for what becomes of it.
      restsUntilMs = now() + REST_MS
    }
    try {
      return await watched(ask)
    } catch (error) {
      if (isSilence(error)) restsUntilMs = now() + REST_MS
      throw error
    }
  }
  return Object.assign(guarded, { seen: watched.seen })
}
