/**
 * A challenge takes the place of a wait where the wait would hit people who did nothing (D-40): a calculation that costs a
 * device a fraction of a second and whoever guesses by the million a data centre. Nobody else is asked, nobody solves a riddle.
 *
 * Stateless until it is spent: what it is for is in its signature, so nothing is kept for those who ask and never come back.
 */
import { createHmac, pbkdf2, randomBytes, randomInt, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'

const derive = promisify(pbkdf2)

/** How long a solution is taken, from the moment at which the challenge was made. */
const LIFETIME_MS = 120_000
/** A spent challenge is remembered beyond its end, so that no process whose clock goes slow takes it again. */
const REMEMBERED_MS = 3_600_000
/**
 * One try. The browser and Node both do it in native code, so a guesser's machine has little more to gain than its cores. It is also
 * what a challenge costs this process: a fifth of a millisecond, away from the main thread.
 */
const ITERATIONS = 1_000
/**
 * Tries at most; half of them on average. All of them, 1,500,000 iterations, took Chromium 0.24 s in a worker on a server's
 * core, or about a second on a processor of a quarter its speed; two seconds are the most that it should be there.
 */
const TRIES = 1_500
const TARGET_BYTES = 16

/** What a challenge is worth something for, in canonical forms. `network` is the one of the guess budgets. */
export type Purpose = { readonly instanceId: string; readonly reference: string; readonly network: string }

/** `key`: the secret that all processes share. `nowMs`: milliseconds since 1970, real time. */
type Signer = { readonly key: Uint8Array; readonly nowMs: number }

export type Challenge = {
  /** Goes back as it came, with a dot and the number that was found. */
  readonly challenge: string
  /** base64: the password of the derivation. */
  readonly nonce: string
  /** base64: what PBKDF2 with SHA-256 makes of the nonce with the number, in decimal digits, as salt. */
  readonly target: string
  readonly iterations: number
  /** The number is below this. */
  readonly tries: number
  readonly expiresAt: string
}

function signatureOf({ key }: Signer, { instanceId, reference, network }: Purpose, said: string): Buffer {
  const text = ['challenge', instanceId, reference, network, said].join('\n')
  return createHmac('sha256', key).update(text).digest().subarray(0, 16)
}

const answerOf = (nonce: Uint8Array, number: number): Promise<Buffer> =>
  derive(nonce, String(number), ITERATIONS, TARGET_BYTES, 'sha256')

/** A fresh challenge. It costs this process one derivation, off the main thread. */
export async function makeChallenge(signer: Signer, purpose: Purpose): Promise<Challenge> {
  const [nonce, endsMs] = [randomBytes(16), signer.nowMs + LIFETIME_MS]
  const target = await answerOf(nonce, randomInt(TRIES))
  const said = [endsMs.toString(36), nonce.toString('base64url'), target.toString('base64url')].join('.')
  return {
    challenge: `${said}.${signatureOf(signer, purpose, said).toString('base64url')}`,
    nonce: nonce.toString('base64'),
    target: target.toString('base64'),
    iterations: ITERATIONS,
    tries: TRIES,
    expiresAt: new Date(endsMs).toISOString(),
  }
}

const SOLUTION = /^([0-9a-z]{1,9})\.([\w-]{22})\.([\w-]{22})\.([\w-]{22})\.(0|[1-9]\d{0,3})$/
const LONGEST_SOLUTION = 100

/** What has to be spent for a solution, and until when that is remembered (ISO). */
export type Solved = { readonly key: Uint8Array; readonly until: string }

/**
 * Undefined for what is no solution, is too late, or was made for something else: it is worth nothing, and no more is said.
 * What costs comes after the signature, so that a forged one is refused for the price of a hash.
 */
export async function checkSolution(
  signer: Signer,
  purpose: Purpose,
  solution: string,
): Promise<Solved | undefined> {
  const parts = solution.length <= LONGEST_SOLUTION ? SOLUTION.exec(solution) : null
  if (!parts) return undefined
  const [, ends = '', nonce = '', target = '', signature = '', number = ''] = parts
  const said = [ends, nonce, target].join('.')
  const given = Buffer.from(signature, 'base64url')
  if (!timingSafeEqual(given, signatureOf(signer, purpose, said))) return undefined
  const endsMs = Number.parseInt(ends, 36)
  if (signer.nowMs >= endsMs) return undefined
  const key = Buffer.from(nonce, 'base64url')
  const found = await answerOf(key, Number(number))
  if (!timingSafeEqual(found, Buffer.from(target, 'base64url'))) return undefined
  return { key, until: new Date(endsMs + REMEMBERED_MS).toISOString() }
}
