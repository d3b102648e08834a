/** What a provider shows its counterparties, as its own people enter it. No answer has a secret. */
import { z } from 'zod'
import { adminCall, day } from '../contract.ts'
import { typedLine } from '../typed-text.contract.ts'
import { CREDENTIAL_KINDS, TRIED, TRIED_KINDS } from './credential.ts'

const kind = z.enum(CREDENTIAL_KINDS)

const shown = z.strictObject({
  kind,
  /** Its own number, tenant key or address; null where the settings of the process hold. */
  own: z
    .strictObject({
      account: z.string(),
      /** The last day of the certificate, and the first half of its SHA-256 fingerprint. */
      certificate: z.strictObject({ until: day, fingerprint: z.string() }).nullable(),
      /** False when the key that it is encrypted with is not there: it is not used, and has to be entered anew. */
      isReadable: z.boolean(),
    })
    .nullable(),
  /** Numbers that were its own, which stay for their own payments and refunds. */
  former: z.array(z.string()),
  /** Whether it is offered without one of its own. */
  isShared: z.boolean(),
})

const answer = z.strictObject({ credentials: z.array(shown) })

export const listCredentials = adminCall({
  name: 'credentials',
  right: 'see',
  path: '/instance-providers/:id/credentials',
  response: answer,
})

/** PEM files are 20,000 bytes at most. */
const pem = z.string().max(20_000).optional()

/**
 * In place of what was there; every process uses it within five seconds. Of `SWISH` a number, a certificate and its key as PEM, of `BANKID`
 * the two, of `DIGITAL_MAILBOX` the tenant key and of `ELECTRONIC_INVOICE` the address in Peppol, both as `number`.
 */
export const enterCredential = adminCall({
  name: 'enterCredential',
  right: 'provider',
  method: 'PUT',
  path: '/instance-providers/:id/credentials',
  body: z.strictObject({ kind, number: typedLine(100).optional(), certificate: pem, key: pem }),
  response: answer,
  refusals: ['sign_in_again', 'invalid_request', 'credential_refused'],
})

/** `number` names a former Swish number; without it the current one goes, and the settings of the process hold then. */
export const removeCredential = adminCall({
  name: 'removeCredential',
  right: 'provider',
  method: 'POST',
  path: '/instance-providers/:id/credentials/remove',
  body: z.strictObject({ kind, number: typedLine(100).optional() }),
  response: answer,
  refusals: ['sign_in_again', 'invalid_request', 'credential_refused'],
})

/** Asks the counterparty for something that does not exist, with what holds for the provider: nothing is made there or here. */
export const tryCredential = adminCall({
  name: 'tryCredential',
  right: 'provider',
  method: 'POST',
  path: '/instance-providers/:id/credentials/try',
  body: z.strictObject({ kind: z.enum(TRIED_KINDS) }),
  response: z.strictObject({
    outcome: z.enum(TRIED),
    /** What the counterparty or the connection said, for whoever asks it; null when it was accepted. */
    detail: z.string().nullable(),
  }),
  refusals: ['invalid_request'],
})
