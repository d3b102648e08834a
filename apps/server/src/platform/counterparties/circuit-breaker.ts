/** A counterparty that does not answer is left alone for a while, so that whoever waits hears so at once (T-NET-PSP). */

const FAILURES = 5
const REST_MS = 15_000

type WatchOptions = {
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
export function openWatch({ now, isSilence }: WatchOptions) {
  let failures = 0
  let failedAtMs = Number.NEGATIVE_INFINITY
  let answeredAtMs = Number.NEGATIVE_INFINITY
  const answered = (): void => {
    failures = 0
    answeredAtMs = now()
  }
  const watched = async <Result>(ask: () => Promise<Result>): Promise<Result> => {
    try {
      const result = await ask()
      answered()
      return result
    } catch (error) {
      if (isSilence(error)) {
        failures += 1
        failedAtMs = now()
      } else answered()
      throw error
    }
  }
  /** Has it been silent so often in a row that this is no chance? */
  const isSilent = (): boolean => failures >= FAILURES
  const seen = (): Seen => {
    if (isSilent() && now() - failedAtMs < LATELY_MS) return 'silent'
    return now() - answeredAtMs < LATELY_MS ? 'answers' : 'unknown'
  }
  return Object.assign(watched, { isSilent, seen })
}

/**
 * Calls go through it: after five in a row without an answer none is made for 15 seconds, then one at a time until one
 * is answered.
 */
export function openCircuitBreaker({ now, isSilence, notAsked }: CircuitBreakerOptions) {
  const watched = openWatch({ now, isSilence })
  let restsUntilMs = 0
  const guarded = async <Result>(ask: () => Promise<Result>): Promise<Result> => {
    if (watched.isSilent()) {
      if (now() < restsUntilMs) throw notAsked()
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
