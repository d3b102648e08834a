/**
 * The one guard in front of every public call. The pair in the path is the credential, so each call is an
 * attempt to sign in, and all of them draw on the same budgets of failed guesses (D-06, threats bf.vertical, bf.horizontal, bf.hop).
 */
import { createHmac } from 'node:crypto'
import type { Context } from '../context.ts'
import { DEFAULT_LIMITS, limitsOf, type Instance } from '../instances/instances.ts'
import type { Clock } from '../platform/clock.ts'
import type { Connection } from '../platform/database/database.ts'
import type { Measure } from '../platform/measures/measures.ts'
import { checkSolution, makeChallenge, type Challenge } from './challenges.ts'
import { countOpenBreakers, spendChallenge, takeGuess } from './guesses.queries.ts'
import { isFresh, proofFor, rememberDevice } from './known-devices.ts'
import { guessNetworksOf } from './network.ts'
import { publicViewer, UnprovenPair, type Guess, type PublicViewer } from './viewer.ts'

export { budgetsOfAccount, forgiveQuestion, takeQuestion, takeTry, type AccountVisit } from './budgets.ts'
export { proofFor, rememberDevice } from './known-devices.ts'
export { guessNetworksOf } from './network.ts'
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
  /** Of a challenge, as the call brings it; anything. */
  readonly solution: string | undefined
}

/** `setCookie` is for the browser, once the call has succeeded; undefined when it has been in not long before. */
type Met<Pair> = { readonly principal: Pair; readonly setCookie: string | undefined }

/**
 * Who asks, by the pair in the path. Refuses with `login_error::invalid_data` when no invoice that may be seen
 * has it, and with `login_throttled` when a budget is used up, be the pair right or wrong.
 */
export async function authenticatePair(guarded: Guarded, attempt: Attempt): Promise<Met<PublicViewer>> {
  const { principal, setCookie } = await meetPair(guarded, attempt)
  if (principal.kind === 'public') return { principal, setCookie }
  await takeGuess(guarded.db, principal)
  return { principal: principal.viewer, setCookie }
}

/**
 * The same, where the call's own first read takes the guess. A device that carries the proof of this very pair is not
 * guessing: for it nothing is counted and nothing is locked.
 * A solved challenge lifts the budgets that are shared with others, for this one guess; the reference's own never.
 */
export async function meetPair(
  guarded: Guarded,
  attempt: Attempt,
): Promise<Met<PublicViewer | UnprovenPair>> {
  const viewer = publicViewer(attempt.instance, attempt.reference, attempt.zip)
  const pair = { instanceId: viewer.instance.id, reference: viewer.reference, zip: viewer.zip }
  const signer = signerOf(guarded)
  const cookie = { sent: attempt.cookie, isHttps: attempt.isHttps }
  const proof = proofFor(signer, pair, cookie)
  if (proof) {
    const setCookie = isFresh(signer, proof) ? undefined : rememberDevice(signer, pair, cookie)
    return { principal: viewer, setCookie }
  }
  const isLifted = attempt.solution !== undefined && (await spend(guarded, viewer, attempt))
  const guess = guessOf(guarded, viewer, attempt.address, isLifted)
  return {
    principal: new UnprovenPair(viewer, guess),
    setCookie: rememberDevice(signer, pair, cookie),
  }
}

/**
 * The end of a call whose first read was to take the guess. Takes it when the read did not, so that whoever is not let in
 * hears that first, and nobody guesses for nothing.
 */
export async function endFirstRead(db: Connection, pair: UnprovenPair): Promise<void> {
  if (!pair.isTaken) await takeGuess(db, pair)
}

const signerOf = ({ clock, key }: Pick<Guarded, 'clock' | 'key'>) => ({ key, nowMs: clock.now() })

/** A challenge for whoever calls from `address` and has been told to wait with `reference`, whether anybody has that or not. */
export function challengeFor(
  { clock, guessKey }: Pick<Context, 'clock' | 'guessKey'>,
  instance: Instance,
  { reference, address }: Pick<Attempt, 'reference' | 'address'>,
): Promise<Challenge> {
  const viewer = publicViewer(instance, reference, ANY_ZIP)
  return makeChallenge(signerOf({ clock, key: guessKey }), purposeOf(viewer, address))
}

/** A challenge is not for a zip, but a viewer has one. */
const ANY_ZIP = '0'

function purposeOf({ instance, reference }: PublicViewer, address: string) {
  return { instanceId: instance.id, reference, network: guessNetworksOf(address).network }
}

/** Spends a challenge that was solved for a question that is no guess of a pair. False: it is worth nothing. */
export function spendSolution(
  { db, clock, guessKey }: Pick<Context, 'db' | 'clock' | 'guessKey'>,
  instance: Instance,
  { reference, address, solution }: Pick<Attempt, 'reference' | 'address'> & { readonly solution: string },
): Promise<boolean> {
  return spend({ db, clock, key: guessKey }, publicViewer(instance, reference, ANY_ZIP), {
    address,
    solution,
  })
}

/** Was it a solution, made for this, and is it spent now and by this call? */
async function spend(
  guarded: Guarded,
  viewer: PublicViewer,
  attempt: Pick<Attempt, 'address' | 'solution'>,
): Promise<boolean> {
  const purpose = purposeOf(viewer, attempt.address)
  const solved = await checkSolution(signerOf(guarded), purpose, attempt.solution ?? '')
  if (!solved) return false
  return spendChallenge(guarded.db, purpose.instanceId, solved.key, solved.until)
}

export const GUESS_MEASURES: readonly Measure[] = [
  {
    name: 'kvitt_guess_breakers_open',
    help: 'Instances where strangers have to solve a challenge',
    count: (db, clock) =>
      countOpenBreakers(db, new Date(clock.now()).toISOString(), DEFAULT_LIMITS.instancePerTenMinutes ?? 0),
  },
]

/** More failures than anybody counts: they still are counted, so that it shows what is going on. */
const LIFTED = 1_000_000_000
/** The limits of zip, network, instance and site, in their places: the budgets that guessers share with others. */
const SHARED = [2, 3, 4, 5]

/** The keys are made from the canonical forms, so that no spelling has a budget of its own (threat bf.alias). */
function guessOf({ key, clock }: Guarded, viewer: PublicViewer, address: string, isLifted: boolean): Guess {
  const { id } = viewer.instance
  const { network, site } = guessNetworksOf(address)
  const reference = keyedHash(key, `reference\n${id}\n${viewer.reference}`)
  const isPossible = viewer.reference !== ''
  const limits = limitsOf(viewer.instance.row.guess_limits).map((limit, place) => {
    // What nobody can have gives nothing away, and has no budget that strangers would share.
    if (limit === null || (place < 3 && !isPossible) || (place === 5 && !site)) return null
    return isLifted && SHARED.includes(place) ? LIFTED : limit
  })
  return {
    keys: [
      reference.subarray(0, 16),
      reference.subarray(16, 32),
      rememberedHash(key, `zip\n${id}\n${viewer.zip}`).subarray(0, 16),
      rememberedHash(key, `network\n${id}\n${network}`).subarray(0, 16),
      Buffer.from(id.replaceAll('-', ''), 'hex'),
      rememberedHash(key, `site\n${id}\n${site ?? ''}`).subarray(0, 16),
    ],
    limits,
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
