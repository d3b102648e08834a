import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { inLanes } from './lanes.ts'

/** Pages of 10 of the numbers below `count`, read one after the other, each worked on for a while. */
function walk(count: number, failsAt = -1) {
  const seen: number[] = []
  let [reading, working, most] = [0, 0, 0]
  const done = inLanes(0, async (after, ends) => {
    working += 1
    most = Math.max(most, working)
    reading += 1
    expect(reading).toBe(1)
    await sleep(2)
    reading -= 1
    const page = Array.from({ length: Math.min(10, count - after) }, (_, n) => after + n)
    ends(page.length > 0 ? after + page.length : undefined)
    await sleep(5)
    working -= 1
    if (page.includes(failsAt)) throw new Error('broken on purpose')
    seen.push(...page)
    return page.length
  })
  return { done, seen, most: () => most, working: () => working }
}

test('every page is worked on once, two at a time', async () => {
  const { done, seen, most } = walk(95)
  expect(await done).toBe(95)
  expect(seen.sort((a, b) => a - b)).toEqual(Array.from({ length: 95 }, (_, n) => n))
  expect(most()).toBe(2)
})

test('an empty walk ends', async () => {
  expect(await walk(0).done).toBe(0)
  expect(await inLanes(0, () => Promise.resolve(7))).toBe(7)
})

test('a failure comes out when nothing is under way any more', async () => {
  const { done, working } = walk(95, 42)
  await expect(done).rejects.toThrow('broken on purpose')
  expect(working()).toBe(0)
})
