import { TARGETS } from './faults.ts'
import type { Target } from './faults.ts'
import type { Journal } from './journal.ts'

/** Who can be slow: each counterparty, and the payer. */
export type Slow = Target | 'payer'

export const SLOW = ['payer', ...TARGETS] as const satisfies readonly Slow[]

/** After how many seconds each answers; null: the payer never does. */
export type SlowSeconds = Record<Slow, number | null>

/** The longest that somebody can be made to wait. */
export const MOST_SECONDS = 600

/** How slowly the payer decides, and how long each counterparty takes for an answer that it has made already. */
export interface Delays {
  all(): SlowSeconds
  secondsOf(slow: Slow): number | null
  set(slow: Slow, seconds: number | null): void
  replay(seconds: Partial<SlowSeconds>): void
}

export function isSlow(name: unknown): name is Slow {
  return SLOW.some((slow) => slow === name)
}

/** Delays survive a restart, as faults do. */
export function openDelays(journal: Pick<Journal, 'append'>, report: (text: string) => void): Delays {
  let all = Object.fromEntries(SLOW.map((slow) => [slow, 0])) as SlowSeconds
  return {
    all: () => all,
    secondsOf: (slow) => all[slow],
    set(slow, seconds) {
      all = { ...all, [slow]: seconds }
      journal.append({ type: 'delays', seconds: all })
      report(
        `${slow === 'payer' ? 'The payer' : slow} answers ${seconds === null ? 'never' : `after ${seconds} s`}`,
      )
    },
    replay(seconds) {
      all = { ...all, ...seconds }
    },
  }
}
