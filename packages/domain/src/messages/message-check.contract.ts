/** Is a message from here? A yes or a no about what stands in it, and nothing else about anybody. */
import { z } from 'zod'
import { openCall } from '../contract.ts'

/** `check_throttled` with `challenge` among its params: a solved one, as `askChallenge` says, takes the place of the wait. */
export const checkMessage = openCall({
  name: 'checkMessage',
  method: 'POST',
  path: '/public/messages/check',
  /** A reference, a payee account, or the sender of a message: e-mail address, name, phone number or web address. */
  body: z.object({ message: z.string().max(20_000) }),
  response: z.strictObject({ genuine: z.boolean() }),
  refusals: ['check_throttled'],
  takesSolution: true,
})
