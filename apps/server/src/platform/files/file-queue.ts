/** Files that are made in a thread, one after the other, in turns of who asks for them. */
import { Counter, Gauge, type Registry } from 'prom-client'
import { Refusal } from '@kvitt/domain/errors.ts'
import { openThread, type Parts } from './thread.ts'
import { openTurns, type TurnLimits } from './turns.ts'

const made = new Counter({
  name: 'kvitt_files_made_total',
  help: 'Files that a thread made, and those that it did not: refused (no place), left (nobody wanted it any more), late, failed',
  labelNames: ['queue', 'outcome'],
  registers: [],
})
const waiting = new Gauge({
  name: 'kvitt_files_under_way',
  help: 'Files that are being made, or wait for it',
  labelNames: ['queue'],
  registers: [],
})

/** By queue: since when each of those is under way, the oldest first. */
const since = new Map<string, Set<{ readonly atMs: number }>>()
const oldest = new Gauge({
  name: 'kvitt_files_oldest_seconds',
  help: 'For how long the oldest of the files under way has been made or waited for; 0 when there is none',
  labelNames: ['queue'],
  aggregator: 'max',
  registers: [],
  collect() {
    for (const [queue, begun] of since) {
      const [first] = begun
      this.set({ queue }, first ? (performance.now() - first.atMs) / 1000 : 0)
    }
  },
})

/** Lets `registry` tell of all file queues. */
export function measureFileQueues(registry: Registry): void {
  registry.registerMetric(oldest)
  registry.registerMetric(made)
  registry.registerMetric(waiting)
}

export type FileQueue = {
  /**
   * The file made of `parts`, which are not read before the turn comes. Throws `files_busy` when there is no place or when it
   * took too long, the signal's reason when that ends it, and what went wrong.
   */
  make(parts: Parts, by: Asker): Promise<Uint8Array>
}

type QueueOptions = Omit<TurnLimits, 'atOnce'> & {
  /** In metrics. */
  readonly name: string
  /** The module that makes the files, beside `from`. */
  readonly thread: string
  readonly from: string
  /** How long making one may take. */
  readonly longestMs: number
}

export function openFileQueue({ name, thread: module, from, longestMs, ...limits }: QueueOptions): FileQueue {
  const thread = openThread(module, from)
  const queue = openWorkQueue({ name, atOnce: 1, ...limits })
  return {
    make: (parts, by) =>
      queue.run(async () => {
        const limit = AbortSignal.timeout(longestMs)
        try {
          return await thread.make(parts, by.signal ? AbortSignal.any([by.signal, limit]) : limit)
        } catch (error) {
          throw limit.aborted && error === limit.reason ? new TooLate() : error
        }
      }, by),
  }
}

class TooLate extends Error {}

type Asker = { readonly requester: string; readonly signal?: AbortSignal }

export type WorkQueue = {
  /** What `work` answers, once the turn has come. Throws as `FileQueue.make` does. */
  run<Result>(work: () => Promise<Result>, by: Asker): Promise<Result>
}

/** The same without a thread, for files that are no work to make: what their rows cost the database is shared out by turns. */
export function openWorkQueue({ name, ...limits }: TurnLimits & { readonly name: string }): WorkQueue {
  const turns = openTurns(limits)
  waiting.labels(name).set(0)
  const begun = since.get(name) ?? new Set()
  since.set(name, begun)
  const takeTurn = async ({ requester, signal }: Asker): Promise<() => void> => {
    try {
      const turn = turns.take(requester, signal)
      waiting.labels(name).set(turns.taken())
      return await turn
    } catch (error) {
      made.labels(name, signal?.aborted ? 'left' : 'refused').inc()
      throw error
    } finally {
      waiting.labels(name).set(turns.taken())
    }
  }
  return {
    async run(work, by) {
      const here = { atMs: performance.now() }
      begun.add(here)
      const endTurn = await takeTurn(by).catch((error: unknown) => {
        begun.delete(here)
        throw error
      })
      try {
        const done = await work()
        made.labels(name, 'made').inc()
        return done
      } catch (error) {
        // The question was refused, such as for its filter: nothing was to be made.
        if (error instanceof Refusal) throw error
        const isLate = error instanceof TooLate
        made.labels(name, by.signal?.aborted ? 'left' : isLate ? 'late' : 'failed').inc()
        throw isLate ? new Refusal('files_busy', { retryAfterSeconds: '60' }) : error
      } finally {
        begun.delete(here)
        endTurn()
        waiting.labels(name).set(turns.taken())
      }
    },
  }
}
