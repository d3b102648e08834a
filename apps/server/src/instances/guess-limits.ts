/** How many failed guesses are allowed: settings of an instance, with defaults. */

/**
 * Failed guesses of a pair that no invoice has, by what they have in common; null turns a budget off. A window
 * begins with its first failure. Why these: threats bf.vertical, bf.horizontal.
 */
export type GuessLimits = {
  /** Against one reference in 24 hours, and in 30 days. */
  readonly referencePerDay: number | null
  readonly referencePerMonth: number | null
  /** With one zip, whatever the reference. */
  readonly zipPerHour: number | null
  /** From one network: the /24 of an IPv4 address, the /64 of an IPv6 address. The /48 around that has twice as many. */
  readonly networkPerHour: number | null
  /** In the whole instance, when they are also more than a fifth of all guesses. */
  readonly instancePerTenMinutes: number | null
}

/** What an instance keeps: only what differs from the defaults. */
export type GuessSettings = Partial<GuessLimits> & {
  /** Orders of electronic identification that one address may start; each costs, and may be somebody's bait (threat eid.qr). */
  readonly eidStartsPerTenMinutes?: number | null
  /** Questions that are no guesses of a pair, such as whether a message is from here, by network. */
  readonly questionsPerHour?: number | null
}

export const DEFAULT_LIMITS: GuessLimits = {
  referencePerDay: 5,
  referencePerMonth: 20,
  zipPerHour: 50,
  networkPerHour: 30,
  instancePerTenMinutes: 200,
}

/** In the demo everybody comes from one address (D-06). */
export const DEMO_GUESS_SETTINGS: GuessSettings = {
  networkPerHour: null,
  instancePerTenMinutes: null,
  eidStartsPerTenMinutes: null,
  questionsPerHour: null,
}

const EID_STARTS = 10
const QUESTIONS = 30

function isUsableLimit(set: number | null | undefined): set is number | null {
  return set === null || (Number.isInteger(set) && Number(set) >= 0 && Number(set) <= 1_000_000)
}

/** How many orders of electronic identification an address may start in ten minutes; null for any number. */
export function eidStartLimitOf({ eidStartsPerTenMinutes: set }: GuessSettings): number | null {
  return isUsableLimit(set) ? set : EID_STARTS
}

/** How many questions of each kind a network is answered in an hour; null for any number. */
export function questionLimitOf({ questionsPerHour: set }: GuessSettings): number | null {
  return isUsableLimit(set) ? set : QUESTIONS
}

/**
 * The limits in the order in which the database takes them: those of GuessLimits, and the one of a /48.
 * What is not a whole number falls back to the default.
 */
export function limitsOf(settings: GuessSettings): (number | null)[] {
  const limits = (Object.keys(DEFAULT_LIMITS) as (keyof GuessLimits)[]).map((name) => {
    const set = settings[name]
    return isUsableLimit(set) ? set : DEFAULT_LIMITS[name]
  })
  const network = limits[3] ?? null
  return [...limits, network === null ? null : network * 2]
}
