/** The provider's own OpenID issuer. One person proposes it, another agrees. No answer has the secret. */
import { z } from 'zod'
import { adminCall } from '../contract.ts'
import { proposal } from '../proposals/proposal.contract.ts'
import { strictLine, typedLines } from '../typed-text.contract.ts'
import { ISSUER_TRIED } from './issuer.ts'

const answer = z.strictObject({
  /** What two people have agreed to; null before that. */
  issuer: z
    .strictObject({
      issuer: z.string(),
      clientId: z.string(),
      domains: z.array(z.string()),
      isOn: z.boolean(),
      /** Whoever has an address of these domains signs in there alone. */
      isRequired: z.boolean(),
      /** It asks for a second factor itself, and none is asked for here. */
      countsAsBoth: z.boolean(),
      /** How many people have linked their account there. */
      linked: z.number().int(),
      /** False when the key that the secret is encrypted with is not there. */
      isReadable: z.boolean(),
    })
    .nullable(),
  /** The open proposal; null where there is none. */
  proposal: z.uuid().nullable(),
  /** What the issuer has to know as redirect addresses of its client. */
  redirectAddresses: z.array(z.string()),
})

const PATH = '/instance-providers/:id/sign-in-issuer'

export const getSignInIssuer = adminCall({
  name: 'signInIssuer',
  right: 'see',
  path: PATH,
  response: answer,
})

const client = {
  /** As its discovery document names itself, to the letter. */
  issuer: strictLine(500),
  clientId: strictLine(200),
  /** Left out: the one that was agreed, for the same issuer. */
  secret: z.string().min(1).max(500).optional(),
} as const

/** Changes nothing by itself: another manager or an approver agrees. */
export const proposeSignInIssuer = adminCall({
  name: 'proposeSignInIssuer',
  right: 'provider',
  method: 'PUT',
  path: PATH,
  body: z.strictObject({
    ...client,
    /** With commas or blanks between. */
    domains: typedLines(3000),
    isOn: z.boolean(),
    isRequired: z.boolean(),
    countsAsBoth: z.boolean(),
  }),
  status: 202,
  response: proposal,
  takesKey: true,
  refusals: [
    'sign_in_again',
    'invalid_request',
    'proposal_open',
    'issuer_same',
    'issuer_address',
    'issuer_locks_out',
    'idempotency_key_reused',
  ],
})

/** Asks whether the issuer is there and knows the client; nobody signs in, and nothing is kept. */
export const trySignInIssuer = adminCall({
  name: 'trySignInIssuer',
  right: 'provider',
  method: 'POST',
  path: `${PATH}/try`,
  body: z.strictObject(client),
  response: z.strictObject({
    outcome: z.enum(ISSUER_TRIED),
    /** What the issuer or the connection said, for whoever asks it; null when it was accepted. */
    detail: z.string().nullable(),
  }),
  refusals: ['invalid_request', 'sign_in_throttled'],
})
