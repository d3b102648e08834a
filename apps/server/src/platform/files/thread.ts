/**
 * A thread that makes files, so that what takes long takes no time from those who read. It works on one file at a time,
 * begins with the first and ends when nobody has wanted one for a while. What fails, or is wanted no more, takes the thread
 * along: the next file begins with a new one.
 */
import { once } from 'node:events'
import { setPriority } from 'node:os'
import { parentPort, Worker, type MessagePort } from 'node:worker_threads'

/** What a file is made of, in the order in which the thread takes it. All that can be sent to a thread. */
export type Parts = AsyncIterable<unknown> | Iterable<unknown>

export type Thread = {
  /**
   * The file that the thread makes of `parts`, which are read as it takes them. Throws what the thread or the parts threw,
   * the signal's reason, or an error when the thread died.
   */
  make(parts: Parts, signal: AbortSignal): Promise<Uint8Array>
}

type Said = 'more' | { readonly bytes: Uint8Array } | { readonly error: Error }
type Message = { readonly part: unknown } | 'end'

const IDLE_MS = 30_000
/** Megabytes of its heap: twice of what a list of ten thousand needs. What needs more fails alone. */
const HEAP_MB = 128
/** Behind whoever answers requests, where the system knows the order of threads. */
const NICE = 10

/** While developing and in tests no build is there: the thread reads the source, as the process may not by itself. */
const READ_SOURCE = `const [tsx, file] = require('node:worker_threads').workerData
import(tsx).then(({ tsImport }) => tsImport(file, file))`

/**
 * The thread that the module `name` beside `from` (an import.meta.url) is the work of: as source, or as the file of the
 * same name in the build.
 */
export function openThread(name: string, from: string): Thread {
  const isSource = from.endsWith('.ts')
  const file = new URL(`${name}.${isSource ? 'ts' : 'js'}`, from)
  let idle:
    | { readonly worker: Worker; readonly timer: NodeJS.Timeout; readonly forget: () => void }
    | undefined

  const begin = (): Worker => {
    const kept = idle
    idle = undefined
    if (kept) clearTimeout(kept.timer)
    if (kept) return kept.worker.off('exit', kept.forget)
    const limits = { resourceLimits: { maxOldGenerationSizeMb: HEAP_MB } }
    const worker = isSource
      ? new Worker(READ_SOURCE, {
          ...limits,
          eval: true,
          workerData: [import.meta.resolve('tsx/esm/api'), file.href],
        })
      : new Worker(file, limits)
    // Whoever waits for a file is told; an error that nobody listens to would end the process.
    worker.on('error', () => {})
    return worker
  }
  const keep = (worker: Worker): void => {
    const forget = (): void => {
      if (idle?.worker === worker) idle = undefined
    }
    const timer = setTimeout(() => {
      forget()
      void worker.terminate()
    }, IDLE_MS)
    // Neither holds the process.
    timer.unref()
    worker.unref()
    worker.once('exit', forget)
    idle = { worker, timer, forget }
  }

  return {
    async make(parts, signal) {
      signal.throwIfAborted()
      const iterator = inTurn(parts)
      const first = await beforeEnd(iterator.next(), signal)
      const worker = begin()
      worker.ref()
      let fail: (reason: unknown) => void = () => {}
      const dead = new Promise<never>((_, reject) => (fail = reject))
      // It may die while its parts are read, when nobody waits for what it says.
      dead.catch(() => {})
      const exited = (status: number): void => fail(new Error(`the thread ended with status ${status}`))
      const aborted = (): void => fail(signal.reason)
      worker.once('error', fail)
      worker.once('exit', exited)
      signal.addEventListener('abort', aborted)
      try {
        const bytes = await feed(worker, dead, { iterator, first })
        worker.off('error', fail)
        worker.off('exit', exited)
        keep(worker)
        return bytes
      } catch (error) {
        void worker.terminate()
        throw error
      } finally {
        iterator.return(undefined).catch(() => {})
        signal.removeEventListener('abort', aborted)
      }
    },
  }
}

/** What is read may be a whole list: whoever waits no more gives the turn back at once. */
async function beforeEnd<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  work.catch(() => {})
  let end = (): void => {}
  const ended = new Promise<never>((_, reject) => (end = () => reject(signal.reason)))
  signal.addEventListener('abort', end)
  try {
    return await Promise.race([work, ended])
  } finally {
    signal.removeEventListener('abort', end)
    signal.throwIfAborted()
  }
}

async function* inTurn(parts: Parts): AsyncGenerator {
  yield* parts
}

type Read = { readonly iterator: AsyncGenerator; readonly first: IteratorResult<unknown, unknown> }

async function feed(worker: Worker, dead: Promise<never>, { iterator, first }: Read): Promise<Uint8Array> {
  for (let part = first; ; part = await Promise.race([iterator.next(), dead])) {
    const answer = once(worker, 'message') as Promise<[Said]>
    // A thread that dies rejects both.
    answer.catch(() => {})
    worker.postMessage((part.done ? 'end' : { part: part.value }) satisfies Message, [])
    const [said] = await Promise.race([answer, dead])
    if (said === 'more') continue
    if ('error' in said) throw said.error
    return said.bytes
  }
}

async function* partsFrom<Part>(port: MessagePort, first: Message): AsyncGenerator<Part> {
  let message = first
  while (message !== 'end') {
    yield message.part as Part
    const next = once(port, 'message') as Promise<[Message]>
    port.postMessage('more' satisfies Said)
    ;[message] = await next
  }
}

/** A wish: where the system refuses it (a filter of its calls, a process that stands further behind), files are made all the same. */
function standBehind(): void {
  // There 0 is the thread itself; elsewhere it would be the whole process.
  if (process.platform !== 'linux') return
  try {
    setPriority(0, NICE)
  } catch {
    // It stays where the process is.
  }
}

/** What the module of a thread does: makes each file by `make`, of the parts that it takes. */
export async function workInThread<Part>(
  make: (parts: AsyncGenerator<Part>) => Promise<Uint8Array>,
): Promise<void> {
  const port = parentPort
  if (!port) throw new Error('this module is the work of a thread')
  standBehind()
  for (;;) {
    const [message] = (await once(port, 'message')) as [Message]
    try {
      // A copy: small buffers share their memory with others, and it goes over to whoever asked.
      const bytes = new Uint8Array(await make(partsFrom<Part>(port, message)))
      port.postMessage({ bytes } satisfies Said, [bytes.buffer])
    } catch (error) {
      port.postMessage({ error: error as Error } satisfies Said)
    }
  }
}
