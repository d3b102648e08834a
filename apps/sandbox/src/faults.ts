import type { Journal } from './journal.ts'

/** What can go wrong on purpose, per counterparty. Each is used up at its natural moment, `times` times. */
export const BANK_FAULTS = [
  'timeout',
  'error500',
  'error-after-success',
  'duplicate-callback',
  'late-callback',
  'drop-callback',
  'reorder-callbacks',
  'wrong-amount',
  'wrong-currency',
  'expire',
] as const

export type BankFault = (typeof BANK_FAULTS)[number]

/** How many times each armed fault is still to happen; a fault that is not armed is absent. */
export type ArmedFaults = Partial<Record<BankFault, number>>

export interface Faults {
  /** Sets how many times a fault is still to happen, replacing an earlier number. */
  arm(fault: BankFault, times: number): void
  clear(): void
  /** True when the fault was armed; one of its times is then gone. */
  consume(fault: BankFault): boolean
  armed(): ArmedFaults
  replay(armed: ArmedFaults): void
}

export function isBankFault(name: unknown): name is BankFault {
  return BANK_FAULTS.some((fault) => fault === name)
}

/** Faults survive a restart, so that a kill in the middle of a test does not heal the bank. */
export function openFaults(journal: Pick<Journal, 'append'>, report: (text: string) => void): Faults {
  let armed: ArmedFaults = {}
  const change = (next: ArmedFaults) => {
    armed = next
    journal.append({ type: 'faults', armed })
  }
  const without = (fault: BankFault) => {
    const { [fault]: _, ...rest } = armed
    return rest
  }
  return {
    arm(fault, times) {
      change({ ...without(fault), [fault]: times })
      report(`Fault set: ${fault} ×${times}`)
    },
    clear() {
      change({})
      report('Faults cleared')
    },
    consume(fault) {
      const left = armed[fault] ?? 0
      if (left === 0) return false
      change(left > 1 ? { ...armed, [fault]: left - 1 } : without(fault))
      report(`Fault now: ${fault}`)
      return true
    },
    armed: () => armed,
    replay(earlier) {
      armed = earlier
    },
  }
}
