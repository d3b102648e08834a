/** Work that comes back: each job runs in this process, one run at a time, and a failure never ends it. */
import type { Log } from './log.ts'

export type Jobs = {
  /** Runs `work` every `intervalMs`, the first time after one interval. A run that takes longer delays the next. */
  every(name: string, intervalMs: number, work: () => Promise<void>): void
  /** Starts nothing more and waits for what runs. */
  stop(): Promise<void>
}

export function openJobs(log: Log): Jobs {
  const timers = new Set<NodeJS.Timeout>()
  const running = new Set<Promise<void>>()
  let isStopped = false
  return {
    every(name, intervalMs, work) {
      const schedule = (): void => {
        if (isStopped) return
        const timer = setTimeout(() => {
          timers.delete(timer)
          const run = work()
            .catch((error: unknown) => log.error({ err: error, job: name }, 'job failed'))
            .finally(() => {
              running.delete(run)
              schedule()
            })
          running.add(run)
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
