import { expect, test } from 'vitest'
import { isTaken, pauseAfterTry } from './webhook.ts'

test('pauses grow, and the last try is within three days of the first', () => {
  const pauses: number[] = []
  for (let n = 1; pauseAfterTry(n) !== undefined; n++) pauses.push(pauseAfterTry(n) ?? 0)
  expect(pauses).toEqual(pauses.toSorted((a, b) => a - b))
  const hours = pauses.reduce((sum, ms) => sum + ms, 0) / 3_600_000
  // Each of ten tries may last ten seconds, and begins at most a second late.
  expect(hours).toBeGreaterThan(70)
  expect(hours + (10 * 11) / 3_600).toBeLessThanOrEqual(72)
})

test.each([
  [200, true],
  [204, true],
  [299, true],
  [199, false],
  [301, false],
  [410, false],
  [500, false],
])('a status of %i is taken: %s', (status, taken) => {
  expect(isTaken(status)).toBe(taken)
})
