import { expect, test } from 'vitest'
import { openTurns, type TurnLimits } from './turns.ts'

const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** Asks for turns, notes in which order they come, and ends those that run. The requester is the first letter of a name. */
function watchTurns(limits: TurnLimits) {
  const turns = openTurns(limits)
  const order: string[] = []
  const refused: string[] = []
  const running: (() => void)[] = []
  return {
    turns,
    order,
    refused,
    async ask(names: readonly string[], signal?: AbortSignal): Promise<void> {
      for (const name of names) {
        turns.take(name.slice(0, 1), signal).then(
          (end) => {
            order.push(name)
            running.push(end)
          },
          (error: Error) => refused.push(`${name} ${error.message}`),
        )
      }
      await settle()
    },
    async end(count: number): Promise<void> {
      for (let n = 0; n < count; n++) {
        running.shift()?.()
        await settle()
      }
    },
  }
}

test('turns go round by requester, one after the other', async () => {
  const { turns, order, ask, end } = watchTurns({ atOnce: 1, most: 10, mostEach: 4 })
  await ask(['a1', 'a2', 'a3', 'b1', 'c1', 'b2'])
  expect(order).toEqual(['a1'])
  await end(1)
  expect(order).toEqual(['a1', 'a2'])
  await end(5)
  expect(order).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2'])
  expect(turns.taken()).toBe(0)
})

test('as many run beside each other as may', async () => {
  const { order, ask, end } = watchTurns({ atOnce: 2, most: 10, mostEach: 4 })
  await ask(['a1', 'b1', 'c1'])
  expect(order).toEqual(['a1', 'b1'])
  await end(1)
  expect(order).toEqual(['a1', 'b1', 'c1'])
})

test('who comes when all places are taken is told when to come again, and has a place when one is free', async () => {
  const { turns, refused, ask, end } = watchTurns({ atOnce: 1, most: 10, mostEach: 1 })
  await ask([...'abcdefghij'])
  await expect(turns.take('k')).rejects.toMatchObject({
    code: 'files_busy',
    params: { retryAfterSeconds: '5' },
  })
  await end(1)
  await ask(['k'])
  expect([refused, turns.taken()]).toEqual([[], 10])
})

test('one requester has a share of the places, whether it waits or has its turn', async () => {
  const { turns, order, refused, ask, end } = watchTurns({ atOnce: 1, most: 10, mostEach: 2 })
  await ask(['a1', 'a2', 'a3', 'b1'])
  expect(refused).toEqual(['a3 files_busy'])
  await end(1)
  await ask(['a4', 'a5'])
  expect(refused).toEqual(['a3 files_busy', 'a5 files_busy'])
  await end(3)
  expect([order, turns.taken()]).toEqual([['a1', 'a2', 'b1', 'a4'], 0])
})

test('who leaves while waiting takes nobody’s turn and leaves a place', async () => {
  const { turns, order, refused, ask, end } = watchTurns({ atOnce: 1, most: 3, mostEach: 2 })
  const wait = new AbortController()
  await ask(['a1', 'a2'])
  await ask(['b1'], wait.signal)
  wait.abort(new Error('went'))
  await settle()
  expect([refused, turns.taken()]).toEqual([['b1 went'], 2])
  await ask(['c1'])
  await ask(['d1'], wait.signal)
  await end(3)
  expect([order, refused, turns.taken()]).toEqual([['a1', 'a2', 'c1'], ['b1 went', 'd1 went'], 0])
})

test('who leaves while the turn runs ends it when the turn is ended, once', async () => {
  const turns = openTurns({ atOnce: 1, most: 3, mostEach: 2 })
  const wait = new AbortController()
  const end = await turns.take('a', wait.signal)
  wait.abort(new Error('went'))
  expect(turns.taken()).toBe(1)
  end()
  end()
  expect(turns.taken()).toBe(0)
})
