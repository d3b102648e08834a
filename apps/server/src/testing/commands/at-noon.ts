import { afterAll, beforeAll, vi } from 'vitest'

/**
 * Holds the machine's clock at today's noon (UTC) for the tests of a file: a command has no other, and a test that runs
 * over midnight would compare its day with the one after.
 */
export function atNoon(): void {
  beforeAll(() => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date().setUTCHours(12, 0, 0, 0) })
  })
  afterAll(() => {
    vi.useRealTimers()
  })
}
