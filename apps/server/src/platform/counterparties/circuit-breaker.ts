/** A counterparty that does not answer is left alone for a while, so that whoever waits hears so at once (T-NET-PSP). */

const FAILURES = 5
const REST_MS = 15_000

export type CircuitBreakerOptions = {
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** True when the counterparty gave no answer. A refusal is an answer. */
  readonly isSilence: (error: unknown) => boolean
  /** What is thrown instead of asking. */
  readonly notAsked: () => Error
}

/** What is known of a counterparty from the calls of this process. */
export type Seen = 'answers' | 'silent' | 'unknown'

/** How long an answer says that the counterparty is there, and silence that it is not. */
const LATELY_MS = 30 * 60_000

/**
 * Calls go through it: after five in a row without an answer none is made for 15 seconds, then one at a time until one
 * is answered.
 */
export function openCircuitBreaker({ now, isSilence, notAsked }: CircuitBreakerOptions) {
  let failures = 0
  let restsUntilMs = 0
  let answeredAtMs = Number.NEGATIVE_INFINITY
  const guarded = async <Result>(ask: () => Promise<Result>): Promise<Result> => {
    if (failures >= FAILURES) {
      if (now() < restsUntilMs) throw notAsked()
      // This call is the probe; the others wait for what becomes of it.
      restsUntilMs = now() + REST_MS
    }
    try {
      const result = await ask()
      failures = 0
      answeredAtMs = now()
      return result
    } catch (error) {
      if (isSilence(error)) {
        failures += 1
        restsUntilMs = now() + REST_MS
      } else {
        failures = 0
        answeredAtMs = now()
      }
      throw error
    }
  }
  const seen = (): Seen => {
    const failedAtMs = restsUntilMs - REST_MS
    if (failures >= FAILURES && now() - failedAtMs < LATELY_MS) return 'silent'
    return now() - answeredAtMs < LATELY_MS ? 'answers' : 'unknown'
  }
  return Object.assign(guarded, { seen })
}
