/** A passkey that signs in: the device has checked that it is its owner, so that it is password and second factor in one. */
import { Refusal } from '@kvitt/domain/errors.ts'
import { networkActor, noteEvent } from '../audit/audit.ts'
import type { Context } from '../context.ts'
import type { Instance } from '../instances/instances.ts'
import type { Transaction } from '../platform/database/database.ts'
import { guessNetworksOf, takeTry } from '../sign-in/sign-in.ts'
import { networkOf } from '../sign-in/viewer.ts'
import { hashOf } from '../staff/staff.ts'
import {
  readPasskeyByCredential,
  readPasskeys,
  usePasskeyRow,
  type ChallengeKey,
  type KnownPasskey,
  type Use,
} from './passkeys.queries.ts'
import { CHALLENGE_MS, handleOf, makeChallenge, takeChallenge, type RelyingParty } from './relying-party.ts'

const WINDOW_MS = 15 * 60_000
/** Answers of one network in a quarter of an hour: as many as a large office needs. */
const MOST_TRIES = 300

/** A sign-in that has begun in a browser. */
export type SigningIn = { readonly instance: Instance; readonly party: RelyingParty; readonly uid: string }

function keyOf({ instance, party, uid }: SigningIn): ChallengeKey {
  return { instanceId: instance.id, model: 'PasskeySignIn', idHash: hashOf(`${uid} ${party.origin}`) }
}

/** What the browser signs. `personId` is whose password was right; else whoever has one here may come. */
export async function askForPasskey(context: Context, signingIn: SigningIn, personId: string | undefined) {
  const keys = personId === undefined ? [] : await readPasskeys(context.db, personId)
  return {
    challenge: await makeChallenge(context, keyOf(signingIn), personId ?? null),
    rpId: signingIn.party.id,
    timeout: CHALLENGE_MS,
    userVerification: 'required' as const,
    allowCredentials: keys
      .filter(({ rp_id }) => rp_id === signingIn.party.id)
      .map(({ credential_id: id, transports }) => ({ id, type: 'public-key' as const, transports })),
  }
}

type Assertion = {
  readonly id: string
  readonly rawId: string
  readonly type: 'public-key'
  readonly response: {
    readonly clientDataJSON: string
    readonly authenticatorData: string
    readonly signature: string
    readonly userHandle?: string | null | undefined
  }
}

export type ProvenPasskey = {
  readonly person: { readonly id: string; readonly email: string; readonly name: string }
  readonly use: Omit<Use, 'at'>
}

/**
 * Whose passkey has signed the challenge of this sign-in. It is used up by `usePasskey`, with what else the sign-in writes. Refuses
 * `sign_in_throttled`, `passkey_expired`, `passkey_unknown`, `passkey_unverified` and `passkey_failed`.
 */
export async function provePasskey(
  context: Context,
  signingIn: SigningIn,
  { assertion, address, personId }: { assertion: Assertion; address: string; personId: string | undefined },
): Promise<ProvenPasskey> {
  const { instance, party } = signingIn
  const { network, site } = guessNetworksOf(address)
  const budgets = [{ name: JSON.stringify(['passkey', site ?? network]), limit: MOST_TRIES }]
  if (!(await takeTry(context, instance, { scope: 'staff-sign-in', budgets, windowMs: WINDOW_MS })))
    throw new Refusal('sign_in_throttled')
  const challenge = await takeChallenge(context, keyOf(signingIn))
  const known = await readPasskeyByCredential(context.db, { rpId: party.id, credentialId: assertion.id })
  const isOther = known !== undefined && personId !== undefined && personId !== known.person_id
  try {
    if (!known || isOther) throw new Refusal('passkey_unknown')
    return await check(assertion, { challenge, party, known })
  } catch (error) {
    const actor = networkActor(context, instance.id, networkOf(address))
    await noteEvent(context, { instanceId: instance.id, kind: 'staff_refused', actor, about: 'passkey' })
    throw error
  }
}

type Against = {
  readonly challenge: string
  readonly party: RelyingParty
  readonly known: KnownPasskey
}

async function check(
  { response, ...sent }: Assertion,
  { challenge, party, known }: Against,
): Promise<ProvenPasskey> {
  const { clientDataJSON, authenticatorData, signature, userHandle } = response
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server')
  const verified = await verifyAuthenticationResponse({
    response: {
      ...sent,
      response: { clientDataJSON, authenticatorData, signature },
      clientExtensionResults: {},
    },
    expectedChallenge: challenge,
    expectedOrigin: party.origin,
    expectedRPID: party.id,
    // The counter is compared where it is written: of two at once, one is later.
    credential: { id: known.credential_id, publicKey: Uint8Array.from(known.public_key), counter: 0 },
    // Looked at below, so that it can be said what is missing.
    requireUserVerification: false,
  }).catch(() => undefined)
  if (!verified?.verified) throw new Refusal('passkey_failed')
  const handle = Buffer.from(handleOf(known.person_id)).toString('base64url')
  if (userHandle && userHandle !== handle) throw new Refusal('passkey_failed')
  const { userVerified, newCounter, credentialDeviceType, credentialBackedUp } = verified.authenticationInfo
  if (!userVerified) throw new Refusal('passkey_unverified')
  return {
    person: { id: known.person_id, email: known.email, name: known.person_name },
    use: {
      id: known.id,
      counter: newCounter,
      isMultiDevice: credentialDeviceType === 'multiDevice',
      isBackedUp: credentialBackedUp,
    },
  }
}

/** Notes the use. False when the passkey was removed meanwhile, or is a copy of one that has gone on. */
export function usePasskey(
  tx: Transaction,
  { clock }: Pick<Context, 'clock'>,
  { use }: ProvenPasskey,
): Promise<boolean> {
  return usePasskeyRow(tx, { ...use, at: new Date(clock.now()).toISOString() })
}
