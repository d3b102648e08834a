import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { askWithin } from './asked-now-and-then.ts'

test('nobody waits for a store that holds a question up, which is asked once, and the last answer stands', async () => {
  let asked = 0
  let answer: (n: number) => void = () => {}
  const ask = askWithin(() => {
    asked += 1
    return new Promise<number>((resolve) => {
      answer = resolve
    })
  }, 100)
  const first = ask()
  answer(7)
  expect(await first).toEqual({ isUp: true, last: 7 })
  const began = Date.now()
  expect(await ask()).toEqual({ isUp: false, last: 7 })
  expect(await Promise.all([ask(), ask()])).toEqual([
    { isUp: false, last: 7 },
    { isUp: false, last: 7 },
  ])
  expect(Date.now() - began).toBeLessThan(2_000)
  expect(asked).toBe(2)
  answer(8)
  await pause(1)
  const next = ask()
  expect(asked).toBe(3)
  answer(9)
  expect(await next).toEqual({ isUp: true, last: 9 })
})

test('a store that says no is not up', async () => {
  const ask = askWithin(() => Promise.reject(new Error('no')))
  expect(await ask()).toEqual({ isUp: false, last: undefined })
})
