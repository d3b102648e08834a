import { execFile } from 'node:child_process'
import { getPriority } from 'node:os'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import type { Trial } from '../../testing/trying-thread.ts'
import { openFileQueue, type FileQueue } from './file-queue.ts'

const openQueue = (longestMs = 30_000): FileQueue =>
  openFileQueue({
    name: 'trials',
    thread: '../../testing/trying-thread',
    from: import.meta.url,
    most: 10,
    mostEach: 10,
    longestMs,
  })

const asked = { requester: 'a' }
const wordsOf = async (
  queue: FileQueue,
  parts: readonly Trial[],
  by: Parameters<FileQueue['make']>[1] = asked,
) => Buffer.from(await queue.make(parts, by)).toString()

describe('a file queue', () => {
  test('makes a file of its parts, each file of its own ones, in one thread after the other', async () => {
    const queue = openQueue()
    const files = ['a b c', 'd', '', 'e f'].map((words) =>
      wordsOf(queue, words === '' ? [] : words.split(' ')),
    )
    expect(await Promise.all(files)).toEqual(['a b c', 'd', '', 'e f'])
  })

  test('reads the parts of one file when its turn has come, and no faster than the thread takes them', async () => {
    const queue = openQueue()
    const seen: string[] = []
    const parts = async function* (name: string) {
      for (const n of [1, 2, 3]) {
        seen.push(`${name}${n}`)
        yield `${name}${n}`
      }
    }
    await Promise.all([queue.make(parts('a'), asked), queue.make(parts('b'), { requester: 'b' })])
    expect(seen).toEqual(['a1', 'a2', 'a3', 'b1', 'b2', 'b3'])
  })

  test.runIf(process.platform === 'linux')('stands behind whoever answers requests', async () => {
    const before = getPriority(0)
    expect(await wordsOf(openQueue(), [{ act: 'priority' }])).toBe('10')
    expect(getPriority(0)).toBe(before)
  })

  test.runIf(process.platform === 'linux')('works where the system refuses that', async () => {
    // Who has no rights over the system may not move forward: from 19 to 10 is refused, as a filter of calls would.
    const script = `require('node:os').setPriority(0, 19)
      import(${JSON.stringify(new URL('thread.ts', import.meta.url).href)}).then(async ({ openThread }) => {
        const thread = openThread('../../testing/trying-thread', ${JSON.stringify(import.meta.url)})
        const bytes = await thread.make(['a', { act: 'priority' }], AbortSignal.timeout(20_000))
        process.stdout.write(Buffer.from(bytes).toString(), () => process.exit())
      })`
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--import', 'tsx', '-e', script],
      process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {},
    )
    expect(stdout).toBe('a 19')
  })

  test.each([
    ['throws', { act: 'throw' }, 'no ink'],
    ['ends', { act: 'exit' }, 'the thread ended with status 7'],
    ['takes too much memory', { act: 'swell' }, /memory limit/],
  ] as const)('a thread that %s fails its own file and none after it', async (_, trial, message) => {
    const queue = openQueue()
    const [failing, next] = [queue.make(['a', trial], asked), wordsOf(queue, ['b'])]
    await expect(failing).rejects.toThrow(message)
    expect(await next).toBe('b')
  })

  test('what takes too long is ended with a refusal, and the next one is made', async () => {
    const queue = openQueue(5_000)
    const [late, next] = [queue.make([{ act: 'hang' }], asked), wordsOf(queue, ['b'])]
    await expect(late).rejects.toMatchObject({ code: 'files_busy', params: { retryAfterSeconds: '60' } })
    expect(await next).toBe('b')
  })

  test('what nobody waits for any more is taken out, waiting or being made, and its reading is closed', async () => {
    const queue = openQueue()
    const [first, second] = [new AbortController(), new AbortController()]
    let isClosed = false
    let begin: () => void = () => {}
    const begun = new Promise<void>((resolve) => (begin = resolve))
    const endless = async function* (): AsyncGenerator<Trial> {
      try {
        for (;;) {
          begin()
          yield 'word'
        }
      } finally {
        isClosed = true
      }
    }
    const made = queue.make(endless(), { requester: 'a', signal: first.signal })
    const waiting = queue.make(['never'], { requester: 'b', signal: second.signal })
    const next = wordsOf(queue, ['next'], { requester: 'c' })
    await begun
    second.abort(new Error('b went'))
    await expect(waiting).rejects.toThrow('b went')
    first.abort(new Error('a went'))
    await expect(made).rejects.toThrow('a went')
    expect([await next, isClosed]).toEqual(['next', true])
  })

  test('parts that cannot be read fail their file and no other', async () => {
    const queue = openQueue()
    const broken = async function* (): AsyncGenerator<Trial> {
      yield 'a'
      throw new Error('the database is away')
    }
    await expect(queue.make(broken(), asked)).rejects.toThrow('the database is away')
    expect(await wordsOf(queue, ['b'])).toBe('b')
  })
})
