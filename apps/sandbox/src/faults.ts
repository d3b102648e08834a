import type { Journal } from './journal.ts'

/** Those of who moves money. */
const MONEY_FAULTS = [
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

/** What an issuer may say of somebody who signs in that must not be believed. */
export const ISSUER_FAULTS = [
  'wrong-nonce',
  'wrong-audience',
  'other-issuer',
  'other-sender',
  'old-sign-in',
  'unsigned',
  'wrong-key',
] as const

/** What can go wrong on purpose. Each is used up at its natural moment, `times` times. */
export const FAULTS = [
  ...MONEY_FAULTS,
  'stuck',
  'already-in-progress',
  'maintenance',
  ...ISSUER_FAULTS,
] as const

export type Fault = (typeof FAULTS)[number]

/** Which faults each counterparty can have. */
export const FAULTS_OF = {
  // Signed, and never executed by itself.
  bank: [...MONEY_FAULTS, 'stuck'],
  mobile: MONEY_FAULTS,
  eid: ['timeout', 'error500', 'error-after-success', 'expire', 'already-in-progress', 'maintenance'],
  mail: ['timeout', 'error500', 'error-after-success'],
  issuer: ['timeout', 'error500', 'expire', ...ISSUER_FAULTS],
} as const satisfies Record<string, readonly Fault[]>

export type Target = keyof typeof FAULTS_OF

/** Why a counterparty cannot have the other faults. */
export const MISSING_AT: Readonly<Record<Target, string>> = {
  bank: 'only the electronic ID or the issuer has it',
  mobile: 'it settles at once, and is no electronic ID',
  eid: 'the electronic ID calls nobody back and moves no money',
  mail: 'mail calls nobody back, moves no money and does not expire',
  issuer: 'an issuer only says who somebody is',
}

export const TARGETS = Object.keys(FAULTS_OF) as Target[]

/** How many times each armed fault is still to happen; a fault that is not armed is absent. */
export type ArmedFaults = Partial<Record<Fault, number>>

/** The faults of one counterparty. */
export interface Faults {
  /** Sets how many times a fault is still to happen, replacing an earlier number. */
  arm(fault: Fault, times: number): void
  /** True when the fault was armed; one of its times is then gone. */
  consume(fault: Fault): boolean
  armed(): ArmedFaults
}

export interface AllFaults {
  of(target: Target): Faults
  clear(): void
  armed(): Record<Target, ArmedFaults>
  replay(target: Target, armed: ArmedFaults): void
}

export function isTarget(name: unknown): name is Target {
  return TARGETS.some((target) => target === name)
}

export function isFault(name: unknown): name is Fault {
  return FAULTS.some((fault) => fault === name)
}

export function isFaultOf(target: Target, name: unknown): name is Fault {
  return FAULTS_OF[target].some((fault) => fault === name)
}

/** Faults survive a restart, so that a kill in the middle of a test does not heal a counterparty. */
export function openFaults(journal: Pick<Journal, 'append'>, report: (text: string) => void): AllFaults {
  const all = new Map<Target, ArmedFaults>(TARGETS.map((target) => [target, {}]))
  const armedOf = (target: Target) => all.get(target) ?? {}
  const change = (target: Target, armed: ArmedFaults) => {
    all.set(target, armed)
    journal.append({ type: 'faults', target, armed })
  }
  const without = (target: Target, fault: Fault) => {
    const { [fault]: _, ...rest } = armedOf(target)
    return rest
  }
  const of = (target: Target): Faults => ({
    arm(fault, times) {
      change(target, { ...without(target, fault), [fault]: times })
      report(`Fault set: ${target} ${fault} ×${times}`)
    },
    consume(fault) {
      const left = armedOf(target)[fault] ?? 0
      if (left === 0) return false
      change(target, left > 1 ? { ...armedOf(target), [fault]: left - 1 } : without(target, fault))
      report(`Fault now: ${target} ${fault}`)
      return true
    },
    armed: () => armedOf(target),
  })
  return {
    of,
    clear() {
      for (const target of TARGETS) if (Object.keys(armedOf(target)).length > 0) change(target, {})
      report('Faults cleared')
    },
    armed: () => Object.fromEntries(all) as Record<Target, ArmedFaults>,
    replay: (target, armed) => void all.set(target, armed),
  }
}
