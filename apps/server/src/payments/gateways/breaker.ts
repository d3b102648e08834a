/** A gateway that does not answer is left alone for a while, so that payers hear so at once (T-NET-PSP). */
import { GatewayUnavailable, type Gateway } from './gateway.ts'

const FAILURES = 5
const REST_MS = 15_000

/**
 * The same gateway behind a fuse: after five calls in a row without an answer it is not asked for 15 seconds,
 * then by one call at a time until one is answered. A refusal is an answer.
 */
export function withBreaker(gateway: Gateway, now: () => number): Gateway {
  let failures = 0
  let restsUntilMs = 0

  async function guarded<Result>(ask: () => Promise<Result>): Promise<Result> {
    if (failures >= FAILURES) {
      if (now() < restsUntilMs) throw new GatewayUnavailable('not asked: it has not answered lately')
      // This call is the probe; the others wait for what becomes of it.
      restsUntilMs = now() + REST_MS
    }
    try {
      const result = await ask()
      failures = 0
      return result
    } catch (error) {
      if (error instanceof GatewayUnavailable) {
        failures += 1
        restsUntilMs = now() + REST_MS
      } else failures = 0
      throw error
    }
  }

  return {
    ...gateway,
    createPayment: (order) => guarded(() => gateway.createPayment(order)),
    readPayment: (reference) => guarded(() => gateway.readPayment(reference)),
    cancelPayment: (reference) => guarded(() => gateway.cancelPayment(reference)),
  }
}
