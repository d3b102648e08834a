/** Work that nobody waits for. It runs in this process, a failure ends nothing else, and the process ends after it. */
import type { Log } from './log.ts'

export type Jobs = {
  /** Runs `work` every `intervalMs`, the first time after one interval. A run that takes longer delays the next. */
  every(name: string, intervalMs: number, work: () => Promise<void>): void
  /** Runs `work` now, beside its caller. `failed` hears why it did not end well. */
  beside(work: () => Promise<unknown>, failed: (error: unknown) => void): void
  /** Waits for what runs now. */
  rest(): Promise<void>
  /** Starts nothing more and waits for what runs. */
  stop(): Promise<void>
}

export function openJobs(log: Log): Jobs {
  const timers = new Set<NodeJS.Timeout>()
  const running = new Set<Promise<void>>()
  let isStopped = false
  const begin = (
    work: () => Promise<unknown>,
    failed: (error: unknown) => void,
    ended?: () => void,
  ): void => {
    const run: Promise<void> = work()
      .then(() => undefined, failed)
      .finally(() => {
        running.delete(run)
        ended?.()
      })
    running.add(run)
  }
  return {
    beside: (work, failed) => begin(work, failed),
    async rest() {
      await Promise.allSettled(running)
    },
    every(name, intervalMs, work) {
      const schedule = (): void => {
        if (isStopped) return
        const timer = setTimeout(() => {
          timers.delete(timer)
          begin(work, (error) => log.error({ err: error, job: name }, 'job failed'), schedule)
        }, intervalMs)
        timers.add(timer)
      }
      schedule()
    },
    async stop() {
      isStopped = true
      for (const timer of timers) clearTimeout(timer)
      await Promise.allSettled(running)
    },
  }
}
