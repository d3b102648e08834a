import { describe, expect, test } from 'vitest'
import { batchReads } from './batched-reads.ts'
import { DatabaseAway } from './database-away.ts'

/** Lets a test end each set when it likes, and tells which sets went out. */
function heldBack() {
  const sent: { asked: readonly number[]; end: () => void }[] = []
  const ask = batchReads<number, string>(
    (asked) =>
      new Promise((resolve, reject) => {
        sent.push({
          asked,
          end: () =>
            asked.includes(13) ? reject(new Error('thirteen')) : resolve(asked.map((n) => `answer ${n}`)),
        })
      }),
  )
  return { ask, sent }
}

const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

describe('batchReads', () => {
  test('who is alone goes at once', async () => {
    const { ask, sent } = heldBack()
    const answer = ask(1)
    expect(sent.map((s) => s.asked)).toEqual([[1]])
    sent[0]?.end()
    expect(await answer).toBe('answer 1')
  })

  test('two are under way, the others gather, at most 32 at a time, and each gets its own answer', async () => {
    const { ask, sent } = heldBack()
    const answers = Promise.all(Array.from({ length: 50 }, (_, n) => ask(n + 100)))
    expect(sent.map((s) => s.asked.length)).toEqual([1, 1])
    for (let i = 0; i < sent.length; i++) {
      sent[i]?.end()
      await settle()
    }
    expect(sent.map((s) => s.asked.length)).toEqual([1, 1, 32, 16])
    expect(await answers).toEqual(Array.from({ length: 50 }, (_, n) => `answer ${n + 100}`))
  })

  test('nobody fails for what another has asked', async () => {
    const { ask, sent } = heldBack()
    const results = Promise.allSettled([1, 2, 12, 13, 14].map(ask))
    for (let i = 0; i < sent.length; i++) {
      sent[i]?.end()
      await settle()
    }
    expect((await results).map((r) => (r.status === 'fulfilled' ? r.value : 'failed'))).toEqual([
      'answer 1',
      'answer 2',
      'answer 12',
      'failed',
      'answer 14',
    ])
    const later = ask(5)
    sent.at(-1)?.end()
    expect(await later).toBe('answer 5')
  })

  test('when the database is away everybody who waits at that moment hears so, and who comes later asks anew', async () => {
    const failures: (() => void)[] = []
    let isAway = true
    const ask = batchReads<number, string>((asked) =>
      isAway
        ? new Promise((_, reject) => failures.push(() => reject(new DatabaseAway('silent'))))
        : Promise.resolve(asked.map((n) => `answer ${n}`)),
    )
    const all = Promise.allSettled(Array.from({ length: 200 }, (_, n) => ask(n)))
    // The first set alone is told; the second lane goes on to nothing.
    failures[0]?.()
    await settle()
    expect(failures).toHaveLength(2)
    const late = ask(201)
    failures[1]?.()
    const reasons = (await all).map((one) => one.status === 'rejected' && (one.reason as Error).message)
    expect(reasons).toEqual(Array.from({ length: 200 }, () => 'silent'))
    isAway = false
    for (const fail of failures.slice(2)) fail()
    await expect(late).rejects.toThrow('silent')
    expect(failures).toHaveLength(3)
    expect(await ask(202)).toBe('answer 202')
  })

  test('an answer too few is an error, not a wait without end', async () => {
    const ask = batchReads<number, string>(async () => [])
    await expect(ask(1)).rejects.toThrow('1 asked, 0 answered')
  })
})
