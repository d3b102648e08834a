/** A passkey that signs in: the device has checked that it is its owner, so that it is password and second factor in one. */
import { Refusal } from '@kvitt/domain/errors.ts'
import { networkActor, noteEvent, noteWithin } from '../audit/audit.ts'
import type { Context } from '../context.ts'
import type { Instance } from '../instances/instances.ts'
import { queueToStaff } from '../mail/mail.ts'
import type { Transaction } from '../platform/database/database.ts'
import { newId } from '../platform/identity.ts'
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
import {
  CHALLENGE_MS,
  userHandleOf,
  makeChallenge,
  takeChallenge,
  type RelyingParty,
} from './relying-party.ts'

const WINDOW_MS = 15 * 60_000
/** Answers of one network in a quarter of an hour: as many as a large office needs. */
const MOST_TRIES = 300
/** Those of one browser that knows the account. */
const MOST_OF_BROWSER = 30

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

type Tried = {
  readonly assertion: Assertion
  readonly address: string
  /** Whose password was right. */
  readonly personId: string | undefined
  /** That the account of an address has signed in in this browser before, if it has. */
  readonly proofOf: (email: string) => string | undefined
}

type KnownAt = { readonly id: string; readonly proof: string | undefined }

/** A browser in which its owner has signed in has its own: nobody else in the network uses that up. */
function budgetsOf(address: string, known: KnownAt | undefined) {
  if (known?.proof !== undefined)
    return [{ name: JSON.stringify(['passkey-device', known.id, known.proof]), limit: MOST_OF_BROWSER }]
  const { network, site } = guessNetworksOf(address)
  return [{ name: JSON.stringify(['passkey', site ?? network]), limit: MOST_TRIES }]
}

/**
 * Whose passkey has signed the challenge of this sign-in. It is used up by `usePasskey`, with what else the sign-in writes. Refuses
 * `sign_in_throttled`, `passkey_expired`, `passkey_unknown`, `passkey_unverified` and `passkey_failed`.
 */
export async function provePasskey(
  context: Context,
  signingIn: SigningIn,
  { assertion, address, personId, proofOf }: Tried,
): Promise<ProvenPasskey> {
  const { instance, party } = signingIn
  // An answer to nothing is none, and keeps nobody out.
  const challenge = await takeChallenge(context, keyOf(signingIn))
  const known = await readPasskeyByCredential(context.db, { rpId: party.id, credentialId: assertion.id })
  const budgets = budgetsOf(address, known && { id: known.person_id, proof: proofOf(known.email) })
  if (!(await takeTry(context, instance, { scope: 'staff-sign-in', budgets, windowMs: WINDOW_MS })))
    throw new Refusal('sign_in_throttled')
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
  const handle = Buffer.from(userHandleOf(known.person_id)).toString('base64url')
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

/**
 * Notes the use. False when the passkey was removed meanwhile. A counter that stands still says that there are two of a key: then the
 * log says so, its owner is told, and the refusal to give is answered, so that what is written stays.
 */
export async function usePasskey(
  tx: Transaction,
  context: Context,
  { instance, address, proven }: Used,
): Promise<boolean | Refusal> {
  const now = context.clock.now()
  const { person, use } = proven
  const used = await usePasskeyRow(tx, { ...use, at: new Date(now).toISOString() })
  if (used.state !== 'copied') return used.state === 'used'
  const actor = networkActor(context, instance.id, networkOf(address))
  const about = `passkey:${use.id}`
  await noteWithin(tx, { instanceId: instance.id, kind: 'staff_refused', actor, about })
  queueToStaff(context, tx, {
    kind: 'staff_passkey_copied',
    cause: `passkey:${newId(now)}`,
    instance,
    recipient: person.email,
    params: { name: person.name, passkey: used.name },
  })
  return new Refusal('passkey_copied')
}

type Used = { readonly instance: Instance; readonly address: string; readonly proven: ProvenPasskey }
