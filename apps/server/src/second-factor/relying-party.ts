/** For which host a passkey is made, and what of WebAuthn is the same for making one and for signing in with it. */
import { isIP } from 'node:net'
import { randomBytes } from 'node:crypto'
import { Refusal } from '@kvitt/domain/errors.ts'
import type { Context } from '../context.ts'
import { hostName } from '../instances/instances.ts'
import type { Connection } from '../platform/database/database.ts'
import { keepChallengeRow, takeChallengeRow, type ChallengeKey } from './passkeys.queries.ts'

/** A challenge waits for so long: for whoever has to look for their key. */
export const CHALLENGE_MS = 5 * 60_000

/** The portal that a browser shows. */
export type RelyingParty = {
  /** Its host: a passkey belongs to it. */
  readonly id: string
  /** Scheme, host and port, which the browser itself signs. */
  readonly origin: string
}

type Reached = { readonly headers: { readonly host?: string | undefined }; readonly isHttps: boolean }

/** Undefined at an address in digits, for which no browser makes one. */
export function findRelyingParty({ headers, isHttps }: Reached): RelyingParty | undefined {
  const host = headers.host?.toLowerCase() ?? ''
  const id = hostName(host) ?? ''
  if (id === '' || id.startsWith('[') || isIP(id) !== 0) return undefined
  return { id, origin: new URL(`${isHttps ? 'https' : 'http'}://${host}`).origin }
}

/** The same. Refuses `passkey_not_here`. */
export function relyingPartyOf(request: Reached): RelyingParty {
  const party = findRelyingParty(request)
  if (!party) throw new Refusal('passkey_not_here')
  return party
}

type Parts = Pick<Context, 'clock'> & { readonly db: Connection }

/** A challenge of 256 random bits, in the place of one before. */
export async function makeChallenge(
  { db, clock }: Parts,
  key: ChallengeKey,
  personId: string | null,
): Promise<string> {
  const challenge = randomBytes(32).toString('base64url')
  const expiresAt = new Date(clock.now() + CHALLENGE_MS).toISOString()
  await keepChallengeRow(db, key, { challenge, personId, expiresAt })
  return challenge
}

/** Uses it up, before its answer is looked at: one answer, right or wrong. Refuses `passkey_expired`. */
export async function takeChallenge({ db, clock }: Parts, key: ChallengeKey): Promise<string> {
  const challenge = await takeChallengeRow(db, key, new Date(clock.now()).toISOString())
  if (challenge === undefined) throw new Refusal('passkey_expired')
  return challenge
}

/** How the person is called at the authenticator: by the bytes of their identifier, which say nothing of them. */
export const userHandleOf = (personId: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(Buffer.from(personId.replaceAll('-', ''), 'hex'))
