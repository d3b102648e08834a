import type { Clock } from '../clock.ts'

export interface ManualClock extends Clock {
  /** Moves time and runs every timer on the way, letting answers arrive in between. */
  advance(ms: number): Promise<void>
}

export function makeManualClock(startMs: number): ManualClock {
  let nowMs = startMs
  let timers: { atMs: number; act: () => void }[] = []
  const letAnswersArrive = async () => {
    for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve))
  }
  return {
    now: () => nowMs,
    after(delayMs, act) {
      const timer = { atMs: nowMs + delayMs, act }
      timers.push(timer)
      return () => {
        timers = timers.filter((other) => other !== timer)
      }
    },
    async advance(ms) {
      const untilMs = nowMs + ms
      for (;;) {
        await letAnswersArrive()
        const next = timers.filter((timer) => timer.atMs <= untilMs).sort((a, b) => a.atMs - b.atMs)[0]
        if (next === undefined) break
        timers = timers.filter((timer) => timer !== next)
        nowMs = Math.max(nowMs, next.atMs)
        next.act()
      }
      nowMs = untilMs
    },
  }
}
