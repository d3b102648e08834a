/** How a person gets a passkey. */
import type { RegistrationResponseJSON } from '@simplewebauthn/server'
import { Refusal } from '@kvitt/domain/errors.ts'
import type { Context } from '../context.ts'
import type { Transaction } from '../platform/database/database.ts'
import { newId } from '../platform/identity.ts'
import { hashOf } from '../staff/staff.ts'
import { endProofs, readFactor } from './factors.queries.ts'
import {
  insertPasskeyRow,
  readPasskeys,
  type ChallengeKey,
  type NewPasskey,
  type PasskeyRow,
} from './passkeys.queries.ts'
import {
  CHALLENGE_MS,
  userHandleOf,
  makeChallenge,
  takeChallenge,
  type RelyingParty,
} from './relying-party.ts'
import { holdOwner, newCodes, noteFactor, type ChangingOwner, type FactorOwner } from './set-up.ts'

/** Devices of one person; more than anybody carries. */
const MOST = 20

/** ES256, EdDSA and RS256: every authenticator has one of them, and every Node that we run on checks them. */
const ALGORITHMS = [-7, -8, -257]

/** Who adds one: a session that has just signed in, or a sign-in that goes no further without one. */
export type Adding = {
  readonly by: { readonly sessionId: string } | { readonly signIn: string }
  readonly party: RelyingParty
}

function keyOf({ instance }: FactorOwner, { by, party }: Adding): ChallengeKey {
  const begun = 'sessionId' in by ? by.sessionId : `sign-in ${by.signIn}`
  const idHash = hashOf(`${begun} ${party.origin}`)
  return { instanceId: instance.id, model: 'PasskeyAdd', idHash }
}

const ofParty = (keys: readonly PasskeyRow[], { id }: RelyingParty): PasskeyRow[] =>
  keys.filter(({ rp_id }) => rp_id === id)

/** What the browser makes one from. Refuses `passkeys_full`. */
export async function beginPasskey(context: Context, owner: FactorOwner, adding: Adding) {
  const { instance, person } = owner
  const keys = await readPasskeys(context.db, person.id)
  if (keys.length >= MOST) throw new Refusal('passkeys_full')
  return {
    challenge: await makeChallenge(context, keyOf(owner, adding), person.id),
    rp: { id: adding.party.id, name: instance.row.name },
    user: {
      id: Buffer.from(userHandleOf(person.id)).toString('base64url'),
      name: person.email,
      displayName: person.name,
    },
    pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: 'public-key' as const, alg })),
    timeout: CHALLENGE_MS,
    attestation: 'none' as const,
    excludeCredentials: ofParty(keys, adding.party).map(({ credential_id: id, transports }) => ({
      id,
      type: 'public-key' as const,
      transports,
    })),
    authenticatorSelection: {
      residentKey: 'required' as const,
      requireResidentKey: true as const,
      userVerification: 'required' as const,
    },
  }
}

type Registration = {
  readonly id: string
  readonly rawId: string
  readonly type: 'public-key'
  readonly response: {
    readonly clientDataJSON: string
    readonly attestationObject: string
    readonly transports?: readonly string[] | undefined
  }
}

type Checked = Pick<
  NewPasskey,
  'credentialId' | 'publicKey' | 'counter' | 'isMultiDevice' | 'isBackedUp' | 'transports'
>

/**
 * What a browser has made for this challenge at this portal. A certificate of its maker is not asked for and not looked at: to check
 * one, the library would ask an address that stands in it.
 */
async function check(
  { response: { clientDataJSON, attestationObject, transports = [] }, ...sent }: Registration,
  { challenge, party }: { readonly challenge: string; readonly party: RelyingParty },
): Promise<Checked> {
  const [{ verifyRegistrationResponse }, { decodeAttestationObject }] = await Promise.all([
    import('@simplewebauthn/server'),
    import('@simplewebauthn/server/helpers'),
  ])
  const response: RegistrationResponseJSON = {
    ...sent,
    response: { clientDataJSON, attestationObject },
    clientExtensionResults: {},
  }
  const verified = await Promise.resolve()
    .then(() => {
      const bytes = Uint8Array.from(Buffer.from(attestationObject, 'base64url'))
      const attestation = decodeAttestationObject(bytes)
      if (attestation.get('fmt') !== 'none' && attestation.get('attStmt').get('x5c') !== undefined)
        throw new Error('a certificate that nobody has asked for')
      return verifyRegistrationResponse({
        response,
        expectedChallenge: challenge,
        expectedOrigin: party.origin,
        expectedRPID: party.id,
        // Looked at below, so that it can be said what is missing.
        requireUserVerification: false,
        supportedAlgorithmIDs: ALGORITHMS,
      })
    })
    .catch(() => undefined)
  if (!verified?.verified) throw new Refusal('passkey_failed')
  const { credential, userVerified, credentialDeviceType, credentialBackedUp } = verified.registrationInfo
  if (!userVerified) throw new Refusal('passkey_unverified')
  return {
    credentialId: credential.id,
    publicKey: credential.publicKey,
    counter: credential.counter,
    isMultiDevice: credentialDeviceType === 'multiDevice',
    isBackedUp: credentialBackedUp,
    transports,
  }
}

/**
 * Keeps the passkey that was made, for a session or a sign-in that is still open then. Whoever had no second factor gets recovery codes,
 * and what their password alone has proven ends; else the answer is empty. A sign-in has shown no more than the password, which adds
 * none to what there is: `sign_in_expired`. Refuses also `not_signed_in`, `passkey_expired`, `passkey_failed`, `passkey_unverified`,
 * `passkey_exists` and `passkeys_full`.
 */
export async function addPasskey(
  context: Context,
  owner: ChangingOwner,
  { name, registration, ...adding }: Made,
): Promise<readonly string[]> {
  const ended = await context.db.transaction(async (tx) => {
    await holdOwner(tx, owner)
    const challenge = await takeChallenge({ db: tx, clock: context.clock }, keyOf(owner, adding))
    try {
      const checked = await check(registration, { challenge, party: adding.party })
      return await keep(context, tx, owner, { ...adding, checked, name })
    } catch (error) {
      // It has changed nothing, and uses the challenge up.
      if (error instanceof Refusal) return error
      throw error
    }
  })
  if (ended instanceof Refusal) throw ended
  return ended
}

type Made = Adding & { readonly name: string; readonly registration: Registration }
type Kept = Adding & { readonly name: string; readonly checked: Checked }

async function keep(
  context: Context,
  tx: Transaction,
  { instance, person }: FactorOwner,
  { name, checked, by, party }: Kept,
): Promise<readonly string[]> {
  const now = context.clock.now()
  const at = new Date(now).toISOString()
  const keys = await readPasskeys(tx, person.id)
  const isFirst = keys.length === 0 && (await readFactor(tx, person.id)) === undefined
  if (!isFirst && 'signIn' in by) throw new Refusal('sign_in_expired')
  if (keys.length >= MOST) throw new Refusal('passkeys_full')
  const of = { id: newId(now), personId: person.id, instanceId: instance.id, rpId: party.id }
  if (!(await insertPasskeyRow(tx, { ...of, ...checked, name, at }))) throw new Refusal('passkey_exists')
  await noteFactor(context, tx, { instance, person, kind: 'staff_passkey_added', passkey: name })
  if (!isFirst) return []
  await endProofs(tx, { personId: person.id, at, exceptSession: 'sessionId' in by ? by.sessionId : null })
  return newCodes(tx, person.id)
}
