/** What whoever watches is told of a counterparty that gives no answer, and for how long. */
import { Registry } from 'prom-client'
import { expect, test } from 'vitest'
import { measureCounterparties, openCircuitBreaker, openWatch } from './circuit-breaker.ts'

const registry = new Registry()
measureCounterparties(registry)
const silentOf = async (gateway: string): Promise<number | undefined> =>
  (await registry.getSingleMetric('kvitt_gateway_circuit_open')?.get())?.values.find(
    ({ labels }) => labels.gateway === gateway,
  )?.value

const HALF_AN_HOUR_MS = 30 * 60_000
const silence = (): Promise<never> => Promise.reject(new Error('silent'))

test.each(['guarded', 'watched'])(
  'a silence that nobody asked into any more ends by itself: %s',
  async (how) => {
    let nowMs = 1_000_000
    const options = { name: `T_${how}`, now: () => nowMs, isSilence: () => true }
    const call =
      how === 'guarded'
        ? openCircuitBreaker({ ...options, notAsked: () => new Error('resting') })
        : openWatch(options)
    expect(await silentOf(options.name)).toBe(0)
    for (let n = 0; n < 4; n++) await expect(call(silence)).rejects.toThrow('silent')
    expect(await silentOf(options.name)).toBe(0)
    await expect(call(silence)).rejects.toThrow('silent')
    expect(await silentOf(options.name)).toBe(1)
    nowMs += HALF_AN_HOUR_MS - 1
    expect(await silentOf(options.name)).toBe(1)
    nowMs += 1
    expect(await silentOf(options.name)).toBe(0)
    await expect(call(silence)).rejects.toThrow('silent')
    expect(await silentOf(options.name), 'and it is silent still').toBe(1)
    await call(async () => 'there').catch(() => {
      nowMs += 15_000
      return call(async () => 'there')
    })
    expect(await silentOf(options.name)).toBe(0)
  },
)
