import type { Clock } from './clock.ts'
import type { Delays } from './delays.ts'

/** What the payer has pressed and will have done in a moment. */
export interface Intention {
  orderId: string
  act: string
  /** When it happens; null: never. */
  atMs: number | null
}

/** The payer, who may be slow: what is pressed happens after a while, unless something else is pressed meanwhile. */
export interface SlowPayer {
  /** Does it later and answers true; false when the payer is not slow, and it is to be done now. */
  putOff(orderId: string, act: string, perform: () => void): boolean
  intentionOf(orderId: string): Intention | undefined
  stop(): void
}

export function openSlowPayer(
  delays: Pick<Delays, 'secondsOf'>,
  clock: Clock,
  report: (text: string) => void,
): SlowPayer {
  const intentions = new Map<string, Intention & { callOff(): void }>()
  const forget = (orderId: string) => {
    intentions.get(orderId)?.callOff()
    intentions.delete(orderId)
  }
  return {
    putOff(orderId, act, perform) {
      forget(orderId)
      const seconds = delays.secondsOf('payer')
      if (seconds === 0) return false
      if (seconds === null) {
        intentions.set(orderId, { orderId, act, atMs: null, callOff() {} })
        report('The payer means to, and never does')
        return true
      }
      const callOff = clock.after(seconds * 1_000, () => {
        intentions.delete(orderId)
        perform()
      })
      intentions.set(orderId, { orderId, act, atMs: clock.now() + seconds * 1_000, callOff })
      report(`The payer will ${act} in ${seconds} s`)
      return true
    },
    intentionOf: (orderId) => intentions.get(orderId),
    stop() {
      for (const { callOff } of intentions.values()) callOff()
      intentions.clear()
    },
  }
}
