/** Is a message from here? A yes or a no about what stands in it, and nothing else about anybody. */
import { z } from 'zod'
import { openCall } from '../contract.ts'

/** What of ours was recognised. `name`: our name or company number, which anybody can write. */
const MESSAGE_KINDS = ['reference', 'account', 'name', 'sender', 'link'] as const
export type MessageKind = (typeof MESSAGE_KINDS)[number]

/** `check_throttled` with `challenge` among its params: a solved one, as `askChallenge` says, takes the place of the wait. */
export const checkMessage = openCall({
  name: 'checkMessage',
  method: 'POST',
  path: '/public/messages/check',
  /** A reference, a payee account, or the sender of a message: e-mail address, name, phone number or web address. */
  body: z.object({ message: z.string().max(20_000) }),
  response: z.strictObject({
    genuine: z.boolean(),
    /** With a yes alone. */
    what: z.enum(MESSAGE_KINDS).optional(),
    /** With a no to a name that is nearly ours: how ours is spelt, which every page says. */
    spelling: z.string().optional(),
  }),
  refusals: ['check_throttled'],
  takesSolution: true,
})
export type MessageAnswer = z.infer<typeof checkMessage.response>
