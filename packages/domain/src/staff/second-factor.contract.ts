/** The second factor of a person who works here: one-time codes from an app, and recovery codes. */
import { z } from 'zod'
import { instant, officeCall } from '../contract.ts'

export const ownSecondFactor = z.strictObject({
  /** Codes from an app. */
  isOn: z.boolean(),
  since: instant.nullable(),
  recoveryCodesLeft: z.number().int(),
  /** There is a passkey as well, or instead. */
  hasPasskey: z.boolean(),
  /** Who works here has to have one: it cannot be switched off. */
  isRequired: z.boolean(),
})

export const begunSecondFactor = z.strictObject({
  /** Base32, as an app takes it by hand. */
  secret: z.string(),
  /** The same for a camera: `otpauth://totp/…`. */
  uri: z.string(),
})

/** Shown this once. */
export const recoveryCodes = z.strictObject({ recoveryCodes: z.array(z.string()) })

export const getSecondFactor = officeCall({
  name: 'secondFactor',
  right: 'own_account',
  path: '/account/second-factor',
  response: ownSecondFactor,
})

/** A secret for an app. Nothing changes until a code of it confirms it; one that is on stays on until then. */
export const beginSecondFactor = officeCall({
  name: 'beginSecondFactor',
  right: 'own_account',
  method: 'POST',
  path: '/account/second-factor',
  status: 201,
  response: begunSecondFactor,
  refusals: ['sign_in_again', 'issuer_session'],
})

/** Takes the place of one before. Every other session ends, and the person is told by e-mail. */
export const confirmSecondFactor = officeCall({
  name: 'confirmSecondFactor',
  right: 'own_account',
  method: 'PUT',
  path: '/account/second-factor',
  body: z.object({ code: z.string().min(1).max(40) }),
  response: recoveryCodes,
  refusals: ['sign_in_again', 'issuer_session', 'sign_in_throttled', 'code_wrong', 'second_factor_not_begun'],
})

export const removeSecondFactor = officeCall({
  name: 'removeSecondFactor',
  right: 'own_account',
  method: 'DELETE',
  path: '/account/second-factor',
  status: 204,
  response: z.undefined(),
  refusals: ['sign_in_again', 'issuer_session', 'second_factor_required'],
})

/** Ten new recovery codes; those of before are worth nothing. */
export const makeRecoveryCodes = officeCall({
  name: 'makeRecoveryCodes',
  right: 'own_account',
  method: 'POST',
  path: '/account/recovery-codes',
  status: 201,
  response: recoveryCodes,
  refusals: ['sign_in_again', 'issuer_session', 'no_second_factor'],
})
