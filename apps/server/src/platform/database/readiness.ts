/** Whether whoever shares out requests should send us any. */
import { setTimeout as sleep } from 'node:timers/promises'
import { statement, type Connection } from './database.ts'
import type { Log } from '../log.ts'

export type Readiness = {
  /** From now on the answer is no, while requests that come all the same are answered. */
  drain(): void
  /** Asks the database, as a request would. No as soon as it has not answered several times in a row. */
  isReady(): Promise<boolean>
}

const probe = statement('readiness.probe', 'select 1 as one')
const PROBE_MS = 2_000
/** One lost answer is no outage; taking a whole process out of service for it would make one. */
const MOST_FAILURES = 3

/** @param db the pool that requests use: when that is exhausted, we are not ready either */
export function openReadiness(db: Connection, log: Log): Readiness {
  let isDraining = false
  let failures = 0
  /** Shared by all who ask meanwhile, or strangers could make three failures of one. */
  let underWay: Promise<void> | undefined
  async function answers(): Promise<boolean> {
    const giveUp = new AbortController()
    const late = sleep(PROBE_MS, false, { signal: giveUp.signal, ref: false }).catch(() => false)
    const asked = db.rows(probe).then(
      () => true,
      (error: unknown) => {
        log.error({ err: error }, 'the database does not answer')
        return false
      },
    )
    try {
      return await Promise.race([asked, late])
    } finally {
      giveUp.abort()
    }
  }
  async function probeOnce(): Promise<void> {
    try {
      failures = (await answers()) ? 0 : failures + 1
    } finally {
      underWay = undefined
    }
  }
  return {
    drain() {
      isDraining = true
    },
    async isReady() {
      if (isDraining) return false
      underWay ??= probeOnce()
      await underWay
      return !isDraining && failures < MOST_FAILURES
    },
  }
}
