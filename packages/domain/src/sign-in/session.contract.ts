/** The calls about the session itself. It is begun by an identity provider (electronic-id). */
import { z } from 'zod'
import { day, debtorCall, instant, type AnswerOf } from '../contract.ts'

/** Who is signed in: the whole name and the e-mail address, for the greeting and forms (A-69, D-34). */
export const getSession = debtorCall({
  name: 'session',
  path: '/session',
  response: z.strictObject({
    debtor: z.strictObject({ name: z.string(), email: z.string().nullable() }),
    /** Who acts for them and gets their letters (M-37); until which day, where one is known. */
    guardian: z.strictObject({ name: z.string(), until: day.nullable() }).nullable(),
    startedAt: instant,
    /** When it ends however active the debtor is. */
    endsAt: instant,
  }),
})

/** Ends the session: every token of it is worth nothing from now on, in every process. */
export const logOut = debtorCall({
  name: 'logout',
  method: 'POST',
  path: '/logout',
  status: 204,
  response: z.undefined(),
})

export type SessionAnswer = AnswerOf<typeof getSession>
