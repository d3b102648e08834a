/** A calculation that a device does in the place of a wait, after `login_throttled` with `challenge` among its params. */
import { z } from 'zod'
import { instant, openCall, type AnswerOf } from '../contract.ts'

/**
 * Find the whole number below `tries` for which PBKDF2 with SHA-256 makes `target` (16 bytes) of the password `nonce` and the
 * number's decimal digits as salt, in so many iterations. The call that was refused is then repeated once, from the same
 * network and before `expiresAt`, with the header `Challenge-Solution: {challenge}.{number}`. `nonce` and `target` are base64.
 */
export const askChallenge = openCall({
  name: 'challenge',
  method: 'POST',
  path: '/public/challenges',
  body: z.object({ paymentReference: z.string().max(200) }),
  response: z.strictObject({
    challenge: z.string(),
    nonce: z.string(),
    target: z.string(),
    iterations: z.number().int(),
    tries: z.number().int(),
    expiresAt: instant,
  }),
})

export type ChallengeAnswer = AnswerOf<typeof askChallenge>
