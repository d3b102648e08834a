/** Work that nobody waits for. It runs in this process, a failure ends nothing else, and the process ends after it. */
import { Counter, Gauge, type Registry } from 'prom-client'
import type { Log } from './log.ts'

// `job` is what Prometheus itself calls those whom it asks, and puts in the place of ours.
const FAILED = new Counter({
  name: 'kvitt_job_failures_total',
  help: 'Runs of a job of this process that failed; it is tried again after its interval',
  labelNames: ['job_name'],
  registers: [],
})
const ENDED = new Gauge({
  name: 'kvitt_job_ended_seconds',
  help: 'How long ago a job of this process came to its end without a failure, or was begun to be run',
  labelNames: ['job_name'],
  aggregator: 'max',
  registers: [],
  collect() {
    for (const [job, atMs] of endedAtMs) this.set({ job_name: job }, (performance.now() - atMs) / 1000)
  },
})
/** By job; on the clock of the process, which no demo moves. */
const endedAtMs = new Map<string, number>()

/** Lets `registry` tell of the jobs of this process. */
export function measureJobs(registry: Registry): void {
  registry.registerMetric(FAILED)
  registry.registerMetric(ENDED)
}

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
      FAILED.inc({ job_name: name }, 0)
      endedAtMs.set(name, performance.now())
      const failed = (error: unknown): void => {
        FAILED.inc({ job_name: name })
        log.error({ err: error, job: name }, 'job failed')
      }
      const kept = async (): Promise<void> => {
        await work()
        endedAtMs.set(name, performance.now())
      }
      const schedule = (): void => {
        if (isStopped) return
        const timer = setTimeout(() => {
          timers.delete(timer)
          begin(kept, failed, schedule)
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
