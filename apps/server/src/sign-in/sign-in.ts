/**
 * The one guard in front of every public call. The pair in the path is the credential, so each call is an
 * attempt to sign in, and all of them draw on the same budgets of failed guesses (D-06, A-01 to A-06).
 */
import { createHmac } from 'node:crypto'
import { limitsOf, type Instance } from '../instances/instances.ts'
import type { Clock } from '../platform/clock.ts'
import type { Connection } from '../platform/database.ts'
import { takeGuess } from './guesses.queries.ts'
import { isKnownDevice, rememberDevice } from './known-devices.ts'
import { networkOf } from './network.ts'
import { publicViewer, type Guess, type PublicViewer } from './viewer.ts'

export { areApart, starterOf } from './network.ts'
export {
  forgetAllGuesses,
  forgetExpiredGuesses,
  guessed,
  guessedTogether,
  guessValues,
  readGuessedTogether,
  requireRight,
  type AskedGuess,
  type Guessed,
} from './guesses.queries.ts'

export type Guarded = {
  readonly db: Connection
  readonly clock: Clock
  /** Hides what is counted and signs the proofs of known devices; the same in every process. */
  readonly key: Uint8Array
}

/** A call with a pair. */
export type Attempt = {
  readonly instance: Instance
  readonly reference: string
  readonly zip: string
  /** The visitor's address, behind the proxies that are trusted. */
  readonly address: string
  readonly cookie: string | undefined
  /** Does the browser reach us over https? */
  readonly isHttps: boolean
  /** The call's own first read takes the guess, which saves the hottest calls a round trip. */
  readonly isTakenByRead: boolean
}

export type LetIn = {
  readonly viewer: PublicViewer
  /** Takes the guess that the call's own read would have taken; undefined when none is left to take. */
  readonly prove: (() => Promise<void>) | undefined
  /** For the browser, once the call has succeeded; undefined when it has been let in before. */
  readonly setCookie: string | undefined
}

/**
 * Who asks, by the pair in the path. Refuses with `login_error::invalid_data` when no invoice that may be seen
 * has it, and with `login_throttled` when a budget is used up, be the pair right or wrong. A device that carries
 * the proof of this very pair is not guessing: for it nothing is counted and nothing is locked.
 */
export async function letIn(guarded: Guarded, attempt: Attempt): Promise<LetIn> {
  const viewer = publicViewer(attempt.instance, attempt.reference, attempt.zip)
  const pair = { instanceId: viewer.instance.id, reference: viewer.reference, zip: viewer.zip }
  const signer = { key: guarded.key, nowMs: guarded.clock.now() }
  const cookie = { sent: attempt.cookie, isHttps: attempt.isHttps }
  if (isKnownDevice(signer, pair, cookie)) return { viewer, prove: undefined, setCookie: undefined }
  const guess = guessOf(guarded, viewer, networkOf(attempt.address))
  if (!attempt.isTakenByRead) await takeGuess(guarded.db, viewer, guess)
  return {
    viewer: attempt.isTakenByRead ? { ...viewer, guess } : viewer,
    prove: attempt.isTakenByRead ? () => takeGuess(guarded.db, viewer, guess) : undefined,
    setCookie: rememberDevice(signer, pair, cookie),
  }
}

/** The keys are made from the canonical forms, so that no spelling has a budget of its own. */
function guessOf({ key, clock }: Guarded, viewer: PublicViewer, network: string): Guess {
  const { id } = viewer.instance
  const reference = keyedHash(key, `reference\n${id}\n${viewer.reference}`)
  const limits = limitsOf(viewer.instance.row.guess_limits)
  const isPossible = viewer.reference !== ''
  return {
    keys: [
      reference.subarray(0, 16),
      reference.subarray(16, 32),
      rememberedHash(key, `zip\n${id}\n${viewer.zip}`).subarray(0, 16),
      rememberedHash(key, `network\n${id}\n${network}`).subarray(0, 16),
      Buffer.from(id.replaceAll('-', ''), 'hex'),
    ],
    // What nobody can have gives nothing away, and has no budget that strangers would share.
    limits: isPossible ? limits : limits.map((limit, scope) => (scope < 3 ? null : limit)),
    at: new Date(clock.now()).toISOString(),
  }
}

function keyedHash(key: Uint8Array, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest()
}

const MOST_REMEMBERED = 10_000
const remembered = new WeakMap<Uint8Array, Map<string, Buffer>>()

/** Zips and networks come again and again, and hashing them each time is a tenth of what a read costs here. */
function rememberedHash(key: Uint8Array, text: string): Buffer {
  const hashes = remembered.get(key) ?? new Map<string, Buffer>()
  remembered.set(key, hashes)
  const known = hashes.get(text)
  if (known) return known
  if (hashes.size >= MOST_REMEMBERED) hashes.clear()
  const made = keyedHash(key, text)
  hashes.set(text, made)
  return made
}
