/** Passkeys of a person who works here (WebAuthn): sign-in without a password, or in the place of a code after it. */
import { z } from 'zod'
import { instant, officeCall } from '../contract.ts'
import { typedLine } from '../typed-text.contract.ts'

const base64url = (longest: number) =>
  z
    .string()
    .max(longest)
    .regex(/^[A-Za-z0-9_-]+$/)
const credentialId = base64url(1400)
const transports = z.array(z.string().max(20)).max(10)

/** What the person calls it, such as "Phone". */
const passkeyName = typedLine(60)

const ownPasskey = z.strictObject({
  id: z.string(),
  name: z.string(),
  /** The host of the portal at which it was made, and at which alone it works. */
  host: z.string(),
  /** It works at the host of this call. */
  isOfHere: z.boolean(),
  /** Copied to the person's other devices by whoever keeps it for them. */
  isBackedUp: z.boolean(),
  madeAt: instant,
  usedAt: instant.nullable(),
})

/** What a browser makes one from: `PublicKeyCredentialCreationOptionsJSON`. */
const creationOptions = z.strictObject({
  challenge: z.string(),
  rp: z.strictObject({ id: z.string(), name: z.string() }),
  user: z.strictObject({ id: z.string(), name: z.string(), displayName: z.string() }),
  pubKeyCredParams: z.array(z.strictObject({ type: z.literal('public-key'), alg: z.number().int() })),
  timeout: z.number().int(),
  attestation: z.literal('none'),
  excludeCredentials: z.array(
    z.strictObject({ id: z.string(), type: z.literal('public-key'), transports: z.array(z.string()) }),
  ),
  authenticatorSelection: z.strictObject({
    residentKey: z.literal('required'),
    requireResidentKey: z.literal(true),
    userVerification: z.literal('required'),
  }),
})

/** What a browser answers with: `RegistrationResponseJSON`. */
const registration = z.object({
  id: credentialId,
  rawId: credentialId,
  type: z.literal('public-key'),
  response: z.object({
    clientDataJSON: base64url(4000),
    attestationObject: base64url(20_000),
    transports: transports.optional(),
  }),
})

/** The same when it signs in: `AuthenticationResponseJSON`. */
export const passkeyAssertion = z.object({
  id: credentialId,
  rawId: credentialId,
  type: z.literal('public-key'),
  response: z.object({
    clientDataJSON: base64url(4000),
    authenticatorData: base64url(4000),
    signature: base64url(8000),
    userHandle: base64url(100).nullish(),
  }),
})

export const listPasskeys = officeCall({
  name: 'passkeys',
  right: 'own_account',
  path: '/passkeys',
  response: z.strictObject({
    passkeys: z.array(ownPasskey),
    /** Browsers make them for names of hosts alone, not for an address in digits. */
    canAdd: z.boolean(),
  }),
})

/** The challenge of a new one. It is this session's, and over after five minutes. */
export const beginPasskey = officeCall({
  name: 'beginPasskey',
  right: 'own_account',
  method: 'POST',
  path: '/passkeys/options',
  status: 201,
  response: creationOptions,
  refusals: ['sign_in_again', 'issuer_session', 'passkey_not_here', 'passkeys_full'],
})

/** The person is told by e-mail. With the first second factor of a person come recovery codes, shown this once. */
export const addPasskey = officeCall({
  name: 'addPasskey',
  right: 'own_account',
  method: 'POST',
  path: '/passkeys',
  status: 201,
  body: z.object({ name: passkeyName, registration }),
  response: z.strictObject({ recoveryCodes: z.array(z.string()) }),
  refusals: [
    'sign_in_again',
    'issuer_session',
    'passkey_not_here',
    'passkeys_full',
    'passkey_expired',
    'passkey_failed',
    'passkey_unverified',
    'passkey_exists',
  ],
})

export const renamePasskey = officeCall({
  name: 'renamePasskey',
  right: 'own_account',
  method: 'PUT',
  path: '/passkeys/:id',
  status: 204,
  body: z.object({ name: passkeyName }),
  response: z.undefined(),
  refusals: ['not_found', 'issuer_session'],
})

/** Every other session ends, and the person is told by e-mail. */
export const removePasskey = officeCall({
  name: 'removePasskey',
  right: 'own_account',
  method: 'DELETE',
  path: '/passkeys/:id',
  status: 204,
  response: z.undefined(),
  refusals: ['sign_in_again', 'issuer_session', 'not_found', 'second_factor_required', 'last_way_in'],
})
